import type { RequestContext } from '../../../http/endpoint.ts'
import { getStartPosition } from '../../../http/paging.ts'
import { copiedPageReply, type Reply } from '../../../http/reply.ts'
import { readMetricsPage } from '../../../metrics-store/page.ts'
import { mcpUsageSource } from '../../../metrics-store/source-sql.ts'
import { MAX_RESPONSE_BYTES } from '../../../response-size.ts'
import { toReadTarget } from '../request.ts'
import type { McpUsageQuery } from './schema.ts'

export async function listMcpUsage(
  context: RequestContext,
  { query }: { readonly query: McpUsageQuery },
): Promise<Reply> {
  const { page } = context
  const slice = { after: getStartPosition(page), rows: page.limit, separator: ',' } as const
  return copiedPageReply(
    page,
    await readMetricsPage(toReadTarget(mcpUsageSource, context, query), slice, MAX_RESPONSE_BYTES),
  )
}
