import { setTimeout as sleep } from 'node:timers/promises'
import { auditChange } from '../../access/change-context.ts'
import { rootScope, type Scope } from '../../access/scope.ts'
import type { Bus } from '../../bus/connect.ts'
import { countRootMessages, deleteRootMessages } from '../../bus/queue/delete-root-messages.ts'
import type { Pool } from '../../db/connect.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { inTransaction } from '../../db/transaction.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import { refuseOperation } from '../../errors.ts'
import type { RootId } from '../../ids.ts'
import {
  countTableRows,
  deleteBatch,
  finishTombstone,
  insertTombstone,
  MAX_COUNTED_ROWS,
  readMetricsPlacement,
  readTombstone,
  revokeRootKeys,
  type Tombstone,
} from './sql.ts'
import { deletionOrder, metricsTables, type RootTable } from './tables.ts'

export interface DeletionContext {
  readonly database: Pool
  readonly stores: MetricsStores
  readonly bus: Bus
  readonly now: () => Date
  readonly reportProgress: (line: string) => void
  /** Makes every node refuse revoked ingest credentials. */
  readonly refreshRevokedCredentials: () => Promise<void>
  /** Longer than the caches of credentials and of organizations (5 s each). */
  readonly graceMs: number
}

// A worker may change the same rows; one of the two transactions then fails and is retried.
const MAX_ATTEMPTS = 5
const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Deletes all data of a root except its tombstone. Requests and events in flight when the keys are revoked can still
 * write rows, so rounds repeat until one finds nothing, each after the caches have expired. Each batch is a transaction
 * of its own; after an interruption run the command again.
 */
export async function deleteRoot(context: DeletionContext, root: RootId): Promise<Tombstone> {
  const scope = rootScope(root)
  await beginDeletion(context, scope)
  await context.refreshRevokedCredentials()
  await deleteAllRows(context, scope)
  for (let hasMore = true; hasMore; ) {
    await sleep(context.graceMs)
    hasMore = (await deleteAllRows(context, scope)) > 0 || !(await tryFinish(context, scope))
  }
  const tombstone = await inTransaction(context.database, scope, (tx) => readTombstone(scope, tx))
  if (tombstone === null) throw new Error('The tombstone of the deleted root was not found.')
  return tombstone
}

/** Every key of the root is refused from the commit on. */
async function beginDeletion({ database, stores, now }: DeletionContext, scope: Scope): Promise<void> {
  const at = now()
  await inTransaction(database, scope, async (tx) => {
    const isNew = await insertTombstone(scope, tx, at)
    const placement = await readMetricsPlacement(scope, tx)
    // Throws if this process does not know the store, because its rows would remain.
    if (placement !== null) stores.pool(placement.store)
    if (!isNew) return revokeRootKeys(scope, tx, at)
    if (placement?.moving) {
      refuseOperation(
        `The metrics are being moved. Wait for the move to finish (npm run admin -- metrics status ${scope.root}), then retry.`,
      )
    }
    await revokeRootKeys(scope, tx, at)
    await auditChange(
      { tx, scope, actor: { kind: 'operator', id: null }, at },
      { action: 'root_deleted', resourceId: scope.root, organization: null, metadata: {} },
    )
  })
}

/**
 * One round. A concurrent insert can add a row that refers to one being deleted; the next round deletes it. If the
 * round found nothing else, the violation is a bug of the deletion order and is thrown.
 */
async function deleteAllRows(context: DeletionContext, scope: Scope): Promise<number> {
  const { database, stores, bus } = context
  let rows = await deleteRootMessages(bus, scope.root)
  let foreignKeyError: unknown = null
  // Includes the main database, which is or was a store too.
  for (const pool of [...stores.names.map((name) => stores.pool(name)), database])
    for (const table of metricsTables) rows += await emptyTable(pool, scope, table)
  for (const table of deletionOrder) {
    try {
      rows += await emptyTable(database, scope, table)
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error
      foreignKeyError = error
    }
  }
  if (foreignKeyError !== null && rows === 0) throw foreignKeyError
  context.reportProgress(`Deleted in this round, rows and messages: ${rows}.`)
  return rows
}

async function emptyTable(pool: Pool, scope: Scope, table: RootTable): Promise<number> {
  let rows = 0
  for (let more = true; more; ) {
    const deleted = await retryWhileUnavailable(() =>
      inTransaction(pool, scope, (tx) => deleteBatch(scope, tx, table)),
    )
    rows += deleted.rows
    more = deleted.more
  }
  return rows
}

async function retryWhileUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isDatabaseUnavailable(error)) throw error
    }
  }
}

/** Returns false if a row that refers to the root was written after the last round. */
async function tryFinish({ database, now }: DeletionContext, scope: Scope): Promise<boolean> {
  try {
    await inTransaction(database, scope, (tx) => finishTombstone(scope, tx, now()))
    return true
  } catch (error) {
    if (isForeignKeyViolation(error)) return false
    throw error
  }
}

function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION
}

export interface RootCount {
  readonly where: string
  /** Table or stream. */
  readonly name: string
  readonly rows: number | `${number}+`
}

/** Counts what a deletion would remove, up to a million rows per table. */
export async function countRoot(
  { database, stores, bus }: Pick<DeletionContext, 'database' | 'stores' | 'bus'>,
  root: RootId,
): Promise<RootCount[]> {
  const scope = rootScope(root)
  const found: RootCount[] = []
  const count = async (where: string, pool: Pool, table: RootTable) => {
    const rows = await inTransaction(pool, scope, (tx) => countTableRows(scope, tx, table))
    if (rows > 0) found.push({ where, name: table, rows: rows < MAX_COUNTED_ROWS ? rows : `${rows}+` })
  }
  for (const table of deletionOrder) await count('database', database, table)
  for (const name of stores.names)
    for (const table of metricsTables) await count(`metrics store ${name}`, stores.pool(name), table)
  for (const [name, rows] of Object.entries(await countRootMessages(bus, root)))
    if (rows > 0) found.push({ where: 'bus', name, rows })
  return found
}
