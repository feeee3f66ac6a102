import type { EmbeddingModels } from './models.ts'

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
