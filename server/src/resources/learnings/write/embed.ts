import type { Scope } from '../../../access/scope.ts'
import type { AppContext } from '../../../http/app-context.ts'
import { embedAll, readModels, type Vectors } from '../../../learning-index/models.ts'
import type { EmbeddingModels } from '../../../text/embed/embedder.ts'

/** Vectors of texts, computed before a database connection is held. */
export interface EmbeddedTexts {
  readonly models: EmbeddingModels
  readonly vectorsOf: (text: string) => Vectors
  /** Called if an index statement fails; the change itself is committed. */
  readonly onIndexError: (error: unknown) => void
}

const noVectors: Vectors = new Map()

/** A model that is slower than this per page answers the rest of the page with the next request. */
const PENDING_TIMEOUT_MS = 5_000
/** A few at a time, so that what is done when the time is over stays. */
const PENDING_BATCH_SIZE = 20

/**
 * Vectors of pending texts by the active model. Nothing stores them, so each process remembers those that it computed. Texts
 * that the model could not embed in time have none.
 */
export async function embedPendingTexts(
  scope: Scope,
  { apiPool, embedders, log }: Pick<AppContext, 'apiPool' | 'embedders' | 'log'>,
  texts: readonly string[],
): Promise<Pick<EmbeddedTexts, 'models' | 'vectorsOf'>> {
  const models = await readModels(apiPool, embedders)
  const { active } = models
  if (active === null) return { models, vectorsOf: () => noVectors }
  const cache = embedders.pendingVectors
  const distinct = [...new Set(texts)]
  const byText = new Map(distinct.map((text) => [text, cache.get(active.model, text)]))
  const missing = distinct.filter((text) => byText.get(text) === undefined)
  const signal = AbortSignal.timeout(PENDING_TIMEOUT_MS)
  const onError = (model: string, err: unknown) =>
    log.warn({ model, err }, 'pending Learnings could not be compared')
  for (let start = 0; start < missing.length && !signal.aborted; start += PENDING_BATCH_SIZE) {
    const batch = missing.slice(start, start + PENDING_BATCH_SIZE)
    const vectors = await embedAll(scope, { active, filling: [] }, batch, onError, signal)
    for (const [index, text] of batch.entries()) {
      const vector = vectors[index]?.get(active.model)
      if (vector === undefined) continue
      cache.set(active.model, text, vector)
      byText.set(text, vector)
    }
  }
  return {
    models,
    vectorsOf(text) {
      const vector = byText.get(text)
      return vector === undefined ? noVectors : new Map([[active.model, vector]])
    },
  }
}

/** Texts must be redacted. */
export async function embedTexts(
  scope: Scope,
  { apiPool, embedders, log }: Pick<AppContext, 'apiPool' | 'embedders' | 'log'>,
  texts: readonly string[],
): Promise<EmbeddedTexts> {
  const models = await readModels(apiPool, embedders)
  const distinct = [...new Set(texts)]
  const vectors = await embedAll(scope, models, distinct, (model, err) => {
    log.warn({ model, err }, 'embedding failed; the worker will repair the index')
  })
  const byText = new Map(distinct.map((text, index) => [text, vectors[index] ?? noVectors]))
  return {
    models,
    vectorsOf: (text) => byText.get(text) ?? noVectors,
    onIndexError: (err) => log.error({ err }, 'the index could not be written; the worker will repair it'),
  }
}
