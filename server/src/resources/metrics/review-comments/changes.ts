import { JoinedRows } from '../../../db/joined-rows.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { getStartPosition } from '../../../http/paging.ts'
import { JSON_TYPE, type Reply } from '../../../http/reply.ts'
import { readInStore, readUnlessMoved } from '../../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES } from '../../../response-size.ts'

import { countFitting, readChanges } from './sql.ts'

// An upper bound for everything around the changes: field names and the cursor.
const ENVELOPE_BYTES = 1024

/**
 * Always returns a cursor: that of the last change, or the given one when there is nothing new. So a page may have fewer
 * changes than `limit`, and has as many as fit.
 */
export async function listChanges({ metrics, scope, page }: RequestContext): Promise<Reply> {
  if (metrics === null) throw new Error('The request context has no metrics placement.')
  const after = getStartPosition(page)
  const hidden = metrics.placement.inactive
  const { sink, more } = await readInStore({ ...metrics, scope }, async (tx) => {
    const request = { scope, hidden, after, rows: page.limit }
    const fitting = await countFitting(request, tx, MAX_RESPONSE_BYTES - ENVELOPE_BYTES)
    // A single change that is too large is returned anyway: the reader could never get past it otherwise.
    const rows = Math.max(1, fitting)
    const joined = new JoinedRows(rows, ',')
    await readUnlessMoved(scope, tx, () => readChanges({ ...request, rows: rows + 1 }, tx, joined))
    return { sink: joined, more: joined.rowCount > rows }
  })
  const cursor = page.cursorAfter(Number(sink.lastKey ?? after))
  const end = `],"next_cursor":"${cursor}","has_more":${more}}`
  return {
    status: 200,
    body: {
      chunks: [Buffer.from('{"data":['), ...sink.chunks(), Buffer.from(end)],
      type: JSON_TYPE,
      release: () => sink.release(),
    },
  }
}
