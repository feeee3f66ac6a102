import type { MetricsScan } from '../../../../metrics-store/scan-sql.ts'
import { reviewSources } from '../../../../metrics-store/source-sql.ts'

// The fields of an entry from the value of `status` to that of `review_iterations`. A quote within a string is escaped, so no
// text of a sender contains the name of a field. Other functions would count the characters of the whole entry.
const times = `split_part(split_part(entry, ',"status":"', 2), ',"estimated_complexity":', 1)`

const columns = `day - date '0001-01-01' as day, repository_id, ${times} as times`

/** Rows of (day, repository, times), by the `status` parameter. */
export const reviewScans = {
  merged: { source: reviewSources.merged, columns },
  closed: { source: reviewSources.closed, columns },
  all: { source: reviewSources.all, columns },
} as const satisfies Readonly<Record<keyof typeof reviewSources, MetricsScan>>
