import type { Static } from 'typebox'
import { refuse } from '../../errors.ts'
import type { Context } from '../../http/endpoint.ts'
import { JSON_TYPE, type Reply } from '../../http/reply.ts'
import { type Reading, readAll, readPage } from '../../metrics/page.ts'
import type { ReviewCommentsQuery } from './schema.ts'

export const MOST_BYTES = 16 * 1024 * 1024
const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

type Query = Static<typeof ReviewCommentsQuery>

export function refuseReversedWindow({ query }: { readonly query: Query }): void {
  if (query.end_date < query.start_date) refuse('INVALID_REQUEST', 'end_date precedes start_date.')
}

export async function listReviewComments(
  context: Context,
  { query }: { readonly query: Query },
): Promise<Reply> {
  await context.admitted
  const reading = readingOf(context, query)
  if (context.lines) {
    const stream = await begun(writeLines(context, reading))
    return { status: 200, body: { stream, type: LINES_TYPE } }
  }
  const { page } = context
  const part = { after: afterOf(context), rows: page.limit, separator: ',' } as const
  const { chunks, more, last, release } = await readPage(reading, part, MOST_BYTES)
  const cursor = more && last !== null ? `"${page.cursorAfter(last)}"` : 'null'
  const body = [Buffer.from('{"data":['), ...chunks, Buffer.from(`],"next_cursor":${cursor}}`)]
  return { status: 200, body: { chunks: body, type: JSON_TYPE, release } }
}

/** One entry a line; the last line is the cursor, so that a caller who has it has everything before it. */
async function* writeLines(context: Context, reading: Reading): AsyncGenerator<Buffer, void> {
  const { page } = context
  const part = { after: afterOf(context), rows: page.limit, separator: '\n' } as const
  let cursor: string | null = null
  for await (const { chunks, more, last } of readAll(reading, part, MOST_BYTES)) {
    yield* chunks
    if (last !== null) yield Buffer.from('\n')
    cursor = more && last !== null ? page.cursorAfter(last) : null
  }
  yield Buffer.from(`${JSON.stringify({ next_cursor: cursor })}\n`)
}

/** Reads up to the first bytes, so that what is refused is refused before the answer has begun. */
async function begun(lines: AsyncGenerator<Buffer, void>): Promise<AsyncIterable<Buffer>> {
  const first = await lines.next()
  return (async function* () {
    if (first.value !== undefined) yield first.value
    yield* lines
  })()
}

function readingOf({ metrics, scope }: Context, query: Query): Reading {
  if (metrics === null) throw new Error('The door places the metrics before the verb runs.')
  const { start_date, end_date, repository_ids, user_ids } = query
  return {
    ...metrics,
    scope,
    window: {
      startDate: start_date,
      endDate: end_date,
      repositories: repository_ids ?? null,
      authors: user_ids ?? null,
    },
  }
}

function afterOf({ page }: Context): number {
  return Number(page.after?.[0] ?? 0)
}
