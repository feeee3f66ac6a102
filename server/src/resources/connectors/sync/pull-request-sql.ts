import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId } from '../../../ids.ts'
import type { PullRequestHead } from '../git-providers/provider-client.ts'
import type { RepositoryRef } from '../snapshot.ts'
import type { SentFinding } from './events.ts'
import { type Lease, leaseEnd } from './lease.ts'

// A pull request that was read after its last update is current, unless everything is to be read again.
const markHeads = statement(
  'connectors.mark',
  `insert into connector_pull_request as p (root_id, organization_id, connector_id, repository_id, number, dirty_since, marks,
     due_at)
   select c.root_id, c.organization_id, c.id, $3, h.number, $5::timestamptz, 1, $5::timestamptz
   from connector c cross join json_to_recordset($4) h (number bigint, "updatedAt" timestamptz)
   where c.root_id = $1 and c.id = $2 and ($6 or not exists (select from connector_pull_request k
     where k.root_id = $1 and k.connector_id = $2 and k.repository_id = $3 and k.number = h.number
       and k.last_read_at > h."updatedAt"))
   on conflict (root_id, connector_id, repository_id, number) do update
     set dirty_since = coalesce(p.dirty_since, excluded.dirty_since), marks = p.marks + 1,
       due_at = case when p.dirty_since is null then excluded.due_at else p.due_at end`,
)

export async function markPullRequests(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  heads: readonly PullRequestHead[],
  { at, always }: { readonly at: Date; readonly always: boolean },
): Promise<void> {
  if (heads.length === 0) return
  await tx.query(markHeads, [scope.root, id, repository, JSON.stringify(heads), at.toISOString(), always])
}

const markUnsettled = statement(
  'connectors.mark-unsettled',
  `update connector_pull_request set dirty_since = coalesce(dirty_since, $4), marks = marks + 1,
     due_at = case when dirty_since is null then $4 else due_at end
   where root_id = $1 and connector_id = $2 and repository_id = $3 and (state = 'open' or finished_at > $5)`,
)

/** Reactions and resolutions do not change the time of the last update, so these are read again every night. */
export async function markOpenAndRecent(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { at, finishedAfter }: { readonly at: Date; readonly finishedAfter: Date },
): Promise<void> {
  await tx.query(markUnsettled, [scope.root, id, repository, at.toISOString(), finishedAfter.toISOString()])
}

export interface LeasedPullRequest {
  readonly repository: RepositoryRef
  readonly number: number
  readonly marks: string
  /** Earlier attempts in a row that failed. */
  readonly failures: number
  readonly digest: Buffer | null
  /** Findings of earlier reads, while it was open. */
  readonly seen_findings: readonly SentFinding[]
}

const leaseColumns = `json_build_object('id', r.repository_id, 'fullName', r.full_name, 'isPrivate', r.private) as repository,
     p.number::float8 as number, p.marks::text as marks, p.failures - 1 as failures, p.digest, p.seen_findings`

// A failure is counted when the lease is taken, because a read that kills its worker reports none. After so many, the pull request
// rests for a day; a reader that reports in time, with or without success, says when it is due.
const countAttempt = `failures = p.failures + 1, dirty_since = coalesce(p.dirty_since, $4),
     due_at = case when p.failures >= 4 then $4::timestamptz + interval '1 day' else coalesce(p.due_at, $4) end`

const takePullRequestLease = statement(
  'connectors.lease-pull-request',
  `with due as materialized (
     select d.repository_id, d.number from connector_pull_request d
     where d.root_id = $1 and d.connector_id = $2 and d.dirty_since is not null and d.due_at <= $4
       and (d.lease_until is null or d.lease_until <= clock_timestamp())
       and exists (select from connector_repository a
         where a.root_id = $1 and a.connector_id = $2 and a.repository_id = d.repository_id and a.active)
     order by d.failures, d.dirty_since, d.repository_id, d.number limit 1 for update skip locked
   )
   update connector_pull_request p set lease_owner = $3, lease_until = ${leaseEnd}, ${countAttempt}
   from connector_repository r, due
   where p.root_id = $1 and p.connector_id = $2 and p.repository_id = due.repository_id and p.number = due.number
     and r.root_id = $1 and r.connector_id = $2 and r.repository_id = p.repository_id
   returning ${leaseColumns}`,
)

const insertPullRequest = statement(
  'connectors.insert-pull-request',
  `insert into connector_pull_request (root_id, organization_id, connector_id, repository_id, number)
   select c.root_id, c.organization_id, c.id, $3, $4 from connector c where c.root_id = $1 and c.id = $2
   on conflict (root_id, connector_id, repository_id, number) do nothing`,
)

const takeGivenPullRequest = statement(
  'connectors.lease-given-pull-request',
  `update connector_pull_request p set lease_owner = $3, lease_until = ${leaseEnd}, ${countAttempt}
   from connector_repository r
   where p.root_id = $1 and p.connector_id = $2 and p.repository_id = $5 and p.number = $6
     and (p.lease_until is null or p.lease_until <= clock_timestamp()) and (p.failures < 5 or p.due_at <= $4)
     and r.root_id = $1 and r.connector_id = $2 and r.repository_id = p.repository_id
   returning ${leaseColumns}`,
)

/** The one that waits longest. Those of a repository that cannot be read wait until it can. */
export function takePullRequest(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { owner, at }: Lease,
): Promise<LeasedPullRequest | null> {
  const values = [scope.root, id, owner, at.toISOString()]
  return tx.first<LeasedPullRequest>(takePullRequestLease, values)
}

/** Null if somebody else reads it now, or if it rests. */
export async function takeNamedPullRequest(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { repository, number }: { readonly repository: string; readonly number: number },
  { owner, at }: Lease,
): Promise<LeasedPullRequest | null> {
  await tx.query(insertPullRequest, [scope.root, id, repository, number])
  const values = [scope.root, id, owner, at.toISOString(), repository, number]
  return await tx.first<LeasedPullRequest>(takeGivenPullRequest, values)
}

const reserveTime = statement(
  'connectors.reserve-time',
  `update connector_pull_request set last_occurred_at =
     greatest($6::timestamptz, last_occurred_at + interval '1 millisecond')
   where root_id = $1 and connector_id = $2 and repository_id = $3 and number = $4 and lease_owner = $5
   returning to_json(last_occurred_at) #>> '{}' as at`,
)

type PullRequestName = Pick<LeasedPullRequest, 'repository' | 'number'>

/** Returns a time after every earlier one, also of a worker that was killed before it sent; null = the lease is lost. */
export async function reserveOccurredAt(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { repository, number }: PullRequestName,
  owner: string,
  readAt: string,
): Promise<string | null> {
  const row = await tx.first<{ at: string }>(reserveTime, [
    scope.root,
    id,
    repository.id,
    number,
    owner,
    readAt,
  ])
  return row === null ? null : new Date(row.at).toISOString()
}

export interface ReadState {
  readonly state: 'open' | 'merged' | 'closed'
  readonly finished_at: string | null
  /** Null = nothing was sent. */
  readonly digest: Buffer | null
  readonly read_at: string
  readonly unparsed_comments: number
  readonly omitted_comments: number
  /** Null = what is stored stays. */
  readonly seen_findings: readonly SentFinding[] | null
  readonly at: Date
}

// A mark that was set during the read stays: the read may not have seen that change.
const finishPullRequestLease = statement(
  'connectors.finish-pull-request',
  `with earlier as (
     select unparsed_comments, omitted_comments from connector_pull_request
     where root_id = $1 and connector_id = $2 and repository_id = $3 and number = $4 and lease_owner = $5 for update
   ), finished as (
     update connector_pull_request p set lease_owner = null, lease_until = null, failures = 0,
       dirty_since = case when p.marks = $6 then null else p.dirty_since end,
       due_at = case when p.marks = $6 then null else read.at end,
       state = read.state, finished_at = read.finished_at, digest = coalesce(decode(read.digest, 'hex'), p.digest),
       last_read_at = read.read_at, unparsed_comments = read.unparsed_comments,
       omitted_comments = read.omitted_comments, seen_findings = coalesce(read.seen_findings, p.seen_findings)
     from earlier, json_to_record($7) as read (state text, finished_at timestamptz, digest text, read_at timestamptz,
       unparsed_comments integer, omitted_comments integer, seen_findings jsonb, at timestamptz)
     where p.root_id = $1 and p.connector_id = $2 and p.repository_id = $3 and p.number = $4 and p.lease_owner = $5
     returning p.unparsed_comments - earlier.unparsed_comments as unparsed,
       p.omitted_comments - earlier.omitted_comments as omitted
   )
   update connector_repository r set unparsed_comments = r.unparsed_comments + finished.unparsed,
     omitted_comments = r.omitted_comments + finished.omitted
   from finished where r.root_id = $1 and r.connector_id = $2 and r.repository_id = $3
     and (finished.unparsed <> 0 or finished.omitted <> 0)`,
)

export async function finishPullRequest(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { repository, number, marks }: LeasedPullRequest,
  owner: string,
  read: ReadState,
): Promise<void> {
  const state = JSON.stringify({ ...read, digest: read.digest?.toString('hex') })
  await tx.query(finishPullRequestLease, [scope.root, id, repository.id, number, owner, marks, state])
}

const deletePullRequest = statement(
  'connectors.delete-pull-request',
  `delete from connector_pull_request
   where root_id = $1 and connector_id = $2 and repository_id = $3 and number = $4 and lease_owner = $5`,
)

export async function forgetPullRequest(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { repository, number }: PullRequestName,
  owner: string,
): Promise<void> {
  await tx.query(deletePullRequest, [scope.root, id, repository.id, number, owner])
}

const postponePullRequestLease = statement(
  'connectors.postpone-pull-request',
  `update connector_pull_request set lease_owner = null, lease_until = null,
     failures = case when $6 then failures else failures - 1 end, due_at = $7
   where root_id = $1 and connector_id = $2 and repository_id = $3 and number = $4 and lease_owner = $5`,
)

export async function postponePullRequest(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { repository, number }: PullRequestName,
  owner: string,
  { dueAt, failed }: { readonly dueAt: Date; readonly failed: boolean },
): Promise<void> {
  const own = [scope.root, id, repository.id, number, owner]
  await tx.query(postponePullRequestLease, [...own, failed, dueAt.toISOString()])
}
