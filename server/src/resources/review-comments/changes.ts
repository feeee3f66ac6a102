import { JoinedRows } from '../../db/joined-rows.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { getStartPosition } from '../../http/paging.ts'
import { JSON_TYPE, type Reply } from '../../http/reply.ts'
import { readInStore, readUnlessMoved } from '../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { countFitting, readChanges } from './sql.ts'

// What is written around the changes: names of fields, and the cursor.
const ENVELOPE_BYTES = 1024

/**
 * A cursor is always returned: of the last change told, or the one that was given when there is nothing new. So a page
 * may be shorter than asked for, and is as short as its size demands.
 */
export async function listChanges({ metrics, scope, page }: RequestContext): Promise<Reply> {
  if (metrics === null) throw new Error('The door places the metrics before the verb runs.')
  const after = getStartPosition(page)
  const hidden = metrics.placement.inactive
  const { sink, more } = await readInStore({ ...metrics, scope }, async (tx) => {
    const request = { scope, hidden, after, rows: page.limit }
    const fitting = await countFitting(request, tx, MAX_RESPONSE_BYTES - ENVELOPE_BYTES)
    // One that is too large by itself could never be passed: it is told all the same.
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
