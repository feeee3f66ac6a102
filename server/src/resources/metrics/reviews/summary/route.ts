import { defineEndpoint, type RequestContext } from '../../../../http/endpoint.ts'
import { ok, type Reply } from '../../../../http/reply.ts'
import { compareNullsLast } from '../../../../metrics-store/groups.ts'
import { readInStore, readUnlessMoved } from '../../../../metrics-store/page.ts'
import { MAX_RESPONSE_BYTES, refuseLargeResponse } from '../../../../response-size.ts'
import examples from '../../examples.json' with { type: 'json' }
import { type CurrentNames, readCurrentNames } from '../../names-sql.ts'
import { SUMMARY_ADVICE, toReadTarget, windowDefaults } from '../../request.ts'
import { definitions } from '../../schema.ts'
import { roundToHundredths, toMinutes } from './durations.ts'
import { type ReviewGroupKey, ReviewSummary, ReviewSummaryQuery, type ReviewSummaryRow } from './schema.ts'
import { type ReviewSum, readReviewSums } from './sql.ts'

// The smallest possible size of a group. A summary with more groups than fit is refused before it is rendered.
const MIN_GROUP_BYTES = 200
const MAX_GROUPS = Math.floor(MAX_RESPONSE_BYTES / MIN_GROUP_BYTES)

const EMPTY_SUM: ReviewSum = {
  week: null,
  repository: null,
  pullRequests: 0,
  merged: 0,
  medianToFirstHumanReview: null,
  toMerge: null,
  meanIterations: null,
}

async function summarizeReviews(
  context: RequestContext,
  { query }: { readonly query: ReviewSummaryQuery },
): Promise<Reply> {
  const keys = query.group_by ?? []
  const found = await sumReviews(context, query)
  // Without keys the response has one total, even when it counts nothing.
  const sums = keys.length === 0 && found.length === 0 ? [EMPTY_SUM] : found
  const names = await readCurrentNames(context.scope, context.tx, sums)
  return ok({
    data: sums.map((sum) => renderSum(sum, keys, names)),
    definition_id: definitions.reviewTimes,
    approximate: false,
  })
}

/** The groups of the window, sorted by week and repository. */
async function sumReviews(context: RequestContext, query: ReviewSummaryQuery): Promise<ReviewSum[]> {
  const target = toReadTarget(context, query)
  const { scope, window, placement } = target
  const status = query.status ?? 'merged'
  const request = { scope, window, hidden: placement.inactive, status: status === 'all' ? null : status }
  const sums = await readInStore(target, (tx) =>
    readUnlessMoved(scope, tx, () => readReviewSums(request, tx, query.group_by ?? [], MAX_GROUPS)),
  )
  if (sums === null) return refuseLargeResponse(SUMMARY_ADVICE)
  return sums.sort((a, b) => compareNullsLast(a.week, b.week) || compareNullsLast(a.repository, b.repository))
}

function renderSum(sum: ReviewSum, keys: readonly ReviewGroupKey[], names: CurrentNames): ReviewSummaryRow {
  const { week, repository, pullRequests, merged, medianToFirstHumanReview, toMerge, meanIterations } = sum
  const [median = null, p90 = null] = toMerge ?? []
  return {
    group: {
      ...(keys.includes('week') && week !== null && { week }),
      ...(repository !== null && {
        repository,
        repository_name: names.repositories.get(repository) ?? null,
      }),
    },
    pull_requests: pullRequests,
    merged,
    closed: pullRequests - merged,
    median_minutes_to_first_human_review: toMinutes(medianToFirstHumanReview),
    median_minutes_to_merge: toMinutes(median),
    p90_minutes_to_merge: toMinutes(p90),
    mean_review_iterations: meanIterations === null ? null : roundToHundredths(meanIterations),
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
