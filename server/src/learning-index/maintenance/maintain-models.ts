import { rootScope } from '../../access/scope.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import { enqueueTasks } from '../tasks-sql.ts'
import type { IndexMaintenanceContext } from './repair.ts'
import {
  activateFirstModelUnscoped,
  deleteModelRows,
  deleteModelUnscoped,
  dropVectorIndexesUnscoped,
  findIndexedRootsUnscoped,
  findRecentlyActivatedModelUnscoped,
  findRetiredModelsUnscoped,
  findUnindexedLearnings,
} from './sql.ts'

const MAX_RUN_MS = 10_000
const DROP_BATCH_SIZE = 2_000
const ENQUEUE_BATCH_SIZE = 1_000

/** Activates the first model, repairs missing rows of a new model and deletes retired models. */
export async function maintainModels(context: IndexMaintenanceContext): Promise<void> {
  const { database, embedders, log } = context
  const [first] = embedders.configured
  if (first !== undefined && (await activateFirstModelUnscoped(database, first)))
    log.info({ model: first.model }, 'the first embedding model was activated')
  const active = await findRecentlyActivatedModelUnscoped(database)
  if (active !== null) await enqueueUnindexed(context, active)
  await dropRetiredModels(context)
}

/** Nodes with a cached model list briefly write without a new model. Enqueues those Learnings for repair. */
async function enqueueUnindexed(
  { database, log, now }: IndexMaintenanceContext,
  model: string,
): Promise<void> {
  for (const root of await findIndexedRootsUnscoped(database)) {
    const scope = rootScope(root)
    const missing = await readScoped(database, scope, (tx) =>
      findUnindexedLearnings(scope, tx, model, ENQUEUE_BATCH_SIZE),
    )
    if (missing.length === 0) continue
    const at = now()
    const tasks = missing.map(({ organization_id, id }) => ({ organization_id, id, at }))
    await inTransaction(database, scope, (tx) => enqueueTasks(scope, tx, 'index', tasks))
    log.info({ root, model, learnings: tasks.length }, 'enqueued Learnings without an index row')
  }
}

/** Stops after MAX_RUN_MS; the next run continues. */
async function dropRetiredModels({ database, log }: IndexMaintenanceContext): Promise<void> {
  const deadline = performance.now() + MAX_RUN_MS
  for (const model of await findRetiredModelsUnscoped(database)) {
    await dropVectorIndexesUnscoped(database, model)
    for (const root of await findIndexedRootsUnscoped(database)) {
      if (!(await deleteModelRowsOfRoot(database, root, model, deadline))) return
    }
    await deleteModelUnscoped(database, model)
    log.info({ model }, 'a retired model was deleted')
  }
}

async function deleteModelRowsOfRoot(
  database: IndexMaintenanceContext['database'],
  root: RootId,
  model: string,
  deadline: number,
): Promise<boolean> {
  const scope = rootScope(root)
  for (let dropped = DROP_BATCH_SIZE; dropped === DROP_BATCH_SIZE; ) {
    if (performance.now() >= deadline) return false
    dropped = await inTransaction(database, scope, (tx) => deleteModelRows(scope, tx, model, DROP_BATCH_SIZE))
  }
  return true
}
