import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { OrganizationId } from '../../../ids.ts'
import type { MetricsScan } from '../../../metrics-store/scan-sql.ts'
import { reviewSources } from '../../../metrics-store/source-sql.ts'

// Arrays, because a pull request can have a thousand findings. No column of a scan may be null.
const findings = `coalesce((
  select json_agg(json_build_array(f.reviewer, f.accepted, f.file, f.start_line, f.end_line, f.sketch,
    ${renderUtc('f.posted_at')}, case when f.accepted then f.evidence end) order by f.ordinal)
  from finding f where f.root_id = pull_request.root_id and f.pull_request_key = pull_request.pull_request_key), '[]')`

/** Rows of (day, reviewers, findings) of merged pull requests, also of those without findings: they count as reviewed too. */
export const reviewersScan: MetricsScan = {
  source: { ...reviewSources.merged, name: 'reviewers' },
  columns: `day::text as day, json_build_array(reviewers, ${findings})::text as findings`,
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
