import type { RequestContext } from '../../../../http/endpoint.ts'
import { ok, type Reply } from '../../../../http/reply.ts'
import { scanStore } from '../../../../metrics-store/scan.ts'
import { toCalendarDay } from '../../../../metrics-store/week.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../../response-size.ts'
import { definitions } from '../../definitions.ts'
import { type CurrentNames, readCurrentNames } from '../../names-sql.ts'
import { toReadTarget } from '../../request.ts'
import type { Durations } from './durations.ts'
import { ReviewSink, ReviewSum } from './review-sink.ts'
import type { ReviewGroupKey, ReviewSummaryQuery, ReviewSummaryRow } from './schema.ts'
import { reviewScans } from './sql.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES = 200
const MAX_GROUPS = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES)
const MINUTE_MS = 60_000

export async function summarizeReviews(
  context: RequestContext,
  { query }: { readonly query: ReviewSummaryQuery },
): Promise<Reply> {
  const keys = query.group_by ?? []
  const scan = reviewScans[query.status ?? 'merged']
  const rows = new ReviewSink(keys, MAX_GROUPS)
  await scanStore(toReadTarget(scan.source, context, query), scan, rows)
  if (rows.exceedsLimit) return refuseLargeResponse('Group by fewer keys, narrow the window or add filters.')
  const found = rows.sums()
  // Without keys the response has one total, even when it counts nothing.
  const sums = keys.length === 0 && found.length === 0 ? [new ReviewSum(0, null)] : found
  const repositories = [...new Set(sums.flatMap(({ repository }) => repository ?? []))]
  const names = await readCurrentNames(context.scope, context.tx, { repositories, authors: [] })
  return ok({
    data: sums.map((sum) => renderSum(sum, keys, names)),
    definition_id: definitions.reviewTimes,
    approximate: sums.some(({ isApproximate }) => isApproximate),
  })
}

function renderSum(sum: ReviewSum, keys: readonly ReviewGroupKey[], names: CurrentNames): ReviewSummaryRow {
  const { week, repository, pullRequests, merged, toFirstHumanReview, toMerge } = sum
  return {
    group: {
      ...(keys.includes('week') && { week: toCalendarDay(week) }),
      ...(repository !== null && {
        repository,
        repository_name: names.repositories.get(repository) ?? null,
      }),
    },
    pull_requests: pullRequests,
    merged,
    closed: pullRequests - merged,
    median_minutes_to_first_human_review: toMinutes(toFirstHumanReview, 0.5),
    median_minutes_to_merge: toMinutes(toMerge, 0.5),
    p90_minutes_to_merge: toMinutes(toMerge, 0.9),
    mean_review_iterations: sum.knownIterations === 0 ? null : rounded(sum.iterations / sum.knownIterations),
  }
}

function toMinutes(durations: Durations, fraction: number): number | null {
  const duration = durations.percentile(fraction)
  return duration === null ? null : rounded(duration / MINUTE_MS)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
