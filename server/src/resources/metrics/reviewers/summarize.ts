import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import { countDays } from '../../../metrics-store/day.ts'
import { readReviewersBefore } from '../../../metrics-store/reviewers-sql.ts'
import { requireMetrics, scanWindow } from '../request.ts'
import { computeMedian, roundToHundredths, toMinutes } from '../reviews/summary/durations.ts'
import { definitions } from '../schema.ts'
import { computeAcceptance } from '../summary/rates.ts'
import { ReviewerSink, type ReviewerSum } from './reviewer-sink.ts'
import type { ReviewerRecord, ReviewersQuery } from './schema.ts'
import { type ReviewerPrices, readPrices, reviewersScan } from './sql.ts'

const DAYS_PER_MONTH = 30.4

export async function summarizeReviewers(
  context: RequestContext,
  { query }: { readonly query: ReviewersQuery },
): Promise<Reply> {
  const rows = await scanReviewers(context, query)
  const sums = rows.sums()
  const prices = await readApplicablePrices(context, query)
  const costs = await computeCosts(context, query, prices, sums)
  const data = sums.map((sum) => renderSum(sum, costs))
  return ok({ data, currency: prices.currency, definition_id: definitions.reviewers })
}

export async function compareOverlap(
  context: RequestContext,
  { query }: { readonly query: ReviewersQuery },
): Promise<Reply> {
  const rows = await scanReviewers(context, query)
  return ok({ data: rows.overlaps(), definition_id: definitions.reviewers })
}

const TOO_MANY_REVIEWERS = 'More than 100 reviewers cannot be compared. Narrow the window or add filters.'

function scanReviewers(context: RequestContext, query: ReviewersQuery): Promise<ReviewerSink> {
  return scanWindow(context, query, reviewersScan, new ReviewerSink(), TOO_MANY_REVIEWERS)
}

/** None with filters and for several organizations: a price is that of one whole organization. */
async function readApplicablePrices(
  { scope, tx, organization }: RequestContext,
  { repository_ids, user_ids }: ReviewersQuery,
): Promise<ReviewerPrices> {
  if (organization === null || repository_ids !== undefined || user_ids !== undefined)
    return { currency: null, byReviewer: new Map() }
  return readPrices(scope, tx, organization)
}

/** What a reviewer cost on the days of the window that its subscription covers, for each finding accepted on those days. */
async function computeCosts(
  context: RequestContext,
  { start_date, end_date }: ReviewersQuery,
  { byReviewer }: ReviewerPrices,
  sums: readonly ReviewerSum[],
): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>()
  const { organization } = context
  if (organization === null) return costs
  const byName = new Map(sums.map((sum) => [sum.reviewer, sum]))
  const withoutStart = [...byReviewer.keys()].filter(
    (reviewer) => byReviewer.get(reviewer)?.since === null && byName.has(reviewer),
  )
  const earlier = await readReviewersBefore(requireMetrics(context), organization, withoutStart, start_date)
  for (const [reviewer, { price_per_month, since }] of byReviewer) {
    const start = since ?? (earlier.has(reviewer) ? start_date : byName.get(reviewer)?.firstDay)
    if (start == null) continue
    const first = start > start_date ? start : start_date
    const days = countDays(first, end_date)
    const accepted = byName.get(reviewer)?.countAcceptedSince(first) ?? 0
    if (accepted > 0) costs.set(reviewer, (price_per_month * days) / DAYS_PER_MONTH / accepted)
  }
  return costs
}

function renderSum(sum: ReviewerSum, costs: ReadonlyMap<string, number>): ReviewerRecord {
  const { reviewer, pullRequests, findings, accepted, notAccepted } = sum
  const { posted: _, ...rates } = computeAcceptance({ posted: findings, accepted, notAccepted })
  const cost = reviewer === null ? undefined : costs.get(reviewer)
  return {
    reviewer,
    pull_requests: pullRequests,
    findings,
    ...rates,
    median_minutes_to_fix: toMinutes(computeMedian(sum.timesToFix)),
    unique_accepted: sum.sharedPullRequests === 0 ? null : sum.uniqueAccepted,
    cost_per_accepted: cost === undefined ? null : roundToHundredths(cost),
  }
}
