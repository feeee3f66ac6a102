import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { inTransaction, inTransactionUnscoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import {
  recountUploads,
  removeUpload,
  selectOldUploadsUnscoped,
  selectUsedRootsUnscoped,
} from './scan-sql.ts'

// Long enough that operators who inspect dead letters still find the file.
const RETENTION_DAYS = 14
const BATCH_SIZE = 100

/** Deletes uploaded files that were applied, or that will never be applied, and frees their bytes of the quota. */
export async function sweepUploads({
  database,
  now,
}: Pick<WorkerContext, 'database' | 'now'>): Promise<void> {
  const cutoff = new Date(now().getTime() - RETENTION_DAYS * DAY_MS)
  for (;;) {
    const uploads = await inTransactionUnscoped(database, (tx) =>
      tx.query<{ root: RootId; id: string }>(selectOldUploadsUnscoped, [cutoff, BATCH_SIZE]),
    )
    for (const { root, id } of uploads) {
      const scope = rootScope(root)
      await inTransaction(database, scope, (tx) => removeUpload(scope, tx, id))
    }
    if (uploads.length < BATCH_SIZE) break
  }
  const roots = await inTransactionUnscoped(database, (tx) =>
    tx.query<{ root: RootId }>(selectUsedRootsUnscoped, []),
  )
  for (const { root } of roots) {
    const scope = rootScope(root)
    await inTransaction(database, scope, (tx) => recountUploads(scope, tx))
  }
}
