import { rootScope, type Scope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { Log } from '../../observe/log.ts'
import type { EmbedderSet, EmbeddingModels } from '../../text/embed/embedder.ts'
import { indexLearnings } from '../index-learnings.ts'
import { embedAll, listWantedModels, readModels, type Vectors } from '../models.ts'
import type { SharedLearning } from '../sql.ts'
import { deleteTasks, findDueTasksUnscoped, type LearningTask, retryTasksLater } from '../tasks-sql.ts'
import { lockSharedLearnings, readSharedLearnings } from './sql.ts'

export interface IndexMaintenanceContext {
  readonly database: Pool
  readonly embedders: EmbedderSet
  readonly log: Log
  readonly now: () => Date
}

const MAX_RUN_MS = 10_000
const MAX_TASKS = 400
const BATCH_SIZE = 100
const MAX_BATCH_ATTEMPTS = 3

/** Indexes what requests could not, until no task is due or MAX_RUN_MS has passed. */
export async function repairIndex(context: IndexMaintenanceContext): Promise<void> {
  const deadline = performance.now() + MAX_RUN_MS
  while (performance.now() < deadline) {
    const due = await findDueTasksUnscoped(context.database, 'index', context.now(), MAX_TASKS)
    if (due.length === 0) return
    for (const [root, tasks] of Map.groupBy(due, (task) => task.root)) {
      for (const batch of toBatches(tasks)) {
        if (performance.now() >= deadline) return
        await repairBatch(context, root, batch)
      }
    }
  }
}

/** A text that the model rejects fails its whole batch, so tasks that failed several times run alone. */
function toBatches(tasks: readonly LearningTask[]): LearningTask[][] {
  const alone = tasks.filter(({ attempts }) => attempts >= MAX_BATCH_ATTEMPTS)
  const together = tasks.filter(({ attempts }) => attempts < MAX_BATCH_ATTEMPTS)
  const batches = alone.map((task) => [task])
  for (let start = 0; start < together.length; start += BATCH_SIZE)
    batches.unshift(together.slice(start, start + BATCH_SIZE))
  return batches
}

/** Failed tasks are retried later, so that they do not block the others. */
async function repairBatch(
  context: IndexMaintenanceContext,
  root: RootId,
  tasks: readonly LearningTask[],
): Promise<void> {
  const scope = rootScope(root)
  const { database, log, now } = context
  try {
    await repairTasks(context, scope, tasks)
  } catch (err) {
    log.error({ err, root, tasks: tasks.length }, 'indexing Learnings failed; will retry')
    await inTransaction(database, scope, (tx) => retryTasksLater(scope, tx, 'index', tasks, now()))
  }
}

async function repairTasks(
  { database, embedders, log, now }: IndexMaintenanceContext,
  scope: Scope,
  tasks: readonly LearningTask[],
): Promise<void> {
  const models = await readModels(database, embedders)
  const read = await readScoped(database, scope, (tx) => readSharedLearnings(scope, tx, tasks))
  const texts = read.map(({ text }) => text)
  const embedded = await embedAll(scope, models, texts, (model, err) =>
    log.warn({ err, model, texts: texts.length }, 'embedding failed'),
  )
  const known = new Map(read.map((learning, index) => [learning.id, { learning, vectors: embedded[index] }]))
  const lacking = await inTransaction(database, scope, async (tx) => {
    const locked = await lockSharedLearnings(scope, tx, tasks)
    // A Learning that changed meanwhile keeps its task and is read again.
    const items = locked.flatMap((learning) => {
      const found = known.get(learning.id)
      const same = found?.learning.content_hash.equals(learning.content_hash) ?? false
      return found?.vectors !== undefined && same ? [{ learning, vectors: found.vectors }] : []
    })
    const shared = new Set(locked.map(({ id }) => id))
    await deleteTasks(
      scope,
      tx,
      'index',
      tasks.filter(({ id }) => !shared.has(id)),
    )
    await indexLearnings(scope, tx, models, items, now(), (err) => {
      throw err
    })
    const incomplete = items
      .filter(({ vectors }) => lacksVector(models, vectors))
      .map(({ learning }) => learning)
    await retryTasksLater(scope, tx, 'index', incomplete, now())
    return incomplete
  })
  logIndexed(log, scope, read, lacking)
}

function lacksVector(models: EmbeddingModels, vectors: Vectors): boolean {
  return listWantedModels(models).some(({ model }) => !vectors.has(model))
}

function logIndexed(
  log: Log,
  { root }: Scope,
  read: readonly SharedLearning[],
  lacking: readonly SharedLearning[],
): void {
  const indexed = read.length - lacking.length
  if (indexed > 0) log.info({ root, indexed }, 'repaired the index of Learnings')
}
