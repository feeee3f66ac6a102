import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId } from '../ids.ts'
import { termsOf } from '../text/words/tokenize.ts'
import type { Vectors } from './embed.ts'
import {
  closeSavepoint,
  dropOutdatedRows,
  findWithoutRow,
  type IndexRow,
  insertRows,
  openSavepoint,
  type Shared,
  undoToSavepoint,
} from './index-rows-sql.ts'
import type { Models } from './models.ts'
import { deleteTasks, leaveTasks } from './tasks-sql.ts'
import { termNumbers } from './terms.ts'

export interface ToIndex {
  readonly learning: Shared
  readonly vectors: Vectors
}

/**
 * Writes the rows of shared Learnings, in the transaction of their change. For a model whose vector is missing, the
 * worker is left the task. Gives those that searches will not find by meaning until then: without a row of the active
 * model. A statement that fails does not take the change with it: `trouble` is told, and the worker left the task.
 */
export async function indexLearnings(
  scope: Scope,
  tx: Tx,
  models: Models,
  items: readonly ToIndex[],
  at: Date,
  trouble?: (error: unknown) => void,
): Promise<ReadonlySet<LearningId>> {
  if (items.length === 0) return new Set()
  try {
    await writeIndexRows(scope, tx, models, items, at)
  } catch (error) {
    await undoToSavepoint(scope, tx)
    trouble?.(error)
    const learnings = items.map(({ learning }) => learning)
    await Promise.all([dropOutdatedRows(scope, tx, learnings), leaveIndexTasks(scope, tx, learnings, at)])
    return new Set(learnings.map(({ id }) => id))
  }
  const missing = items.filter(({ vectors }) => !vectors.has(models.active.model))
  return new Set(missing.map(({ learning }) => learning.id))
}

/** The statements share one round trip, in this order. */
async function writeIndexRows(
  scope: Scope,
  tx: Tx,
  models: Models,
  items: readonly ToIndex[],
  at: Date,
): Promise<void> {
  const wanted = [models.active, ...models.filling].map(({ model }) => model)
  const isWhole = ({ vectors }: ToIndex) => wanted.every((model) => vectors.has(model))
  const whole = items.filter(isWhole).map(({ learning }) => learning)
  const lacking = items.filter((item) => !isWhole(item)).map(({ learning }) => learning)
  await Promise.all([
    openSavepoint(scope, tx),
    dropOutdatedRows(
      scope,
      tx,
      items.map(({ learning }) => learning),
    ),
    insertRows(
      scope,
      tx,
      items.flatMap((item) => toIndexRows(item, wanted)),
    ),
    leaveIndexTasks(scope, tx, lacking, at),
    deleteTasks(scope, tx, 'index', whole),
    closeSavepoint(scope, tx),
  ])
}

/** A row for each of the models that it has a vector of. */
export function toIndexRows({ learning, vectors }: ToIndex, wanted: readonly string[]): IndexRow[] {
  const terms = termNumbers(learning.organization_id, termsOf(learning.text))
  return wanted.flatMap((model) => {
    const vector = vectors.get(model)
    return vector === undefined ? [] : [{ learning, model, vector, terms }]
  })
}

function leaveIndexTasks(scope: Scope, tx: Tx, learnings: readonly Shared[], at: Date): Promise<void> {
  const tasks = learnings.map(({ organization_id, id }) => ({ organization_id, id, at }))
  return leaveTasks(scope, tx, 'index', tasks)
}

/** Those of shared Learnings that a search by meaning does not find as they are now. */
export async function findUnindexed(
  scope: Scope,
  tx: Tx,
  models: Models,
  learnings: readonly Shared[],
): Promise<ReadonlySet<LearningId>> {
  return new Set(await findWithoutRow(scope, tx, models.active.model, learnings))
}
