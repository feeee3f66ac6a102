import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { OrganizationId } from '../../../ids.ts'
import type { MetricsScan } from '../../../metrics-store/scan-sql.ts'
import { reviewSources } from '../../../metrics-store/source-sql.ts'

// No column of a scan may be null.
const findingsAndDetails = `coalesce((
  select json_build_array(p.findings, p.details)::text from pull_request p
  where p.root_id = review.root_id and p.provider = review.provider and p.host = review.host
    and p.repository_id = review.repository_id and p.number = review.number
    and (p.entry is not null or p.details is not null)), '[[],null]')`

// A pull request has up to a thousand findings with their sketches.
const SLICE_ROWS = 2_000

/**
 * Rows of (day, findings and details) of merged pull requests. It starts with the reviews, because pull requests without findings
 * count as reviewed too, and the indexes of pull_request do not have those.
 */
export const reviewersScan: MetricsScan = {
  source: { ...reviewSources.merged, name: 'reviewers' },
  columns: `day::text as day, ${findingsAndDetails} as findings`,
  sliceRows: SLICE_ROWS,
}

const selectPrices = statement(
  'reviewers.prices',
  `select o.currency, p.reviewer, p.price_per_month, p.since::text as since from organization o
   left join reviewer_price p on p.root_id = $1 and p.organization_id = $2
   where o.root_id = $1 and o.id = $2`,
)

export interface ReviewerPrice {
  readonly price_per_month: number
  /** The first day of the subscription; null = the day of the reviewer's first finding. */
  readonly since: string | null
}

export interface ReviewerPrices {
  readonly currency: string | null
  readonly byReviewer: ReadonlyMap<string, ReviewerPrice>
}

/** Prices are in the main database, whatever the metrics store. */
export async function readPrices(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<ReviewerPrices> {
  const rows = await tx.query<ReviewerPrice & { currency: string | null; reviewer: string | null }>(
    selectPrices,
    [scope.root, organization],
  )
  const byReviewer = new Map<string, ReviewerPrice>()
  for (const { reviewer, price_per_month, since } of rows)
    if (reviewer !== null) byReviewer.set(reviewer, { price_per_month, since })
  return { currency: rows[0]?.currency ?? null, byReviewer }
}
