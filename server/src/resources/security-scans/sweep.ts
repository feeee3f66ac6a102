import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { inTransaction, inTransactionUnscoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import { removeUpload, selectOldUploadsUnscoped } from './scan-sql.ts'

// Long enough that whoever looks after dead letters finds the file that they tell of.
const RETENTION_DAYS = 14
const BATCH_SIZE = 100

/** Removes uploaded files that were applied long ago, or that nobody will apply any more. */
export async function sweepUploads({
  database,
  now,
}: Pick<WorkerContext, 'database' | 'now'>): Promise<void> {
  const oldest = new Date(now().getTime() - RETENTION_DAYS * 24 * 60 * 60 * 1000)
  for (;;) {
    const uploads = await inTransactionUnscoped(database, (tx) =>
      tx.query<{ root: RootId; id: string }>(selectOldUploadsUnscoped, [oldest, BATCH_SIZE]),
    )
    for (const { root, id } of uploads) {
      const scope = rootScope(root)
      await inTransaction(database, scope, (tx) => removeUpload(scope, tx, id))
    }
    if (uploads.length < BATCH_SIZE) return
  }
}
