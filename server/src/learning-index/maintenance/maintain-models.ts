import { rootScope } from '../../access/scope.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { WORDS_ONLY } from '../index-learnings.ts'
import { type ModelRow, readModelsUnscoped } from '../sql.ts'
import { enqueueTasks } from '../tasks-sql.ts'
import { fillIndex } from './fill.ts'
import type { IndexMaintenanceContext } from './repair.ts'
import {
  activateFirstModelUnscoped,
  activateModelUnscoped,
  countModelRows,
  countSharedUnscoped,
  deleteModelRows,
  deleteModelUnscoped,
  dropVectorIndexesUnscoped,
  findIndexedRootsUnscoped,
  findRecentlyActivatedModelUnscoped,
  findRetiredModelsUnscoped,
  findUnindexedLearnings,
  startFillingUnscoped,
} from './sql.ts'
import { createVectorIndexes } from './vector-index.ts'

const MAX_RUN_MS = 10_000
const FILL_BATCH_SIZE = 100
const DROP_BATCH_SIZE = 2_000
const ENQUEUE_BATCH_SIZE = 1_000

/** Switches to the first model; repairs missing rows; deletes retired models. */
export async function maintainModels(context: IndexMaintenanceContext): Promise<void> {
  await switchToFirstModel(context)
  const active = await findRecentlyActivatedModelUnscoped(context.database)
  if (active !== null) await enqueueUnindexed(context, active)
  await dropRetiredModels(context)
}

/**
 * Without an active model, fills the configured one in the background, for MAX_RUN_MS per call, then switches to it. A model
 * that an operator chose changes only with `learnings reindex`.
 */
async function switchToFirstModel(context: IndexMaintenanceContext): Promise<void> {
  const { database, embedders } = context
  const [to] = embedders.configured
  const rows = await readModelsUnscoped(database)
  const isUnfinishedReindex = ({ state, model }: ModelRow) => state === 'filling' && model !== to?.model
  if (to === undefined || rows.some((row) => row.state === 'active' || isUnfinishedReindex(row))) return
  if (!rows.some(({ state }) => state === 'filling')) {
    // The nodes embed new texts with it before the next call.
    if (rows.length > 0 || !(await activateFirst(context, to))) await startFillingUnscoped(database, to)
    return
  }
  if (!(await fillForAWhile(context, to))) return
  await createVectorIndexes(context)
  await activateModelUnscoped(database, to.model)
}

/** False if the installation searched by words until now: it does so until the model is filled. */
async function activateFirst({ database, log }: IndexMaintenanceContext, first: Embedder): Promise<boolean> {
  if ((await countRowsOfModel(database, WORDS_ONLY)) > 0) return false
  if (await activateFirstModelUnscoped(database, first))
    log.info({ model: first.model }, 'the first embedding model was activated')
  return true
}

/** True if no row is missing any more. */
async function fillForAWhile({ database, log }: IndexMaintenanceContext, to: Embedder): Promise<boolean> {
  const deadline = performance.now() + MAX_RUN_MS
  let filled = 0
  const complete = await fillIndex({
    database,
    to,
    batchSize: FILL_BATCH_SIZE,
    shouldContinue: () => performance.now() < deadline,
    onBatch: (learnings) => {
      filled += learnings.length
    },
  })
  if (filled === 0) return complete
  const { model } = to
  const indexed = await countRowsOfModel(database, model)
  const learnings = await countSharedUnscoped(database)
  log.info({ model, filled, indexed, learnings }, 'reindexed Learnings in the background')
  return complete
}

/** Counts the index rows of a model in the whole installation. */
export async function countRowsOfModel(
  database: IndexMaintenanceContext['database'],
  model: string,
): Promise<number> {
  let count = 0
  for (const root of await findIndexedRootsUnscoped(database)) {
    const scope = rootScope(root)
    count += await readScoped(database, scope, (tx) => countModelRows(scope, tx, model))
  }
  return count
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
    if (!(await deleteRowsOfModel(database, model, deadline))) return
    await deleteModelUnscoped(database, model)
    log.info({ model }, 'a retired model was deleted')
  }
  if (await findRecentlyActivatedModelUnscoped(database))
    await deleteRowsOfModel(database, WORDS_ONLY, deadline)
}

/** False if the deadline passed before the last row was deleted. */
async function deleteRowsOfModel(
  database: IndexMaintenanceContext['database'],
  model: string,
  deadline: number,
): Promise<boolean> {
  for (const root of await findIndexedRootsUnscoped(database)) {
    if (!(await deleteModelRowsOfRoot(database, root, model, deadline))) return false
  }
  return true
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
