import type { Pool } from '../db/connect.ts'
import { type Embedder, EmbeddingFailed } from '../text/embed/embedder.ts'
import { type ModelRow, readModelsUnscoped } from './models-sql.ts'

export interface EmbeddingModels {
  /** All searches use it. */
  readonly active: Embedder
  /** They get every new text too: one that is to become active, and for a moment the one that was. */
  readonly filling: readonly Embedder[]
}

/** How long a node may still believe what was. Whoever changes the models waits for longer than that. */
export const MODEL_CACHE_MS = 2_000

interface CachedModels {
  readonly until: number
  readonly models: Promise<EmbeddingModels>
}

const modelCache = new WeakMap<Pool, WeakMap<readonly Embedder[], CachedModels>>()

/** Before the installation has settled on a model, the first of the configured ones is active. */
export function readModels(pool: Pool, embedders: readonly Embedder[]): Promise<EmbeddingModels> {
  const byEmbedders = modelCache.get(pool) ?? new WeakMap<readonly Embedder[], CachedModels>()
  modelCache.set(pool, byEmbedders)
  const known = byEmbedders.get(embedders)
  if (known !== undefined && performance.now() < known.until) return known.models
  const models = readModelsUnscoped(pool).then((rows) => chooseModels(rows, embedders))
  byEmbedders.set(embedders, { until: performance.now() + MODEL_CACHE_MS, models })
  models.catch(() => byEmbedders.delete(embedders))
  return models
}

export function chooseModels(rows: readonly ModelRow[], embedders: readonly Embedder[]): EmbeddingModels {
  const known = (model: string) => embedders.find((embedder) => embedder.model === model)
  const active = rows.find(({ state }) => state === 'active')
  const first = embedders[0]
  if (first === undefined) throw new Error('There is no embedder at all.')
  const filling = rows.flatMap((row) => {
    if (row.state === 'active') return []
    // Nobody is going to repair a row of a retired one.
    return known(row.model) ?? (row.state === 'filling' ? createUnavailableEmbedder(row) : [])
  })
  return {
    active: active === undefined ? first : (known(active.model) ?? createUnavailableEmbedder(active)),
    filling,
  }
}

/** A model that this node is not configured for: its vectors are left to a node that is. */
function createUnavailableEmbedder({ model, dimensions }: ModelRow): Embedder {
  const message = `This node is not configured for the model ${model}. Set EMBEDDER_* as it was, or run: learnings reindex`
  return { model, dimensions, embed: () => Promise.reject(new EmbeddingFailed(message)) }
}
