import { type Pool, statement } from '../../db/connect.ts'
import { renderUtc } from '../../db/sql-text.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import { NIL_UUID, type RootId } from '../../ids.ts'

// A restore concerns all roots, so these statements are Unscoped; the role's policies and functions limit them.

/** The last positions of one root in the main database. */
export interface RootHeads {
  readonly root_id: RootId
  readonly audit: number
  /** In hex; null for a chain without rows. */
  readonly audit_hash: string | null
  /** Whether a head of the chain was ever signed. */
  readonly signed: boolean
  readonly learnings: number
  readonly security: number
}

const selectHeads = statement(
  'restore-points.heads',
  `select root_id, audit, encode(audit_hash, 'hex') as audit_hash, signed, learnings, security
   from restore_point_heads($1::uuid, $2::int)`,
)

export function readHeadsUnscoped(tx: Tx, after: string | null, limit: number): Promise<RootHeads[]> {
  return tx.query<RootHeads>(selectHeads, [after ?? NIL_UUID, limit])
}

const selectMetrics = statement(
  'restore-points.metrics',
  'select root_id, metrics from restore_point_metrics($1::uuid[])',
)

export function readMetricsPositionsUnscoped(store: Pool, roots: readonly string[]) {
  return runUnscoped<{ root_id: string; metrics: number }>(store, selectMetrics, [roots])
}

const insertPoint = statement(
  'restore-points.insert',
  `insert into restore_point (epoch, restored_to, declared_at)
   select $1, $2::timestamptz, $3::timestamptz where not exists (select from restore_point where epoch >= $1)
   returning epoch`,
)

/** Returns false if the epoch is not later than every other one. */
export async function insertRestorePointUnscoped(
  tx: Tx,
  epoch: number,
  restoredTo: Date,
  declaredAt: Date,
): Promise<boolean> {
  return (await tx.query<{ epoch: number }>(insertPoint, [epoch, restoredTo, declaredAt])).length > 0
}

const recordPositions = statement(
  'restore-points.record-positions',
  'select restore_point_record($1::bigint, $2::json)',
)

export type RootPositions = Pick<RootHeads, 'root_id' | 'audit' | 'learnings' | 'security'> & {
  readonly metrics: number
}

export async function recordPositionsUnscoped(
  tx: Tx,
  epoch: number,
  positions: readonly RootPositions[],
): Promise<void> {
  await tx.query(recordPositions, [epoch, JSON.stringify(positions)])
}

// Everybody may read the names of all connections. Commands of the operator are no obstacle.
const selectProcesses = statement(
  'restore-points.connected-processes',
  `select distinct application_name as name from pg_stat_activity
   where datname = current_database() and application_name like 'scholiast-%'
     and application_name not like 'scholiast-admin%'
   order by 1`,
)

export async function listConnectedProcessesUnscoped(pool: Pool): Promise<string[]> {
  return (await runUnscoped<{ name: string }>(pool, selectProcesses, [])).map(({ name }) => name)
}

const confirmPoints = statement(
  'restore-points.confirm',
  'update restore_point set confirmed_at = $1 where confirmed_at is null returning epoch',
)

/** Returns whether a restore point waited for it. */
export async function confirmRestorePointsUnscoped(pool: Pool, at: Date): Promise<boolean> {
  return (await runUnscoped(pool, confirmPoints, [at.toISOString()])).length > 0
}

export interface DeclaredRestorePoint {
  readonly epoch: number
  readonly restored_to: string
  readonly declared_at: string
  /** Null = connectors are paused. */
  readonly confirmed_at: string | null
}

const selectPoints = statement(
  'restore-points.list',
  `select epoch, ${renderUtc('restored_to')} as restored_to, ${renderUtc('declared_at')} as declared_at,
     ${renderUtc('confirmed_at')} as confirmed_at
   from restore_point order by epoch`,
)

export function listRestorePointsUnscoped(pool: Pool): Promise<DeclaredRestorePoint[]> {
  return runUnscoped<DeclaredRestorePoint>(pool, selectPoints, [])
}

const selectLastDrill = statement(
  'restore-points.last-drill',
  `select extract(epoch from ended_at)::float8 as ended_at from restore_drill order by restore_drill.ended_at desc limit 1`,
)

/** When the last good drill of a restore ended, in seconds since 1970; null if there was none. */
export async function readLastDrillUnscoped(pool: Pool): Promise<number | null> {
  const [drill] = await runUnscoped<{ ended_at: number }>(pool, selectLastDrill, [])
  return drill?.ended_at ?? null
}
