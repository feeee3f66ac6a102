import type { Pool } from '../db/connect.ts'
import {
  type Embedder,
  type EmbedderSet,
  EmbeddingFailed,
  type EmbeddingModels,
} from '../text/embed/embedder.ts'
import { type ModelRow, readModelsUnscoped } from './sql.ts'

/** How long a node may use an outdated list. A reindex waits longer than this after every change. */
export const MODEL_CACHE_MS = 2_000

/** Until the installation has an active model, the first configured one is used. */
export function readModels(pool: Pool, embedders: EmbedderSet): Promise<EmbeddingModels> {
  const cached = embedders.cachedModels
  if (cached !== null && performance.now() < cached.until) return cached.models
  const models = readModelsUnscoped(pool).then((rows) => chooseModels(rows, embedders.configured))
  const read = { until: performance.now() + MODEL_CACHE_MS, models }
  embedders.cachedModels = read
  models.catch(() => {
    if (embedders.cachedModels === read) embedders.cachedModels = null
  })
  return models
}

export function chooseModels(rows: readonly ModelRow[], embedders: readonly Embedder[]): EmbeddingModels {
  const known = (model: string) => embedders.find((embedder) => embedder.model === model)
  const active = rows.find(({ state }) => state === 'active')
  const first = embedders[0]
  if (first === undefined) throw new Error('No embedder is configured.')
  const filling = rows.flatMap((row) => {
    if (row.state === 'active') return []
    // Rows of a retired model are not repaired.
    return known(row.model) ?? (row.state === 'filling' ? createUnavailableEmbedder(row) : [])
  })
  return {
    active: active === undefined ? first : (known(active.model) ?? createUnavailableEmbedder(active)),
    filling,
    indexedOrganizations: new Map(),
  }
}

/** For a model that this node is not configured for: another node must compute its vectors. */
function createUnavailableEmbedder({ model, dimensions }: ModelRow): Embedder {
  const message = `This node is not configured for the model ${model}. Restore the EMBEDDER_* settings, or run: learnings reindex`
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
