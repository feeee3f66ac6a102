import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import { NIL_UUID, type RootId } from '../../../ids.ts'
import type { PullRequestKey, RowOwner } from '../../../metrics-store/write/pull-request-sql.ts'

/** Pull requests that one transaction removes: as many as one that writes them. */
export const PAGE_ROWS = 200

// Reads the first day of each root.
const findRoots = statement(
  'metrics-retention.find-roots',
  `with recursive oldest as (
     (select root_id, day from metrics_day order by root_id, day limit 1)
     union all
     select following.* from oldest cross join lateral (
       select root_id, day from metrics_day where root_id > oldest.root_id order by root_id, day limit 1) following
   ) select root_id from oldest where day < $1`,
)

const expired = 'pull_request where root_id = $1 and day < $2::date'

const countPullRequests = statement(
  'metrics-retention.count',
  `select count(*)::int as pull_requests from ${expired}`,
)

const pullRequestCondition = 'pull_request_key = page.pull_request_key'

// `offset 0` forces one index lookup for each pull request. The head's lock keeps the ctids valid.
function renderDelete(table: string, condition = pullRequestCondition): string {
  return `delete from ${table} where root_id = $1 and ctid = any (array(
       select found.row_id from page cross join lateral (
         select ctid as row_id from ${table} where root_id = $1 and ${condition} offset 0) found))`
}

// A follower of the feed needs no outcome of a pull request that is removed, but every removal: each is for the readers of
// another organization.
const outcomeChanges = `${pullRequestCondition} and entry::json ->> 'kind' = 'outcome'`

const deletePage = statement(
  'metrics-retention.delete-page',
  `with page as materialized (
     select pull_request_key from ${expired} order by day, position limit ${PAGE_ROWS}
   ),
   findings as (${renderDelete('finding')}
     returning organization_id, instance_id, day, counted, reviewer, severity, category, accepted),
   uncounted as (
     select organization_id, coalesce(instance_id, '${NIL_UUID}') as instance_id, day - (day - date '0001-01-01') % 7 as week,
       coalesce(reviewer, '') as reviewer, coalesce(severity::text, '') as severity, coalesce(category::text, '') as category,
       count(*) as posted, count(*) filter (where accepted) as accepted, count(*) filter (where not accepted) as not_accepted
     from findings where counted group by 1, 2, 3, 4, 5, 6
   ),
   weeks as (
     update finding_week w set posted = w.posted - u.posted, accepted = w.accepted - u.accepted,
       not_accepted = w.not_accepted - u.not_accepted
     from uncounted u
     where w.root_id = $1 and w.week = u.week and w.organization_id = u.organization_id and w.instance_id = u.instance_id
       and w.reviewer = u.reviewer and w.severity = u.severity and w.category = u.category
   ),
   outcomes as (${renderDelete('outcome')}),
   changes as (${renderDelete('review_comment_change', outcomeChanges)}),
   usages as (${renderDelete('mcp_usage')}),
   usage_events as (${renderDelete('mcp_event')}),
   gone as (${renderDelete('pull_request')}
     returning pull_request_key, organization_id, instance_id, provider_organization_id, repository_id, url, day::text as day,
       position, counted)
   select * from gone order by position`,
)

const deleteDays = statement(
  'metrics-retention.delete-days',
  `with weeks as (delete from finding_week where root_id = $1 and week < $2 and posted = 0),
   days as (delete from metrics_day where root_id = $1 and day < $2)
   delete from mcp_day where root_id = $1 and day < $2`,
)

export interface RemovedPullRequest extends PullRequestKey, RowOwner {
  readonly provider_organization_id: string
  readonly repository_id: string
  readonly url: string
  readonly day: string
  /** Whether it was an entry of review-comments, so that its removal is a change. */
  readonly counted: boolean
}

/** The roots that have pull requests of days before `firstDay` in this store. */
export async function findRootsUnscoped(pool: Pool, firstDay: string): Promise<RootId[]> {
  const roots = await runUnscoped<{ root_id: RootId }>(pool, findRoots, [firstDay])
  return roots.map(({ root_id }) => root_id)
}

export async function countExpired(scope: Scope, tx: Tx, firstDay: string): Promise<number> {
  const values = [scope.root, firstDay]
  return (await tx.one<{ pull_requests: number }>(countPullRequests, values)).pull_requests
}

/** Deletes all rows of at most PAGE_ROWS pull requests of days before `firstDay`. The caller holds the head's lock. */
export function deleteExpired(scope: Scope, tx: Tx, firstDay: string): Promise<RemovedPullRequest[]> {
  return tx.query<RemovedPullRequest>(deletePage, [scope.root, firstDay])
}

/** The days themselves, when none of their pull requests is left. */
export async function deleteExpiredDays(scope: Scope, tx: Tx, firstDay: string): Promise<void> {
  await tx.query(deleteDays, [scope.root, firstDay])
}
