import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId } from '../ids.ts'
import type { EmbeddingModels } from '../text/embed/embedder.ts'
import { listTerms } from '../text/tokens/tokenize.ts'
import { listWantedModels, type Vectors } from './models.ts'
import {
  createSavepoint,
  deleteOutdatedIndexRows,
  findMissingRowIds,
  type IndexRow,
  insertIndexRows,
  releaseSavepoint,
  rollbackToSavepoint,
  type SharedLearning,
} from './sql.ts'
import { deleteTasks, enqueueTasks } from './tasks-sql.ts'
import { hashTerms } from './terms.ts'

export interface IndexItem {
  readonly learning: SharedLearning
  readonly vectors: Vectors
}

/**
 * The rows of Learnings without a vector are stored under this name: searches find them by their terms only. A row of a
 * model replaces them.
 */
export const WORDS_ONLY = 'words'

/**
 * Writes the index rows of shared Learnings in the transaction of their change. If a vector is missing, enqueues a task
 * for the worker. Returns the Learnings without a row of the active model, which searches by meaning cannot find yet.
 * If a statement fails, it calls `onError` and enqueues tasks; the change itself is not rolled back.
 */
export async function indexLearnings(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  items: readonly IndexItem[],
  at: Date,
  onError?: (error: unknown) => void,
): Promise<ReadonlySet<LearningId>> {
  if (items.length === 0) return new Set()
  try {
    await writeIndexRows(scope, tx, models, items, at)
  } catch (error) {
    await rollbackToSavepoint(scope, tx)
    onError?.(error)
    const learnings = items.map(({ learning }) => learning)
    await Promise.all([
      deleteOutdatedIndexRows(scope, tx, learnings),
      enqueueIndexTasks(scope, tx, learnings, at),
    ])
    return new Set(learnings.map(({ id }) => id))
  }
  const { active } = models
  if (active === null) return new Set()
  const missing = items.filter(({ vectors }) => !vectors.has(active.model))
  return new Set(missing.map(({ learning }) => learning.id))
}

/** All statements go in one round trip, in this order. */
async function writeIndexRows(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  items: readonly IndexItem[],
  at: Date,
): Promise<void> {
  const wanted = listWantedModels(models).map(({ model }) => model)
  const isComplete = ({ vectors }: IndexItem) => wanted.every((model) => vectors.has(model))
  const complete = items.filter(isComplete).map(({ learning }) => learning)
  const incomplete = items.filter((item) => !isComplete(item)).map(({ learning }) => learning)
  await Promise.all([
    createSavepoint(scope, tx),
    deleteOutdatedIndexRows(
      scope,
      tx,
      items.map(({ learning }) => learning),
    ),
    insertIndexRows(
      scope,
      tx,
      items.flatMap((item) => {
        const rows = toIndexRows(item, wanted)
        return rows.length === 0 && models.active === null ? [toWordsRow(item.learning)] : rows
      }),
    ),
    enqueueIndexTasks(scope, tx, incomplete, at),
    deleteTasks(scope, tx, 'index', complete),
    releaseSavepoint(scope, tx),
  ])
}

/** One row per wanted model that has a vector. */
export function toIndexRows({ learning, vectors }: IndexItem, wanted: readonly string[]): IndexRow[] {
  const terms = hashTerms(learning.organization_id, listTerms(learning.text))
  return wanted.flatMap((model) => {
    const vector = vectors.get(model)
    return vector === undefined ? [] : [{ learning, model, vector, terms }]
  })
}

// The column is not null. No search compares this vector.
const NO_VECTOR = new Float32Array(1)

function toWordsRow(learning: SharedLearning): IndexRow {
  const terms = hashTerms(learning.organization_id, listTerms(learning.text))
  return { learning, model: WORDS_ONLY, vector: NO_VECTOR, terms }
}

function enqueueIndexTasks(
  scope: Scope,
  tx: Tx,
  learnings: readonly SharedLearning[],
  at: Date,
): Promise<void> {
  const tasks = learnings.map(({ organization_id, id }) => ({ organization_id, id, at }))
  return enqueueTasks(scope, tx, 'index', tasks)
}

/** Shared Learnings whose current text has no row of the active model, or without an active model no row at all. */
export async function findUnindexed(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  learnings: readonly SharedLearning[],
): Promise<ReadonlySet<LearningId>> {
  return new Set(await findMissingRowIds(scope, tx, models.active?.model ?? null, learnings))
}
