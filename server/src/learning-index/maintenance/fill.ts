import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { toIndexRows } from '../index-learnings.ts'
import { deleteOutdatedIndexRows, type IndexRow, insertIndexRows, type SharedLearning } from '../sql.ts'
import {
  findIndexedRootsUnscoped,
  findUnindexedLearnings,
  lockSharedLearnings,
  type UnindexedLearning,
} from './sql.ts'

export interface FillJob {
  readonly database: Pool
  /** Whose rows to write. */
  readonly to: Embedder
  readonly batchSize: number
  /** Checked before each batch. */
  readonly shouldContinue: () => boolean
  /** Called after each batch with its Learnings. */
  readonly onBatch: (learnings: readonly UnindexedLearning[]) => void
}

/** Writes missing rows of the model for all roots. True if none was missing at the end of the pass. */
export async function fillIndex(job: FillJob): Promise<boolean> {
  for (const root of await findIndexedRootsUnscoped(job.database)) {
    if (!(await fillRoot(job, root))) return false
  }
  return true
}

async function fillRoot(job: FillJob, root: RootId): Promise<boolean> {
  const { database, to, batchSize, shouldContinue, onBatch } = job
  const scope = rootScope(root)
  for (let last: UnindexedLearning | undefined; ; ) {
    const missing = await readScoped(database, scope, (tx) =>
      findUnindexedLearnings(scope, tx, to.model, batchSize, last),
    )
    last = missing.at(-1)
    if (last === undefined) return true
    if (!shouldContinue()) return false
    const rows = await toRows(root, to, missing)
    await inTransaction(database, scope, async (tx) => {
      const locked = await lockSharedLearnings(scope, tx, missing)
      const current = locked.flatMap((learning) => {
        const row = rows.get(learning.id)
        // A Learning that changed meanwhile was indexed with its change.
        return row?.learning.content_hash.equals(learning.content_hash) === true ? [{ ...row, learning }] : []
      })
      await Promise.all([deleteOutdatedIndexRows(scope, tx, locked), insertIndexRows(scope, tx, current)])
    })
    onBatch(missing)
  }
}

async function toRows(
  root: RootId,
  to: Embedder,
  learnings: readonly SharedLearning[],
): Promise<ReadonlyMap<string, IndexRow>> {
  const vectors = await to.embed(
    learnings.map(({ text }) => text),
    { root },
  )
  const rows = learnings.flatMap((learning, index) => {
    const vector = vectors[index]
    return vector === undefined
      ? []
      : toIndexRows({ learning, vectors: new Map([[to.model, vector]]) }, [to.model])
  })
  return new Map(rows.map((row) => [row.learning.id, row]))
}
