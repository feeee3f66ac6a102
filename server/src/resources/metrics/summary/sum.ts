import { splitWindow } from '../../../metrics-store/counts/grain.ts'
import { type FindingSum, type GroupKey, SumSink } from '../../../metrics-store/counts/sum-sink.ts'
import { type MetricsReadTarget, readInStore, readUnlessMoved } from '../../../metrics-store/page.ts'
import { readCounts } from './sql.ts'

/** The findings of a window, added up by the keys; null when there are more groups than `mostSums`. */
export function sumFindings(
  target: Omit<MetricsReadTarget, 'source'>,
  keys: ReadonlySet<GroupKey>,
  maxSums: number,
): Promise<FindingSum[] | null> {
  const { scope, window, placement } = target
  const windowSplit = splitWindow(window.startDate, window.endDate, {
    week: keys.has('week'),
    repository: keys.has('repository') || window.repositories !== null,
    author: keys.has('author') || window.authors !== null,
  })
  return readInStore(target, async (tx) => {
    const rows = new SumSink(keys, maxSums)
    const request = { scope, window, hidden: placement.inactive, windowSplit }
    await readUnlessMoved(scope, tx, () => readCounts(request, tx, rows))
    return rows.exceedsLimit ? null : rows.sums()
  })
}
