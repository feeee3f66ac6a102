import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { ConnectorId, RootId } from '../../../ids.ts'
import type { BudgetKey } from '../git-providers/budget-sql.ts'
import type { SyncedConnector } from './context.ts'
import type { SentFinding } from './events.ts'

// Leases, positions and marks of connectors. What to lease is selected in a materialized part, which runs once: a subquery of the
// update would run for each row that it is joined with. What is due is due by the clock of the caller, so that a test can move it. A
// lease runs out by the clock of the database, which all workers share, and is then taken by the next worker; what its former owner
// still writes is refused by `lease_owner`.

export interface DueConnector {
  readonly root_id: RootId
  readonly id: ConnectorId
  readonly backfill_due: boolean
}

const dueColumns = 'root_id, id, backfill_retry_at is null or backfill_retry_at <= $1 as backfill_due'

// Unscoped: workers serve the connectors of all roots.
const selectDueConnectors = statement(
  'connectors.due',
  `select ${dueColumns} from connector where retry_at is null or retry_at <= $1 order by root_id, id`,
)

export function readDueConnectorsUnscoped(pool: Pool, at: Date): Promise<DueConnector[]> {
  return runUnscoped(pool, selectDueConnectors, [at.toISOString()])
}

const selectDueOfRoot = statement(
  'connectors.due-of-root',
  `select ${dueColumns} from connector where root_id = $2 and (retry_at is null or retry_at <= $1) order by id`,
)

export function readDueConnectors(scope: Scope, tx: Tx, at: Date): Promise<DueConnector[]> {
  return tx.query<DueConnector & object>(selectDueOfRoot, [at.toISOString(), scope.root])
}

const selectConnector = statement(
  'connectors.synced',
  `select c.id, c.root_id as root, c.organization_id as organization, c.provider, c.host, c.mode, c.account, c.credential,
     c.key_id as "keyId", o.provider_organization_id as "organizationId", o.connector_members as members,
     c.write_back as "writeBack", c.bots, to_json(c.created_at) #>> '{}' as "createdAt",
     c.inventory_digest as "inventoryDigest", c.inventory_sent_at::text as "inventorySentAt"
   from connector c join organization o on o.root_id = c.root_id and o.id = c.organization_id and o.active
   where c.root_id = $1 and c.id = $2`,
)

/** Null if it was deleted, or its organization is inactive. */
export async function readSyncedConnector(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
): Promise<SyncedConnector | null> {
  type Row = Omit<SyncedConnector, 'inventorySentAt'> & { readonly inventorySentAt: string | null }
  const [row] = await tx.query<Row & object>(selectConnector, [scope.root, id])
  if (row === undefined) return null
  const { inventorySentAt } = row
  return { ...row, inventorySentAt: inventorySentAt === null ? null : new Date(inventorySentAt) }
}

export interface Lease {
  readonly owner: string
  readonly at: Date
  readonly seconds: number
}

const leaseValues = ({ owner, at, seconds }: Lease) => [owner, at.toISOString(), seconds]

const leaseEnd = (seconds: '$4' | '$5') => `clock_timestamp() + make_interval(secs => ${seconds}::float8)`

const takeInventoryLease = statement(
  'connectors.lease-inventory',
  `update connector set lease_owner = $3, lease_until = ${leaseEnd('$5')}
   where root_id = $1 and id = $2 and inventory_due_at <= $4
     and (lease_until is null or lease_until <= clock_timestamp())
   returning inventory_due_at::text as "dueAt"`,
)

/** Returns since when it is due, or null if it is not. */
export async function takeInventory(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  lease: Lease,
): Promise<string | null> {
  const values = [scope.root, id, ...leaseValues(lease)]
  const [row] = await tx.query<{ dueAt: string }>(takeInventoryLease, values)
  return row?.dueAt ?? null
}

const renewInventoryLease = statement(
  'connectors.renew-inventory',
  `update connector set lease_until = ${leaseEnd('$4')}
   where root_id = $1 and id = $2 and lease_owner = $3 returning 1 as renewed`,
)

/** False = another worker has taken it. */
export async function renewInventory(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { owner, seconds }: Lease,
): Promise<boolean> {
  return (await tx.query(renewInventoryLease, [scope.root, id, owner, seconds])).length > 0
}

export interface InventoryState {
  readonly members: readonly string[]
  readonly digest: Buffer
  readonly sentAt: Date | null
  /** What takeInventory returned. */
  readonly takenDueAt: string
  readonly dueAt: Date
}

// A time that changed during the read stays: the read may not have seen what a hook reported.
const finishInventoryLease = statement(
  'connectors.finish-inventory',
  `with finished as (
     update connector set lease_owner = null, lease_until = null, inventory_digest = $5,
       inventory_sent_at = coalesce($6, inventory_sent_at), status = 'active',
       inventory_due_at = case when inventory_due_at = $7::timestamptz then $8::timestamptz else inventory_due_at end
     where root_id = $1 and id = $2 and lease_owner = $3 returning organization_id
   )
   update organization o set connector_members = $4 from finished
   where o.root_id = $1 and o.id = finished.organization_id and o.connector_members <> $4`,
)

export async function finishInventory(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  owner: string,
  { members, digest, sentAt, takenDueAt, dueAt }: InventoryState,
): Promise<void> {
  const values = [members, digest, sentAt?.toISOString() ?? null, takenDueAt, dueAt.toISOString()]
  await tx.query(finishInventoryLease, [scope.root, id, owner, ...values])
}

export interface ListedRepository {
  readonly id: string
  readonly full_name: string
  readonly private: boolean
}

// Polling starts a little before the connection, because the clocks differ. With hooks there is no polling.
const upsertRepositories = statement(
  'connectors.upsert-repositories',
  `insert into connector_repository as r (root_id, organization_id, connector_id, repository_id, full_name, private,
     readers_due_at, polled_to, poll_due_at, sweep_due_at, backfill_since)
   select c.root_id, c.organization_id, c.id, l.id, l.full_name, l.private, $4::timestamptz,
     $4::timestamptz - interval '10 minutes',
     case c.mode when 'polling' then $4::timestamptz else 'infinity' end, 'infinity', $5::timestamptz
   from connector c cross join jsonb_to_recordset($3) l (id text, full_name text, private boolean)
   where c.root_id = $1 and c.id = $2
   on conflict (root_id, connector_id, repository_id) do update
     set full_name = excluded.full_name, private = excluded.private, active = true
     where (r.full_name, r.private, r.active) is distinct from (excluded.full_name, excluded.private, true)`,
)

const deactivateRepositories = statement(
  'connectors.deactivate-repositories',
  `update connector_repository set active = false, readers = '{}'
   where root_id = $1 and connector_id = $2 and active and repository_id <> all ($3::text[])`,
)

const selectInactiveRepositories = statement(
  'connectors.inactive-repositories',
  `select repository_id as id, full_name, private from connector_repository
   where root_id = $1 and connector_id = $2 and not active order by repository_id`,
)

/** Returns the repositories that the credential can no longer read. */
export async function writeRepositories(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  listed: readonly ListedRepository[],
  times: { readonly at: Date; readonly since: Date },
): Promise<ListedRepository[]> {
  const { at, since } = times
  await tx.query(upsertRepositories, [
    scope.root,
    id,
    JSON.stringify(listed),
    at.toISOString(),
    since.toISOString(),
  ])
  await tx.query(deactivateRepositories, [scope.root, id, listed.map((one) => one.id)])
  return tx.query(selectInactiveRepositories, [scope.root, id])
}

export type RepositoryTask = 'readers' | 'poll' | 'sweep' | 'alerts' | 'backfill'

export interface LeasedRepository {
  readonly id: string
  readonly fullName: string
  readonly isPrivate: boolean
  readonly readers: readonly string[]
  readonly readersDueAt: string
  readonly polledTo: string
  readonly backfillSince: string
  readonly backfillCursor: string | null
  readonly backfillStartedAt: string | null
}

const taskDueAt = `case $6 when 'readers' then r.readers_due_at when 'poll' then r.poll_due_at when 'sweep' then r.sweep_due_at
       when 'alerts' then coalesce((select s.due_at from connector_code_scanning s where s.root_id = $1
         and s.connector_id = $2 and s.repository_id = r.repository_id), '-infinity')
       else case when r.backfill_finished_at is null then r.backfill_since end end`

// A lease without an owner is a rest, which ends by the clock of the caller.
const takeRepositoryLease = statement(
  'connectors.lease-repository',
  `with due as materialized (
     select r.repository_id, ${taskDueAt} as due from connector_repository r
     where r.root_id = $1 and r.connector_id = $2 and r.active
       and (r.lease_until is null or r.lease_until <= case when r.lease_owner is null then $4 else clock_timestamp() end)
       and ${taskDueAt} <= $4
     order by 2, 1 limit 1 for update skip locked
   )
   update connector_repository r set lease_owner = $3, lease_until = ${leaseEnd('$5')},
     backfill_started_at = case when $6 = 'backfill' then coalesce(r.backfill_started_at, $4::timestamptz)
       else r.backfill_started_at end
   from due where r.root_id = $1 and r.connector_id = $2 and r.repository_id = due.repository_id
   returning r.repository_id as id, r.full_name as "fullName", r.private as "isPrivate", r.readers,
     r.readers_due_at::text as "readersDueAt",
     to_json(r.polled_to) #>> '{}' as "polledTo", to_json(r.backfill_since) #>> '{}' as "backfillSince",
     r.backfill_cursor as "backfillCursor", to_json(r.backfill_started_at) #>> '{}' as "backfillStartedAt"`,
)

export async function takeRepository(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  task: RepositoryTask,
  lease: Lease,
): Promise<LeasedRepository | null> {
  const values = [scope.root, id, ...leaseValues(lease), task]
  const [taken] = await tx.query<LeasedRepository & object>(takeRepositoryLease, values)
  return taken ?? null
}

/** What changes when a task of a repository is finished; what is absent stays. */
export interface RepositoryProgress {
  readonly readers?: readonly string[]
  readonly readersDueAt?: Date
  readonly polledTo?: string
  readonly pollDueAt?: Date
  readonly sweepDueAt?: Date
  readonly backfillCursor?: string | null
  readonly backfillDone?: number
  readonly backfillTotal?: number | null
  readonly backfillFinishedAt?: Date
}

const renewRepositoryLease = statement(
  'connectors.renew-repository',
  `update connector_repository set lease_until = ${leaseEnd('$5')}
   where root_id = $1 and connector_id = $2 and repository_id = $3 and lease_owner = $4 returning 1 as renewed`,
)

/** False = another worker has taken it. */
export async function renewRepository(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { owner, seconds }: Lease,
): Promise<boolean> {
  const values = [scope.root, id, repository, owner, seconds]
  return (await tx.query(renewRepositoryLease, values)).length > 0
}

// Readers that were marked during the task are read again.
const finishRepositoryLease = statement(
  'connectors.finish-repository',
  `update connector_repository set lease_owner = null, lease_until = null,
     readers = coalesce($5, readers),
     readers_due_at = case when readers_due_at = $15::timestamptz then coalesce($6, readers_due_at) else readers_due_at end,
     polled_to = greatest(polled_to, $7), poll_due_at = coalesce($8, poll_due_at),
     sweep_due_at = coalesce($9, sweep_due_at),
     backfill_cursor = case when $10 then $11 else backfill_cursor end,
     backfill_done = backfill_done + $12, backfill_total = coalesce($13, backfill_total),
     backfill_finished_at = coalesce($14, backfill_finished_at)
   where root_id = $1 and connector_id = $2 and repository_id = $3 and lease_owner = $4`,
)

export async function finishRepository(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: LeasedRepository,
  owner: string,
  progress: RepositoryProgress,
): Promise<void> {
  const { readers, readersDueAt, polledTo, pollDueAt, sweepDueAt, backfillCursor } = progress
  const { backfillDone = 0, backfillTotal, backfillFinishedAt } = progress
  await tx.query(finishRepositoryLease, [
    scope.root,
    id,
    repository.id,
    owner,
    readers ?? null,
    readersDueAt?.toISOString() ?? null,
    polledTo ?? null,
    pollDueAt?.toISOString() ?? null,
    sweepDueAt?.toISOString() ?? null,
    backfillCursor !== undefined,
    backfillCursor ?? null,
    backfillDone,
    backfillTotal ?? null,
    backfillFinishedAt?.toISOString() ?? null,
    repository.readersDueAt,
  ])
}

export interface PollLoad {
  readonly repositories: number
  /** Calls or points in a window of the provider; null = it has no limit, or none is known yet. */
  readonly limit: number | null
}

const selectPollLoad = statement(
  'connectors.poll-load',
  `select count(*)::int as repositories, (select limit_points from connector_budget
     where root_id = $1 and connector_id = $2 and resource = $3) as limit
   from connector_repository where root_id = $1 and connector_id = $2 and active`,
)

export async function readPollLoad(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  resource: BudgetKey['resource'],
): Promise<PollLoad> {
  const [row] = await tx.query<PollLoad & object>(selectPollLoad, [scope.root, id, resource])
  return row ?? { repositories: 0, limit: null }
}

const restRepositoryUntil = statement(
  'connectors.rest-repository',
  `update connector_repository set lease_owner = null, lease_until = $5
   where root_id = $1 and connector_id = $2 and repository_id = $3 and lease_owner = $4`,
)

/** Nobody takes the repository until then. */
export async function restRepository(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { owner, until }: { readonly owner: string; readonly until: Date },
): Promise<void> {
  await tx.query(restRepositoryUntil, [scope.root, id, repository, owner, until.toISOString()])
}

export interface MarkedHead {
  readonly number: number
  readonly updatedAt: string
}

// A pull request that was read after its last update is current, unless everything is to be read again.
const markHeads = statement(
  'connectors.mark',
  `insert into connector_pull_request as p (root_id, organization_id, connector_id, repository_id, number, dirty_since, marks,
     due_at)
   select c.root_id, c.organization_id, c.id, $3, h.number, $5::timestamptz, 1, $5::timestamptz
   from connector c cross join jsonb_to_recordset($4) h (number bigint, "updatedAt" timestamptz)
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
  heads: readonly MarkedHead[],
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
  readonly repository: { readonly id: string; readonly fullName: string; readonly isPrivate: boolean }
  readonly number: number
  readonly marks: string
  /** Earlier attempts in a row that failed. */
  readonly failures: number
  readonly digest: Buffer | null
  /** Findings of earlier reads, while it was open. */
  readonly seenFindings: readonly SentFinding[]
}

const leaseColumns = `p.repository_id, p.number::float8 as number, p.marks::text as marks, p.failures - 1 as failures, p.digest,
     p.seen_findings, r.full_name, r.private`

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
   update connector_pull_request p set lease_owner = $3, lease_until = ${leaseEnd('$5')}, ${countAttempt}
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
  `update connector_pull_request p set lease_owner = $3, lease_until = ${leaseEnd('$5')}, ${countAttempt} from connector_repository r
   where p.root_id = $1 and p.connector_id = $2 and p.repository_id = $6 and p.number = $7
     and (p.lease_until is null or p.lease_until <= clock_timestamp()) and (p.failures < 5 or p.due_at <= $4)
     and r.root_id = $1 and r.connector_id = $2 and r.repository_id = p.repository_id
   returning ${leaseColumns}`,
)

interface LeaseRow {
  readonly repository_id: string
  readonly number: number
  readonly marks: string
  readonly failures: number
  readonly digest: Buffer | null
  readonly seen_findings: readonly SentFinding[]
  readonly full_name: string
  readonly private: boolean
}

/** The one that waits longest. Those of a repository that cannot be read wait until it can. */
export async function takePullRequest(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  lease: Lease,
): Promise<LeasedPullRequest | null> {
  const [row] = await tx.query<LeaseRow & object>(takePullRequestLease, [
    scope.root,
    id,
    ...leaseValues(lease),
  ])
  return row === undefined ? null : toLeased(row)
}

/** Null if somebody else reads it now, or if it rests. */
export async function takeNamedPullRequest(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  name: { readonly repository: string; readonly number: number },
  lease: Lease,
): Promise<LeasedPullRequest | null> {
  const { repository, number } = name
  await tx.query(insertPullRequest, [scope.root, id, repository, number])
  const values = [scope.root, id, ...leaseValues(lease), repository, number]
  const [row] = await tx.query<LeaseRow & object>(takeGivenPullRequest, values)
  return row === undefined ? null : toLeased(row)
}

function toLeased({
  repository_id,
  number,
  marks,
  failures,
  digest,
  seen_findings,
  full_name,
  private: isPrivate,
}: LeaseRow) {
  return {
    repository: { id: repository_id, fullName: full_name, isPrivate },
    number,
    marks,
    failures,
    digest,
    seenFindings: seen_findings,
  }
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
  const [row] = await tx.query<{ at: string }>(reserveTime, [
    scope.root,
    id,
    repository.id,
    number,
    owner,
    readAt,
  ])
  return row === undefined ? null : new Date(row.at).toISOString()
}

export interface ReadState {
  readonly state: 'open' | 'merged' | 'closed'
  readonly finishedAt: string | null
  /** Null = nothing was sent. */
  readonly digest: Buffer | null
  readonly readAt: string
  readonly unparsedComments: number
  readonly omittedComments: number
  /** Null = what is stored stays. */
  readonly seenFindings: readonly SentFinding[] | null
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
       dirty_since = case when marks = $6 then null else dirty_since end,
       due_at = case when marks = $6 then null else $13::timestamptz end,
       state = $7, finished_at = $8, digest = coalesce($9, digest), last_read_at = $10, unparsed_comments = $11,
       omitted_comments = $12, seen_findings = coalesce($14::jsonb, p.seen_findings)
     from earlier
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
  const { state, finishedAt, digest, readAt, unparsedComments, omittedComments, at } = read
  const own = [scope.root, id, repository.id, number, owner, marks]
  const counts = [unparsedComments, omittedComments]
  const seen = read.seenFindings && JSON.stringify(read.seenFindings)
  const values = [...own, state, finishedAt, digest, readAt, ...counts, at.toISOString(), seen]
  await tx.query(finishPullRequestLease, values)
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

const releaseLeases = statement(
  'connectors.release-inventory',
  `update connector set lease_owner = null, lease_until = null where root_id = $1 and id = $2 and lease_owner = $3`,
)

const releaseRepositoryLeases = statement(
  'connectors.release-repositories',
  `update connector_repository set lease_owner = null, lease_until = null
   where root_id = $1 and connector_id = $2 and lease_owner = $3`,
)

/** After a failure of this worker's task. */
export async function releaseTasks(scope: Scope, tx: Tx, id: ConnectorId, owner: string): Promise<void> {
  const values = [scope.root, id, owner]
  await Promise.all([tx.query(releaseLeases, values), tx.query(releaseRepositoryLeases, values)])
}

export interface Trouble {
  readonly status: 'active' | 'failing' | null
  readonly error: string
  readonly retryAt: Date
  /** Only the backfill waits. */
  readonly ofBackfill: boolean
}

const writeTrouble = statement(
  'connectors.write-trouble',
  `update connector set status = coalesce($3, status), error = $4, failures = failures + 1,
     retry_at = case when $6 then retry_at else $5::timestamptz end,
     backfill_retry_at = case when $6 then $5::timestamptz else backfill_retry_at end
   where root_id = $1 and id = $2`,
)

export async function recordTrouble(scope: Scope, tx: Tx, id: ConnectorId, trouble: Trouble): Promise<void> {
  const { status, error, retryAt, ofBackfill } = trouble
  await tx.query(writeTrouble, [scope.root, id, status, error, retryAt.toISOString(), ofBackfill])
}

const writeNote = statement(
  'connectors.write-note',
  `update connector set error = $3 where root_id = $1 and id = $2 and error is null`,
)

/** For the admin, while the connector goes on. */
export async function recordNote(scope: Scope, tx: Tx, id: ConnectorId, note: string): Promise<void> {
  await tx.query(writeNote, [scope.root, id, note])
}

const selectFailures = statement(
  'connectors.failures',
  'select failures from connector where root_id = $1 and id = $2',
)

export async function countFailures(scope: Scope, tx: Tx, id: ConnectorId): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(selectFailures, [scope.root, id])
  return row?.failures ?? 0
}

const clearTrouble = statement(
  'connectors.clear-trouble',
  `update connector set error = null, failures = 0, retry_at = null,
     backfill_retry_at = case when $3 then null else backfill_retry_at end,
     status = case status when 'failing' then 'active' else status end
   where root_id = $1 and id = $2
     and (failures > 0 or error is not null or retry_at is not null or status = 'failing')`,
)

/** Called after a task succeeded; of the backfill, with `ofBackfill`. */
export async function recordSuccess(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  ofBackfill: boolean,
): Promise<void> {
  await tx.query(clearTrouble, [scope.root, id, ofBackfill])
}

const writeLastEvent = statement(
  'connectors.last-event',
  `update connector set last_event_at = greatest(last_event_at, $3) where root_id = $1 and id = $2`,
)

export async function recordEvent(scope: Scope, tx: Tx, id: ConnectorId, at: Date): Promise<void> {
  await tx.query(writeLastEvent, [scope.root, id, at.toISOString()])
}

const writeGitError = statement(
  'connectors.git-error',
  `update connector set git_error = $3 where root_id = $1 and id = $2 and git_error is distinct from $3`,
)

/** Null = git could read. */
export async function recordGitError(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  error: string | null,
): Promise<void> {
  await tx.query(writeGitError, [scope.root, id, error])
}

const deleteOldDeliveries = statement(
  'connectors.sweep-deliveries',
  'delete from connector_delivery where root_id = $1 and connector_id = $2 and received_at < $3',
)

/** Providers send a delivery again for at most 7 days. */
export async function sweepDeliveries(scope: Scope, tx: Tx, id: ConnectorId, before: Date): Promise<void> {
  await tx.query(deleteOldDeliveries, [scope.root, id, before.toISOString()])
}
