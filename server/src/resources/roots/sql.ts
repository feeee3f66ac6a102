import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { renderUtc } from '../../db/sql-text.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import { NIL_UUID, type RootId } from '../../ids.ts'
import { auditTables, mainTables, metricsTables, type RootTable, vectorIndexTable } from './tables.ts'

const BATCH_ROWS = 2_000
/** Counting before a deletion stops at this number of rows per table. */
export const MAX_COUNTED_ROWS = 1_000_000

export interface Tombstone {
  readonly id: RootId
  readonly started_at: string
  readonly finished_at: string | null
  /** Last position of the audit chain. */
  readonly position: number | null
  readonly hash: string | null
}

const iso = (column: string) => `${renderUtc(column)} as ${column}`
const tombstoneColumns = `root_id as id, ${iso('started_at')}, ${iso('finished_at')}, position, encode(hash, 'hex') as hash`

const createTombstone = statement(
  'roots.insert-tombstone',
  `insert into root_tombstone (root_id, started_at) select id, $2 from root where id = $1
   on conflict do nothing returning root_id`,
)

const revokeKeys = statement(
  'roots.revoke-keys',
  'update api_key set revoked_at = $2 where root_id = $1 and revoked_at is null',
)

const placementOfRoot = statement(
  'roots.placement',
  `select store, moving_to is not null or leaving is not null as moving from metrics_placement where root_id = $1`,
)

// Runs in the transaction that deletes the keys, so that no credential is missing from the tombstone.
const storeRevokedCredentials = statement(
  'roots.store-revoked-credentials',
  `update root_tombstone set revoked_credentials = array(
     select unnest(revoked_credentials) union select id from api_key where root_id = $1 and kind = 'ingest')
   where root_id = $1`,
)

const deleteRoot = statement('roots.delete', 'delete from root where id = $1')

const finish = statement(
  'roots.finish',
  'update root_tombstone set finished_at = $2 where root_id = $1 returning root_id',
)

const tombstoneOfRoot = statement(
  'roots.tombstone',
  `select ${tombstoneColumns} from root_tombstone where root_id = $1`,
)

const pageOfTombstones = statement(
  'roots.page-of-tombstones',
  `select ${tombstoneColumns} from root_tombstone where root_id > $1 order by root_id limit $2`,
)

// Finds rows by the index that begins with the root and deletes them by ctid. A ctid is not unique in a partitioned
// table, whose rows are deleted by key.
const deletions = Object.fromEntries([
  ...[...mainTables, ...metricsTables].map((table) => [table, createDeletion(table)]),
  ...auditTables.map((table) => [
    table,
    statement(`roots.delete-${table}`, `select $1::uuid, root_delete_audit('${table}', $2::int) as rows`),
  ]),
  [
    vectorIndexTable,
    statement(
      'roots.delete-vector-indexes',
      'select $1::uuid, $2::int, root_delete_vector_indexes() as rows',
    ),
  ],
]) as Record<RootTable, ReturnType<typeof createDeletion>>

function createDeletion(table: RootTable) {
  const page =
    table === 'learning_index'
      ? `(organization_id, model, learning_id) in (
           select organization_id, model, learning_id from learning_index where root_id = $1 limit $2)`
      : `ctid = any (array(select ctid from ${table} where root_id = $1 limit $2))`
  return statement(
    `roots.delete-${table}`,
    `with deleted as (delete from ${table} where root_id = $1 and ${page} returning 1) select count(*) as rows from deleted`,
  )
}

const counts = Object.fromEntries(
  Object.keys(deletions).map((table) => [
    table,
    statement(
      `roots.count-${table}`,
      `select count(*) as rows from (select from ${table} where root_id = $1 limit ${MAX_COUNTED_ROWS}) found`,
    ),
  ]),
) as Record<RootTable, ReturnType<typeof createDeletion>>

/** Returns false if the deletion was started before. */
export async function insertTombstone(scope: Scope, tx: Tx, at: Date): Promise<boolean> {
  return (await tx.query(createTombstone, [scope.root, at.toISOString()])).length === 1
}

export async function revokeRootKeys(scope: Scope, tx: Tx, at: Date): Promise<void> {
  await tx.query(revokeKeys, [scope.root, at.toISOString()])
}

/** The metrics store that the root was moved to, or null if it was never moved. */
export function readMetricsPlacement(
  scope: Scope,
  tx: Tx,
): Promise<{ readonly store: string; readonly moving: boolean } | null> {
  return tx.first<{ store: string; moving: boolean }>(placementOfRoot, [scope.root])
}

/** Deletes a batch of rows. `more` is false once a batch is not full. */
export async function deleteBatch(
  scope: Scope,
  tx: Tx,
  table: RootTable,
): Promise<{ readonly rows: number; readonly more: boolean }> {
  if (table === 'api_key') await tx.query(storeRevokedCredentials, [scope.root])
  const deleted = await tx.first<{ rows: number }>(deletions[table], [scope.root, BATCH_ROWS])
  const rows = deleted?.rows ?? 0
  return { rows, more: rows >= BATCH_ROWS }
}

export async function countTableRows(scope: Scope, tx: Tx, table: RootTable): Promise<number> {
  const counted = await tx.first<{ rows: number }>(counts[table], [scope.root])
  return counted?.rows ?? 0
}

/** Deletes the row of the root itself, which fails while other rows refer to it. */
export async function finishTombstone(scope: Scope, tx: Tx, at: Date): Promise<void> {
  await tx.query(deleteRoot, [scope.root])
  await tx.query(finish, [scope.root, at.toISOString()])
}

export function readTombstone(scope: Scope, tx: Tx): Promise<Tombstone | null> {
  return tx.first<Tombstone>(tombstoneOfRoot, [scope.root])
}

/** Roots that are deleted or being deleted, by id. */
export function readTombstonesUnscoped(
  pool: Pool,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Tombstone[]> {
  return runUnscoped<Tombstone>(pool, pageOfTombstones, [after ?? NIL_UUID, limit])
}
