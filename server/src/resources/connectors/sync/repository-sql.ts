import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId } from '../../../ids.ts'
import type { BudgetKey } from '../git-providers/budget-sql.ts'
import type { RepositoryRef } from '../snapshot.ts'
import { type Lease, leaseEnd } from './lease.ts'

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
   from connector c cross join json_to_recordset($3) l (id text, full_name text, private boolean)
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

export interface LeasedRepository extends RepositoryRef {
  readonly readers: readonly string[]
  readonly readers_due_at: string
  readonly polled_to: string
  readonly backfill_since: string
  readonly backfill_cursor: string | null
}

const taskDueAt = `case $5 when 'readers' then r.readers_due_at when 'poll' then r.poll_due_at when 'sweep' then r.sweep_due_at
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
   update connector_repository r set lease_owner = $3, lease_until = ${leaseEnd},
     backfill_started_at = case when $5 = 'backfill' then coalesce(r.backfill_started_at, $4::timestamptz)
       else r.backfill_started_at end
   from due where r.root_id = $1 and r.connector_id = $2 and r.repository_id = due.repository_id
   returning r.repository_id as id, r.full_name as "fullName", r.private as "isPrivate", r.readers,
     r.readers_due_at::text as readers_due_at, to_json(r.polled_to) #>> '{}' as polled_to,
     to_json(r.backfill_since) #>> '{}' as backfill_since, r.backfill_cursor`,
)

export function takeRepository(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  task: RepositoryTask,
  { owner, at }: Lease,
): Promise<LeasedRepository | null> {
  const values = [scope.root, id, owner, at.toISOString(), task]
  return tx.first<LeasedRepository>(takeRepositoryLease, values)
}

/** What changes when a task of a repository is finished; what is absent stays. */
export interface RepositoryProgress {
  readonly readers?: readonly string[]
  readonly readers_due_at?: Date
  readonly polled_to?: string
  readonly poll_due_at?: Date
  readonly sweep_due_at?: Date
  /** After a page of the backfill; null = it was the last one. */
  readonly backfill_cursor?: string | null
  /** Present whenever the cursor is. */
  readonly backfill_done?: number
  readonly backfill_total?: number | null
  readonly backfill_finished_at?: Date
}

const renewRepositoryLease = statement(
  'connectors.renew-repository',
  `update connector_repository set lease_until = ${leaseEnd}
   where root_id = $1 and connector_id = $2 and repository_id = $3 and lease_owner = $4 returning 1 as renewed`,
)

/** False = another worker has taken it. */
export async function renewRepository(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  repository: string,
  { owner }: Lease,
): Promise<boolean> {
  return (await tx.query(renewRepositoryLease, [scope.root, id, repository, owner])).length > 0
}

// Readers that were marked during the task are read again.
const finishRepositoryLease = statement(
  'connectors.finish-repository',
  `update connector_repository r set lease_owner = null, lease_until = null,
     readers = coalesce(p.readers, r.readers),
     readers_due_at = case when r.readers_due_at = $6::timestamptz then coalesce(p.readers_due_at, r.readers_due_at)
       else r.readers_due_at end,
     polled_to = greatest(r.polled_to, p.polled_to), poll_due_at = coalesce(p.poll_due_at, r.poll_due_at),
     sweep_due_at = coalesce(p.sweep_due_at, r.sweep_due_at),
     backfill_cursor = case when p.backfill_done is null then r.backfill_cursor else p.backfill_cursor end,
     backfill_done = r.backfill_done + coalesce(p.backfill_done, 0),
     backfill_total = coalesce(p.backfill_total, r.backfill_total),
     backfill_finished_at = coalesce(p.backfill_finished_at, r.backfill_finished_at)
   from json_to_record($5) as p (readers text[], readers_due_at timestamptz, polled_to timestamptz,
     poll_due_at timestamptz, sweep_due_at timestamptz, backfill_cursor text, backfill_done integer,
     backfill_total integer, backfill_finished_at timestamptz)
   where r.root_id = $1 and r.connector_id = $2 and r.repository_id = $3 and r.lease_owner = $4`,
)

export async function finishRepository(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { id: repository, readers_due_at }: LeasedRepository,
  owner: string,
  progress: RepositoryProgress,
): Promise<void> {
  const values = [scope.root, id, repository, owner, JSON.stringify(progress), readers_due_at]
  await tx.query(finishRepositoryLease, values)
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
  const row = await tx.first<PollLoad>(selectPollLoad, [scope.root, id, resource])
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
