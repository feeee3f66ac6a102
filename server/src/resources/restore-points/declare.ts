import { genesis } from '../../access/audit/chain.ts'
import type { AuditChainHead } from '../../access/audit/heads.ts'
import type { Pool } from '../../db/connect.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { inTransactionUnscoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import {
  insertRestorePointUnscoped,
  listConnectedProcessesUnscoped,
  type RootHeads,
  readHeadsUnscoped,
  readMetricsPositionsUnscoped,
  recordPositionsUnscoped,
} from './sql.ts'

const ROOTS_PER_BATCH = 1000

export interface RestoreDeclaration {
  readonly pool: Pool
  readonly stores: MetricsStores
  readonly restoredTo: Date
  readonly now: Date
  readonly dryRun: boolean
  /** Signs and stores records of where the chains were cut. Null if nothing is signed in this installation. */
  readonly attest: ((records: readonly AuditChainHead[]) => Promise<void>) | null
}

/**
 * Starts an epoch after a restore: records the positions that the databases still have, for all roots, and attests the ends of
 * the audit chains. Positions are final because no process of the service may be connected.
 */
export async function declareRestorePoint(
  declaration: RestoreDeclaration,
): Promise<{ epoch: number; roots: readonly RootId[] }> {
  const { pool, stores, restoredTo, now, dryRun, attest } = declaration
  await refuseConnectedProcesses(pool, stores)
  const epoch = now.getTime()
  return inTransactionUnscoped(pool, async (tx) => {
    if (!dryRun && !(await insertRestorePointUnscoped(tx, epoch, restoredTo, now)))
      throw new Error('A restore point was declared at this time or later. Check the clock of this machine.')
    const roots: RootId[] = []
    for (let after: string | null = null; ; ) {
      const heads = await readHeadsUnscoped(tx, after, ROOTS_PER_BATCH)
      const last = heads.at(-1)
      if (last === undefined) return { epoch, roots }
      if (attest === null && heads.some(({ signed }) => signed))
        throw new Error(
          'Audit heads of this installation are signed. Set AUDIT_SIGNING_KEY and AUDIT_HEADS_FILE, so that the restore is signed too.',
        )
      const positions = await addMetricsPositions(stores, heads)
      if (!dryRun) {
        await recordPositionsUnscoped(tx, epoch, positions)
        // Before the commit: a record without a restore point cuts nothing off, but not the other way round.
        await attest?.(heads.map(toRestoredRecord))
      }
      roots.push(...heads.map(({ root_id }) => root_id))
      after = last.root_id
    }
  })
}

/** Rows that a running process wrote before the declaration would be taken for rows from before the restore. */
async function refuseConnectedProcesses(pool: Pool, stores: MetricsStores): Promise<void> {
  const names = await Promise.all(
    [pool, ...stores.names.map((name) => stores.pool(name))].map(listConnectedProcessesUnscoped),
  )
  const connected = [...new Set(names.flat())]
  if (connected.length > 0)
    throw new Error(`Stop every API process and worker first. These are connected: ${connected.join(', ')}.`)
}

/** A root that is being moved has rows in two stores; the larger position is that of the store with its latest rows. */
async function addMetricsPositions(stores: MetricsStores, heads: readonly RootHeads[]) {
  const roots = heads.map(({ root_id }) => root_id)
  const metrics = new Map<string, number>()
  for (const name of stores.names) {
    for (const row of await readMetricsPositionsUnscoped(stores.pool(name), roots))
      metrics.set(row.root_id, Math.max(row.metrics, metrics.get(row.root_id) ?? 0))
  }
  return heads.map(({ root_id, audit, learnings, security }) => ({
    root_id,
    audit,
    learnings,
    security,
    metrics: metrics.get(root_id) ?? 0,
  }))
}

function toRestoredRecord({ root_id, audit, audit_hash }: RootHeads): AuditChainHead {
  return {
    kind: 'restored',
    root: root_id,
    position: audit,
    hash: audit_hash ?? genesis.toString('hex'),
  }
}
