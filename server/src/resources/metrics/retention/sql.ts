import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { RootId } from '../../../ids.ts'
import { toDayNumber, toWeekNumber } from '../../../metrics-store/week.ts'
import type { PullRequestKey, RowOwner } from '../../../metrics-store/write/pull-request-sql.ts'

/** Pull requests that one transaction removes: as many as one that writes them. */
export const PAGE_ROWS = 200

// Every pull request has a row in `review`, and every day of them one in `review_day`. Reads the first day of each root.
const findRoots = statement(
  'metrics-retention.find-roots',
  `with recursive oldest as (
     (select root_id, week, day from review_day order by root_id, week, day limit 1)
     union all
     select following.* from oldest cross join lateral (
       select root_id, week, day from review_day where root_id > oldest.root_id
       order by root_id, week, day limit 1) following
   ) select root_id from oldest where day < $1`,
)

const expiredReviews = 'review where root_id = $1 and week <= $2::int and day < $3::date'

const countPullRequests = statement(
  'metrics-retention.count',
  `select count(*)::int as pull_requests from ${expiredReviews}`,
)

const pullRequestCondition = `provider = page.provider and host = page.host and repository_id = page.repository_id
  and number = page.number`

// `offset 0` forces one index lookup for each pull request. The head's lock keeps the ctids valid.
function renderDelete(table: string, condition = pullRequestCondition): string {
  return `delete from ${table} where root_id = $1 and ctid = any (array(
       select found.row_id from page cross join lateral (
         select ctid as row_id from ${table} where root_id = $1 and ${condition} offset 0) found))`
}

// A follower of the feed needs no outcome of a pull request that is removed, but every removal: each is for the readers of
// another organization.
const outcomeChanges = `pull_request_key
  = pull_request_key($1, page.provider, page.host, page.repository_id, page.number) and entry::json ->> 'kind' = 'outcome'`

const deletePage = statement(
  'metrics-retention.delete-page',
  `with page as materialized (
     select provider, host, repository_id, number from ${expiredReviews} order by week, position limit ${PAGE_ROWS}
   ),
   reviews as (${renderDelete('review')}),
   outcomes as (${renderDelete('outcome')}),
   changes as (${renderDelete('review_comment_change', outcomeChanges)}),
   usages as (${renderDelete('mcp_usage')}),
   usage_events as (${renderDelete('mcp_event')}),
   gone as (${renderDelete('pull_request')}
     returning provider, host, repository_id, number, organization_id, instance_id, provider_organization_id, url,
       day::text as day, position, entry is not null as listed)
   select * from gone order by position`,
)

const deleteDays = statement(
  'metrics-retention.delete-days',
  `with reviews as (delete from review_day where root_id = $1 and week <= $2 and day < $3),
   entries as (delete from metrics_day where root_id = $1 and week <= $2 and day < $3)
   delete from mcp_day where root_id = $1 and week <= $2 and day < $3`,
)

export interface RemovedPullRequest extends PullRequestKey, RowOwner {
  readonly provider_organization_id: string
  readonly url: string
  readonly day: string
  /** Whether it was an entry of review-comments, so that its removal is a change. */
  readonly listed: boolean
}

/** The roots that have pull requests of days before `firstDay` in this store. */
export async function findRootsUnscoped(pool: Pool, firstDay: string): Promise<RootId[]> {
  const roots = await runUnscoped<{ root_id: RootId }>(pool, findRoots, [toDayNumber(firstDay)])
  return roots.map(({ root_id }) => root_id)
}

export async function countExpired(scope: Scope, tx: Tx, firstDay: string): Promise<number> {
  const values = [scope.root, toWeekNumber(firstDay), firstDay]
  return (await tx.one<{ pull_requests: number }>(countPullRequests, values)).pull_requests
}

/** Deletes all rows of at most PAGE_ROWS pull requests of days before `firstDay`. The caller holds the head's lock. */
export function deleteExpired(scope: Scope, tx: Tx, firstDay: string): Promise<RemovedPullRequest[]> {
  return tx.query<RemovedPullRequest>(deletePage, [scope.root, toWeekNumber(firstDay), firstDay])
}

/** The days themselves, when none of their pull requests is left. */
export async function deleteExpiredDays(scope: Scope, tx: Tx, firstDay: string): Promise<void> {
  await tx.query(deleteDays, [scope.root, toWeekNumber(firstDay), toDayNumber(firstDay)])
}
