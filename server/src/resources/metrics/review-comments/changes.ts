import { JoinedRows } from '../../../db/raw-rows.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { getStartPosition } from '../../../http/paging.ts'
import { JSON_TYPE, type Reply } from '../../../http/reply.ts'
import {
  type PageBytes,
  type PageSlice,
  readInStore,
  readUnlessMoved,
  toPageBytes,
} from '../../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES, STREAM_PAGE_BYTES } from '../../../response-size.ts'
import { requireMetrics } from '../request.ts'
import { linesReply } from './list.ts'
import type { ChangesQuery } from './schema.ts'
import { countFitting, readChanges } from './sql.ts'

// An upper bound for everything around the changes: field names and the cursor.
const ENVELOPE_BYTES = 1024

// A stream measures and reads this many changes at a time.
const STREAM_PAGE_ROWS = 1000

/**
 * Always returns a cursor: that of the last change, or the given one when there is nothing new. So a page may have fewer
 * changes than `limit`, and has as many as fit.
 */
export async function listChanges(
  context: RequestContext,
  { query }: { readonly query: ChangesQuery },
): Promise<Reply> {
  const countedFrom = query.counted_from ?? null
  if (context.ndjson) return linesReply(writeLines(context, countedFrom))
  const { page } = context
  const after = getStartPosition(page)
  const slice = { after, rows: page.limit, separator: ',' } as const
  const { chunks, more, last, release } = await readFittingChanges(
    context,
    countedFrom,
    slice,
    MAX_RESPONSE_BYTES - ENVELOPE_BYTES,
  )
  const end = `],${renderEnd(context, last ?? after, more).slice(1)}`
  return {
    status: 200,
    body: { chunks: [Buffer.from('{"data":['), ...chunks, Buffer.from(end)], type: JSON_TYPE, release },
  }
}

/** One change per line. The cursor is the last line: a client that received it has received every change before it. */
async function* writeLines(
  context: RequestContext,
  countedFrom: string | null,
): AsyncGenerator<Buffer, void> {
  let after = getStartPosition(context.page)
  let remaining = context.page.limit
  let hasMore = true
  while (hasMore && remaining > 0) {
    // The client has taken the page before, which may be much later.
    if (remaining < context.page.limit) await context.checkAccessAgain()
    const slice = { after, rows: Math.min(remaining, STREAM_PAGE_ROWS), separator: '\n' } as const
    const { chunks, rows, more, last } = await readFittingChanges(
      context,
      countedFrom,
      slice,
      STREAM_PAGE_BYTES,
    )
    yield* chunks
    if (last !== null) yield Buffer.from('\n')
    after = last ?? after
    remaining -= rows
    hasMore = more
  }
  yield Buffer.from(`${renderEnd(context, after, hasMore)}\n`)
}

function renderEnd({ page }: RequestContext, last: number, more: boolean): string {
  return `{"next_cursor":"${page.cursorAfter(last)}","has_more":${more}}`
}

/** The changes of a slice that are certain to fit into `maxBytes`; `rows` is their number. */
function readFittingChanges(
  context: RequestContext,
  countedFrom: string | null,
  { after, rows: maxRows, separator }: PageSlice,
  maxBytes: number,
): Promise<PageBytes & { readonly rows: number }> {
  const access = requireMetrics(context)
  const { scope, placement } = access
  return readInStore(access, async (tx) => {
    const request = { scope, hidden: placement.inactive, after, rows: maxRows, countedFrom }
    // A single change that is too large is returned anyway: the reader could never get past it otherwise.
    const rows = Math.max(1, await countFitting(request, tx, maxBytes))
    const sink = new JoinedRows(rows, separator)
    await readUnlessMoved(scope, tx, () => readChanges({ ...request, rows: rows + 1 }, tx, sink))
    return { rows, ...toPageBytes(sink, rows) }
  })
}
