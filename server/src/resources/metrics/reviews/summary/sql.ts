import { namedStatement } from '../../../../db/named-statement.ts'
import type { Tx } from '../../../../db/transaction.ts'
import {
  filterConditions,
  ofOrganizations,
  type PageRequest,
  planWithValues,
  renderOrganizations,
} from '../../../../metrics-store/page-sql.ts'
import type { ReviewGroupKey } from './schema.ts'

/** A group: its requested keys, else null; `week` is its Monday. Times are in milliseconds; null = none is known. */
export interface ReviewSum {
  readonly week: string | null
  readonly repository: string | null
  readonly pullRequests: number
  readonly merged: number
  readonly medianToFirstHumanReview: number | null
  /** The median and the 90th percentile. */
  readonly toMerge: readonly [number, number] | null
  readonly meanIterations: number | null
}

/** More pull requests are not summed up in one request. */
const MAX_PULL_REQUESTS = 4_000_000

const start = 'coalesce(ready_for_review_at, created_at)'
// A review before the pull request was ready, for example of a draft, took no time.
const millisecondsTo = (time: string) =>
  `case when ${time} < ${start} then 0 else round(date_part('epoch', ${time} - ${start}) * 1000) end`

/** Reads an index alone, unless there is a better one for the repositories or authors. */
export const sumReviews = namedStatement(
  'metrics.sum-reviews',
  `with ${renderOrganizations('pull_request')}
   select week, repository, count(*) as "pullRequests", count(*) filter (where status = 'merged') as merged,
     percentile_cont(0.5) within group (order by to_first_review) as "medianToFirstHumanReview",
     percentile_cont(array[0.5, 0.9]) within group (order by to_merge) as "toMerge",
     sum(review_iterations)::float8 / nullif(count(review_iterations), 0) as "meanIterations"
   from (
     select case when :by_week::boolean then (day - (day - date '0001-01-01') % 7)::text end as week,
       case when :by_repository::boolean then repository_id end as repository, status, review_iterations,
       ${millisecondsTo('first_human_review_at')} as to_first_review,
       case when status = 'merged' then ${millisecondsTo('merged_at')} end as to_merge
     from pull_request
     where root_id = :root and ${ofOrganizations} and day between :startDate::date and :endDate::date and (:status::text is null or status = :status) and ${filterConditions}
     limit ${MAX_PULL_REQUESTS + 1}) timed
   group by 1, 2 limit :maxGroups`,
)

interface ReviewSumRequest extends Pick<PageRequest, 'scope' | 'window' | 'hidden'> {
  /** null = any. */
  readonly status: 'merged' | 'closed' | null
}

/** The groups in any order; null if there are more than `maxGroups`, or too many pull requests to read. */
export async function readReviewSums(
  { scope, window, hidden, status }: ReviewSumRequest,
  tx: Tx,
  keys: readonly ReviewGroupKey[],
  maxGroups: number,
): Promise<ReviewSum[] | null> {
  const grouping = { by_week: keys.includes('week'), by_repository: keys.includes('repository') }
  const values = sumReviews.bind(scope, { ...window, ...grouping, hidden, status, maxGroups: maxGroups + 1 })
  const [, rows] = await Promise.all([tx.query(planWithValues, []), tx.query<ReviewSum>(sumReviews, values)])
  const pullRequests = rows.reduce((sum, row) => sum + row.pullRequests, 0)
  return rows.length > maxGroups || pullRequests > MAX_PULL_REQUESTS ? null : rows
}
