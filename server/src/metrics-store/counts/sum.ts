import { inStore, type Reading, readWhileHere } from '../page.ts'
import { piecesOf } from './grain.ts'
import { type GroupKey, type Sum, SumRows } from './sum-sink.ts'
import { readCounts } from './sum-sql.ts'

/** The findings of a window, added up by the keys; null when there are more groups than `mostSums`. */
export function sumFindings(
  reading: Omit<Reading, 'source'>,
  keys: ReadonlySet<GroupKey>,
  maxSums: number,
): Promise<Sum[] | null> {
  const { scope, window, placement } = reading
  const pieces = piecesOf(window.startDate, window.endDate, {
    week: keys.has('week'),
    repository: keys.has('repository') || window.repositories !== null,
    author: keys.has('author') || window.authors !== null,
  })
  return inStore(reading, async (tx) => {
    const rows = new SumRows(keys, maxSums)
    const request = { scope, window, hidden: placement.inactive, pieces }
    await readWhileHere(scope, tx, () => readCounts(request, tx, rows))
    return rows.tooMany ? null : rows.sums()
  })
}
