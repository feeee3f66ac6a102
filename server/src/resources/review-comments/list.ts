import type { Static } from 'typebox'
import type { RequestContext } from '../../http/endpoint.ts'
import { getStartPosition } from '../../http/paging.ts'
import { copiedPageReply, type Reply } from '../../http/reply.ts'
import { type Reading, readAll, readPage } from '../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES, readingOf } from '../../metrics-store/request.ts'
import { reviewComments } from '../../metrics-store/source-sql.ts'
import type { ReviewCommentsQuery } from './schema.ts'

const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

export async function listReviewComments(
  context: RequestContext,
  { query }: { readonly query: Static<typeof ReviewCommentsQuery> },
): Promise<Reply> {
  await context.admitted
  const reading = readingOf(reviewComments, context, query)
  if (context.ndjson) {
    const stream = await startStream(writeLines(context, reading))
    return { status: 200, body: { stream, type: LINES_TYPE } }
  }
  const { page } = context
  const part = { after: getStartPosition(page), rows: page.limit, separator: ',' } as const
  return copiedPageReply(page, await readPage(reading, part, MAX_RESPONSE_BYTES))
}

/** One entry a line; the last line is the cursor, so that a caller who has it has everything before it. */
async function* writeLines(context: RequestContext, reading: Reading): AsyncGenerator<Buffer, void> {
  const { page } = context
  const part = { after: getStartPosition(page), rows: page.limit, separator: '\n' } as const
  let cursor: string | null = null
  for await (const { chunks, more, last } of readAll(reading, part, MAX_RESPONSE_BYTES)) {
    yield* chunks
    if (last !== null) yield Buffer.from('\n')
    cursor = more && last !== null ? page.cursorAfter(last) : null
  }
  yield Buffer.from(`${JSON.stringify({ next_cursor: cursor })}\n`)
}

/** Reads up to the first bytes, so that what is refused is refused before the answer has begun. */
async function startStream(lines: AsyncGenerator<Buffer, void>): Promise<AsyncIterable<Buffer>> {
  const first = await lines.next()
  return (async function* () {
    if (first.value !== undefined) yield first.value
    yield* lines
  })()
}
