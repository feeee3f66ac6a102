import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import type { ConnectorId, RootId } from '../../../ids.ts'
import type { SyncedConnector } from './context.ts'
import { type Lease, leaseEnd } from './lease.ts'

export interface DueConnector {
  readonly root_id: RootId
  readonly id: ConnectorId
  readonly backfill_due: boolean
}

const dueColumns = 'root_id, id, backfill_retry_at is null or backfill_retry_at <= $1 as backfill_due'

// After a restore, connectors rest until the operator confirms it.
const isDue = `(retry_at is null or retry_at <= $1) and not exists (select from restore_point where confirmed_at is null)`

// Unscoped: workers serve the connectors of all roots.
const selectDueConnectors = statement(
  'connectors.due',
  `select ${dueColumns} from connector where ${isDue} order by root_id, id`,
)

export function readDueConnectorsUnscoped(pool: Pool, at: Date): Promise<DueConnector[]> {
  return runUnscoped(pool, selectDueConnectors, [at.toISOString()])
}

const selectStatuses = statement(
  'connectors.statuses',
  `select status, (select count(*)::int from connector c where c.status = s.status) as value
   from unnest('{pending,active,failing}'::text[]) as s (status)`,
)

/** How many connectors of all roots have each status. */
export function countConnectorsUnscoped(pool: Pool): Promise<{ status: string; value: number }[]> {
  return runUnscoped(pool, selectStatuses, [])
}

const selectDueOfRoot = statement(
  'connectors.due-of-root',
  `select ${dueColumns} from connector where root_id = $2 and ${isDue} order by id`,
)

export function readDueConnectors(scope: Scope, tx: Tx, at: Date): Promise<DueConnector[]> {
  return tx.query(selectDueOfRoot, [at.toISOString(), scope.root])
}

const selectConnector = statement(
  'connectors.synced',
  `select c.id, c.root_id as root, c.organization_id as organization, c.provider, c.host, c.mode, c.account, c.credential,
     c.key_id as "keyId", o.provider_organization_id as "organizationId", o.connector_members as members,
     c.write_back as "writeBack", c.bots, to_json(c.created_at) #>> '{}' as "createdAt",
     c.inventory_digest as "inventoryDigest", to_json(c.inventory_sent_at) #>> '{}' as "inventorySentAt"
   from connector c join organization o on o.root_id = c.root_id and o.id = c.organization_id and o.active
   where c.root_id = $1 and c.id = $2`,
)

/** Null if it was deleted, or its organization is inactive. */
export function readSyncedConnector(scope: Scope, tx: Tx, id: ConnectorId): Promise<SyncedConnector | null> {
  return tx.first(selectConnector, [scope.root, id])
}

const takeInventoryLease = statement(
  'connectors.lease-inventory',
  `update connector set lease_owner = $3, lease_until = ${leaseEnd}
   where root_id = $1 and id = $2 and inventory_due_at <= $4
     and (lease_until is null or lease_until <= clock_timestamp())
   returning inventory_due_at::text as due_at`,
)

/** Returns since when it is due, or null if it is not. */
export async function takeInventory(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { owner, at }: Lease,
): Promise<string | null> {
  const values = [scope.root, id, owner, at.toISOString()]
  const row = await tx.first<{ due_at: string }>(takeInventoryLease, values)
  return row?.due_at ?? null
}

const renewInventoryLease = statement(
  'connectors.renew-inventory',
  `update connector set lease_until = ${leaseEnd}
   where root_id = $1 and id = $2 and lease_owner = $3 returning 1 as renewed`,
)

/** False = another worker has taken it. */
export async function renewInventory(
  scope: Scope,
  tx: Tx,
  id: ConnectorId,
  { owner }: Lease,
): Promise<boolean> {
  return (await tx.query(renewInventoryLease, [scope.root, id, owner])).length > 0
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
  const row = await tx.first<{ failures: number }>(selectFailures, [scope.root, id])
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
