import type { MetricsScan } from '../../../metrics-store/scan-sql.ts'
import { reviewSources } from '../../../metrics-store/source-sql.ts'
import {
  keyColumns,
  ownerColumns,
  type PullRequestKey,
  type RowOwner,
} from '../../../metrics-store/write/pull-request-sql.ts'
import { type ColumnTypes, createInsert, createUpsert } from '../../../metrics-store/write/rows-sql.ts'

/** A row of `review`. It exists for every finalized pull request, merged or closed, with or without findings. */
export interface ReviewRow extends PullRequestKey, RowOwner {
  readonly author_id: string | null
  readonly status: 'merged' | 'closed'
  readonly day: string
  readonly week: number
  readonly position: number
  readonly entry: string
  readonly tally: string | null
}

const columns: ColumnTypes<ReviewRow> = {
  ...keyColumns,
  ...ownerColumns,
  author_id: 'text',
  status: 'text',
  day: 'date',
  week: 'integer',
  position: 'bigint',
  entry: 'text',
  tally: 'text',
}

export const createReviews = createInsert('review-comments.insert-reviews', 'review', columns)
export const changeReviews = createUpsert('review-comments.upsert-reviews', 'review', columns, keyColumns)

// The fields of an entry from the value of `status` to that of `review_iterations`. A quote within a string is escaped, so no
// text of a sender contains the name of a field. Other functions would count the characters of the whole entry.
const times = `split_part(split_part(entry, ',"status":"', 2), ',"estimated_complexity":', 1)`

const scannedColumns = `day - date '0001-01-01' as day, repository_id, ${times} as times`

/** Rows of (day, repository, times), by the `status` parameter. */
export const reviewScans = {
  merged: { source: reviewSources.merged, columns: scannedColumns },
  closed: { source: reviewSources.closed, columns: scannedColumns },
  all: { source: reviewSources.all, columns: scannedColumns },
} as const satisfies Readonly<Record<keyof typeof reviewSources, MetricsScan>>
