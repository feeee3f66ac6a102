import type { RequestContext } from '../../http/endpoint.ts'
import { getStartPosition } from '../../http/paging.ts'
import { copiedPageReply, type Reply } from '../../http/reply.ts'
import { readPage } from '../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES, readingOf } from '../../metrics-store/request.ts'
import { mcpUsage } from '../../metrics-store/source-sql.ts'
import type { McpUsageQuery } from './schema.ts'

export async function listMcpUsage(
  context: RequestContext,
  { query }: { readonly query: McpUsageQuery },
): Promise<Reply> {
  const { page } = context
  await context.admitted
  const part = { after: getStartPosition(page), rows: page.limit, separator: ',' } as const
  return copiedPageReply(page, await readPage(readingOf(mcpUsage, context, query), part, MAX_RESPONSE_BYTES))
}
