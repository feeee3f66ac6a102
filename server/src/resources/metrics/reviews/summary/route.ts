import { defineEndpoint, type RequestContext } from '../../../../http/endpoint.ts'
import { ok, type Reply } from '../../../../http/reply.ts'
import { toCalendarDay } from '../../../../metrics-store/week.ts'
import { MAX_RESPONSE_BYTES } from '../../../../response-size.ts'
import examples from '../../examples.json' with { type: 'json' }
import { type CurrentNames, readCurrentNames } from '../../names-sql.ts'
import { scanWindow, windowDefaults } from '../../request.ts'
import { definitions } from '../../schema.ts'
import { reviewScans } from '../sql.ts'
import { roundToHundredths } from './durations.ts'
import { ReviewSink, ReviewSum } from './review-sink.ts'
import { type ReviewGroupKey, ReviewSummary, ReviewSummaryQuery, type ReviewSummaryRow } from './schema.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES = 200
const MAX_GROUPS = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES)

async function summarizeReviews(
  context: RequestContext,
  { query }: { readonly query: ReviewSummaryQuery },
): Promise<Reply> {
  const keys = query.group_by ?? []
  const scan = reviewScans[query.status ?? 'merged']
  const found = (await scanWindow(context, query, scan, new ReviewSink(keys, MAX_GROUPS))).sums()
  // Without keys the response has one total, even when it counts nothing.
  const sums = keys.length === 0 && found.length === 0 ? [new ReviewSum(0, null)] : found
  const names = await readCurrentNames(context.scope, context.tx, sums)
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
    median_minutes_to_first_human_review: toFirstHumanReview.percentileMinutes(0.5),
    median_minutes_to_merge: toMerge.percentileMinutes(0.5),
    p90_minutes_to_merge: toMerge.percentileMinutes(0.9),
    mean_review_iterations:
      sum.knownIterations === 0 ? null : roundToHundredths(sum.iterations / sum.knownIterations),
  }
}

export const reviewSummary = defineEndpoint({
  ...windowDefaults,
  path: '/v1/metrics/reviews/summary',
  operationId: 'summarizeReviews',
  example: examples.reviewSummary,
  summary: 'Summarize how long pull requests took',
  description:
    'Returns counts and times of pull requests that were merged or closed in the window, grouped by the keys in `group_by`. ' +
    'The counts match `/v1/metrics/reviews` with the same filters, where `status` is merged unless you send another. Times ' +
    'begin when a pull request is ready for review or, if that is unknown, when it was created. Groups are sorted by week ' +
    'and repository.',
  query: ReviewSummaryQuery,
  replies: {
    200: { description: 'All groups with pull requests; one total without `group_by`.', body: ReviewSummary },
  },
  run: summarizeReviews,
})
