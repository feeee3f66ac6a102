import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { OrganizationId } from '../../../ids.ts'
import type { MetricsScan } from '../../../metrics-store/scan-sql.ts'
import { reviewSources } from '../../../metrics-store/source-sql.ts'

// JSON contains no control characters, so one separates findings and details.
const findingsAndDetails = `coalesce((
  select p.findings::text || e'\\x1f' || coalesce(p.details::text, '') from pull_request p
  where p.root_id = review.root_id and p.provider = review.provider and p.host = review.host
    and p.repository_id = review.repository_id and p.number = review.number
    and (p.entry is not null or p.details is not null)), '')`

// A pull request has up to a thousand findings with their sketches.
const SLICE_ROWS = 2_000

/**
 * Rows of (findings and details) of merged pull requests. It starts with the reviews, because pull requests without findings
 * count as reviewed too, and the indexes of pull_request do not have those.
 */
export const reviewersScan: MetricsScan = {
  source: { ...reviewSources.merged, name: 'reviewers' },
  columns: `${findingsAndDetails} as findings`,
  sliceRows: SLICE_ROWS,
}

const selectPrices = statement(
  'reviewers.prices',
  'select reviewer, price_per_month from reviewer_price where root_id = $1 and organization_id = $2',
)

/** By reviewer. Prices are in the main database, whatever the metrics store. */
export async function readPrices(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ reviewer: string; price_per_month: number }>(selectPrices, [
    scope.root,
    organization,
  ])
  return new Map(rows.map(({ reviewer, price_per_month }) => [reviewer, price_per_month]))
}
