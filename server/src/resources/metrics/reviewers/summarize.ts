import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import { toReadTarget } from '../../../metrics-store/request.ts'
import { scanStore } from '../../../metrics-store/scan.ts'
import { toDayNumber } from '../../../metrics-store/week.ts'
import { refuseLargeResponse } from '../../../response-size.ts'
import { definitions } from '../definitions.ts'
import { computeAcceptance } from '../summary/rates.ts'
import { ReviewerSink, type ReviewerSum } from './reviewer-sink.ts'
import type { ReviewerRecord, ReviewersQuery } from './schema.ts'
import { readPrices, reviewersScan } from './sql.ts'

const MINUTE_MS = 60_000
const DAYS_PER_MONTH = 30.4

export async function summarizeReviewers(
  context: RequestContext,
  { query }: { readonly query: ReviewersQuery },
): Promise<Reply> {
  const rows = await scanReviewers(context, query)
  const costs = await readCosts(context, query)
  const data = rows.sums().map((sum) => renderSum(sum, costs))
  return ok({ data, definition_id: definitions.reviewers })
}

export async function compareOverlap(
  context: RequestContext,
  { query }: { readonly query: ReviewersQuery },
): Promise<Reply> {
  const rows = await scanReviewers(context, query)
  return ok({ data: rows.overlaps(), definition_id: definitions.reviewers })
}

async function scanReviewers(context: RequestContext, query: ReviewersQuery): Promise<ReviewerSink> {
  const rows = new ReviewerSink()
  await scanStore(toReadTarget(reviewersScan.source, context, query), reviewersScan, rows)
  if (rows.exceedsLimit)
    return refuseLargeResponse(
      'More than 100 reviewers cannot be compared. Narrow the window or add filters.',
    )
  return rows
}

/** The cost of each reviewer in the window. A price is that of one whole organization. */
async function readCosts(
  { scope, tx, organization }: RequestContext,
  { start_date, end_date, repository_ids, user_ids }: ReviewersQuery,
): Promise<ReadonlyMap<string, number>> {
  if (organization === null || repository_ids !== undefined || user_ids !== undefined) return new Map()
  const days = toDayNumber(end_date) - toDayNumber(start_date) + 1
  const prices = await readPrices(scope, tx, organization)
  return new Map([...prices].map(([reviewer, price]) => [reviewer, (price * days) / DAYS_PER_MONTH]))
}

function renderSum(sum: ReviewerSum, costs: ReadonlyMap<string, number>): ReviewerRecord {
  const { reviewer, pullRequests, findings, accepted, notAccepted } = sum
  const { posted: _, ...rates } = computeAcceptance({ posted: findings, accepted, notAccepted })
  const duration = sum.timesToFix.percentile(0.5)
  const cost = reviewer === null ? undefined : costs.get(reviewer)
  return {
    reviewer,
    pull_requests: pullRequests,
    findings,
    ...rates,
    median_minutes_to_fix: duration === null ? null : rounded(duration / MINUTE_MS),
    unique_accepted: sum.sharedPullRequests === 0 ? null : sum.uniqueAccepted,
    cost_per_accepted: cost === undefined || accepted === 0 ? null : rounded(cost / accepted),
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
