import type { Scope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import {
  type Embedder,
  type EmbedderSet,
  EmbeddingError,
  type EmbeddingModels,
} from '../text/embed/embedder.ts'
import { type ModelRow, readCalibrationsUnscoped, readModelsUnscoped } from './sql.ts'

/** How long a node may use an outdated list. A reindex waits longer than this after every change. */
export const MODEL_CACHE_MS = 2_000

/** The models in use, as of the last two seconds. */
export function readModels(pool: Pool, embedders: EmbedderSet): Promise<EmbeddingModels> {
  const cached = embedders.cachedModels
  if (cached !== null && performance.now() < cached.until) return cached.models
  const { configured, commonTerms, fallbacks } = embedders
  const models = Promise.all([readModelsUnscoped(pool), readCalibrationsUnscoped(pool)]).then(
    ([rows, calibrations]) => ({ ...chooseModels(rows, configured), calibrations, commonTerms, fallbacks }),
  )
  const read = { until: performance.now() + MODEL_CACHE_MS, models }
  embedders.cachedModels = read
  models.catch(() => {
    if (embedders.cachedModels === read) embedders.cachedModels = null
  })
  return models
}

export function chooseModels(rows: readonly ModelRow[], embedders: readonly Embedder[]): EmbeddingModels {
  const active = chooseActive(rows, embedders)
  const filling = rows.flatMap((row) => {
    if (row.model === active?.model) return []
    const known = embedders.find(({ model }) => model === row.model)
    // Rows of a retired model are not repaired.
    return known ?? (row.state === 'retired' ? [] : createUnavailableEmbedder(row))
  })
  return { active, filling, indexedOrganizations: new Map() }
}

function chooseActive(rows: readonly ModelRow[], embedders: readonly Embedder[]): Embedder | null {
  const row = rows.find(({ state }) => state === 'active')
  const [first] = embedders
  // A node without any model searches by words; the worker of another node computes the vectors of what it writes.
  if (first === undefined) return null
  // Before the worker has run for the first time, the first configured model is used.
  if (row === undefined) return rows.length === 0 ? first : null
  return embedders.find(({ model }) => model === row.model) ?? createUnavailableEmbedder(row)
}

/** For a model that this node is not configured for: another node must compute its vectors. */
function createUnavailableEmbedder({ model, dimensions }: ModelRow): Embedder {
  const message = `This node is not configured for the model ${model}. Restore its settings or files, or run: learnings reindex`
  return { model, dimensions, embed: () => Promise.reject(new EmbeddingError(message)) }
}

/** The models whose rows a shared Learning should have. */
export function listWantedModels({ active, filling }: EmbeddingModels): readonly Embedder[] {
  return active === null ? filling : [active, ...filling]
}

/** Vectors by model name. */
export type Vectors = ReadonlyMap<string, Float32Array>

/** Called for each model that fails. The error never quotes a text. */
export type OnEmbeddingError = (model: string, error: unknown) => void

/** Omits models that fail or return vectors of the wrong length. Never throws. */
export async function embedAll(
  { root }: Scope,
  models: EmbeddingModels,
  texts: readonly string[],
  onError?: OnEmbeddingError,
  signal?: AbortSignal,
): Promise<Vectors[]> {
  const vectorsByText = texts.map(() => new Map<string, Float32Array>())
  if (texts.length === 0) return vectorsByText
  const embedders = listWantedModels(models)
  const results = await Promise.allSettled(
    embedders.map((embedder) => embedder.embed(texts, { root, ...(signal && { signal }) })),
  )
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

/** Embeds with the active model. Null without one, or if it fails or times out: the search then uses terms only. */
export async function embedQuery(
  scope: Scope,
  { active, fallbacks }: EmbeddingModels,
  text: string,
  onError?: OnEmbeddingError,
): Promise<Float32Array | null> {
  if (active === null) return null
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), EMBED_TIMEOUT_MS)
  const [vectors] = await embedAll(scope, { active, filling: [] }, [text], onError, timeout.signal)
  clearTimeout(timer)
  const vector = vectors?.get(active.model) ?? null
  if (vector === null && fallbacks !== undefined) fallbacks.count++
  return vector
}

/** Loads the active model before the first request needs it. Never throws: without a model, searches use terms. */
export async function warmUpModel(
  pool: Pool,
  embedders: EmbedderSet,
  onError: OnEmbeddingError,
): Promise<void> {
  // A database that is unavailable is reported elsewhere.
  const models = await readModels(pool, embedders).catch(() => null)
  const active = models?.active
  await active?.warmUp?.().catch((error: unknown) => onError(active.model, error))
}
