import type { RequestContext } from '../../../http/endpoint.ts'
import { getStartPosition } from '../../../http/paging.ts'
import { copiedPageReply, type Reply } from '../../../http/reply.ts'
import { readAllPages } from '../../../metrics-store/page.ts'
import { reviewCommentsSource } from '../../../metrics-store/source-sql.ts'
import { STREAM_PAGE_BYTES } from '../../../response-size.ts'
import { readPage, toReadTarget } from '../request.ts'
import type { ReviewCommentsQuery } from './schema.ts'

const NDJSON_TYPE = 'application/x-ndjson; charset=utf-8'

export async function listReviewComments(
  context: RequestContext,
  { query }: { readonly query: ReviewCommentsQuery },
): Promise<Reply> {
  if (context.ndjson) return linesReply(writeLines(context, query))
  return copiedPageReply(context.page, await readPage(reviewCommentsSource, context, query))
}

/** Reads the first bytes, so that an error is raised before the response starts. */
export async function linesReply(lines: AsyncGenerator<Buffer, void>): Promise<Reply> {
  const first = await lines.next()
  const stream = (async function* () {
    if (first.value !== undefined) yield first.value
    yield* lines
  })()
  return { status: 200, body: { stream, type: NDJSON_TYPE } }
}

/**
 * One entry per line. The cursor is the last line: a client that received it has received every entry before it. If the
 * key loses its access meanwhile, the response is cut off before that line.
 */
async function* writeLines(
  context: RequestContext,
  query: ReviewCommentsQuery,
): AsyncGenerator<Buffer, void> {
  const { page } = context
  const target = { source: reviewCommentsSource, ...toReadTarget(context, query) }
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
