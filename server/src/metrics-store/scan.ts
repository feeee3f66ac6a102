import { refuse } from '../errors.ts'
import type { GroupSink } from './groups.ts'
import { type MetricsReadTarget, readInStoreTransaction, readUnlessMoved } from './page.ts'
import { planWithValues } from './page-sql.ts'
import { createScanStatement, fetchSlice, type MetricsScan, SLICE_ROWS } from './scan-sql.ts'

// Limits the time and memory of a summary that reads every pull request of its window.
const MAX_ROWS = 3_000_000

/** Passes every row of the window to the sink, from one snapshot. */
export function scanStore(
  { scope, window, placement, ...access }: Omit<MetricsReadTarget, 'source'>,
  scan: MetricsScan,
  sink: GroupSink<unknown>,
): Promise<void> {
  return readInStoreTransaction({ scope, placement, ...access }, async (tx) => {
    const { statement, values } = createScanStatement(scan, { scope, window, hidden: placement.inactive })
    const opening = readUnlessMoved(scope, tx, async () => {
      await Promise.all([tx.query(planWithValues, []), tx.query(statement, values)])
    })
    for (;;) {
      const before = sink.rowCount
      // Both are sent and awaited together at first, so that an error of the opening statement is raised.
      await Promise.all([opening, tx.streamRows(fetchSlice, [], sink)])
      if (sink.exceedsLimit || sink.rowCount - before < SLICE_ROWS) return
      if (sink.rowCount >= MAX_ROWS)
        refuse(
          'RESPONSE_TOO_LARGE',
          `The summary would read more than ${MAX_ROWS.toLocaleString('en')} pull requests. Narrow the window or add filters.`,
        )
    }
  })
}
