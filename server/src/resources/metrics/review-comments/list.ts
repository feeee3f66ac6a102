import type { Static } from 'typebox'
import type { RequestContext } from '../../../http/endpoint.ts'
import { getStartPosition } from '../../../http/paging.ts'
import { copiedPageReply, type Reply } from '../../../http/reply.ts'
import { type MetricsReadTarget, readAllPages, readMetricsPage } from '../../../metrics-store/page.ts'
import { reviewCommentsSource } from '../../../metrics-store/source-sql.ts'
import { MAX_RESPONSE_BYTES, STREAM_PAGE_BYTES } from '../../../response-size.ts'
import { toReadTarget } from '../request.ts'
import { linesReply } from './lines.ts'
import type { ReviewCommentsQuery } from './schema.ts'

export async function listReviewComments(
  context: RequestContext,
  { query }: { readonly query: Static<typeof ReviewCommentsQuery> },
): Promise<Reply> {
  const target = toReadTarget(reviewCommentsSource, context, query)
  if (context.ndjson) return linesReply(writeLines(context, target))
  const { page } = context
  const slice = { after: getStartPosition(page), rows: page.limit, separator: ',' } as const
  return copiedPageReply(page, await readMetricsPage(target, slice, MAX_RESPONSE_BYTES))
}

/**
 * One entry per line. The cursor is the last line: a client that received it has received every entry before it. If the
 * key loses its access meanwhile, the response is cut off before that line.
 */
async function* writeLines(context: RequestContext, target: MetricsReadTarget): AsyncGenerator<Buffer, void> {
  const { page } = context
  const slice = { after: getStartPosition(page), rows: page.limit, separator: '\n' } as const
  let cursor: string | null = null
  for await (const { chunks, more, last } of readAllPages(target, slice, STREAM_PAGE_BYTES)) {
    yield* chunks
    if (last !== null) yield Buffer.from('\n')
    cursor = more && last !== null ? page.cursorAfter(last) : null
    // The next page is read after the client has taken this one, which may be much later.
    if (more) await context.checkAccessAgain()
  }
  yield Buffer.from(`${JSON.stringify({ next_cursor: cursor })}\n`)
}
