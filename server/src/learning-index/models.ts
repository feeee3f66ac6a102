import type { Pool } from '../db/connect.ts'
import { type Embedder, EmbeddingFailed } from '../text/embed/embedder.ts'
import { type ModelRow, readModelsUnscoped } from './sql.ts'

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

/** Vectors by model name. */
export type Vectors = ReadonlyMap<string, Float32Array>

/** Called for each model that fails. The error never quotes a text. */
export type OnEmbeddingError = (model: string, error: unknown) => void

/** Omits models that fail or return vectors of the wrong length. Never throws. */
export async function embedAll(
  { active, filling }: EmbeddingModels,
  texts: readonly string[],
  onError?: OnEmbeddingError,
): Promise<Vectors[]> {
  const vectorsByText = texts.map(() => new Map<string, Float32Array>())
  if (texts.length === 0) return vectorsByText
  const embedders = [active, ...filling]
  const results = await Promise.allSettled(embedders.map((embedder) => embedder.embed(texts)))
  for (const [index, { model, dimensions }] of embedders.entries()) {
    const result = results[index]
    if (result?.status === 'rejected') onError?.(model, result.reason)
    if (result?.status !== 'fulfilled') continue
    for (const [text, vector] of result.value.entries()) {
      if (vector.length === dimensions) vectorsByText[text]?.set(model, vector)
    }
  }
  return vectorsByText
}

const EMBED_TIMEOUT_MS = 2_000

/** Embeds with the active model. Returns null if it fails or times out; the search then uses terms only. */
export async function embedQuery(
  { active }: EmbeddingModels,
  text: string,
  onError?: OnEmbeddingError,
): Promise<Float32Array | null> {
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(timeout.resolve, EMBED_TIMEOUT_MS, null)
  const vectors = await Promise.race([embedAll({ active, filling: [] }, [text], onError), timeout.promise])
  clearTimeout(timer)
  return vectors?.[0]?.get(active.model) ?? null
}
