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

/** Texts must be redacted. */
export async function embedTexts(
  { apiPool, embedders, log }: Pick<AppContext, 'apiPool' | 'embedders' | 'log'>,
  texts: readonly string[],
): Promise<EmbeddedTexts> {
  const models = await readModels(apiPool, embedders)
  const distinct = [...new Set(texts)]
  const vectors = await embedAll(models, distinct, (model, err) => {
    log.warn({ model, err }, 'embedding failed; the worker will repair the index')
  })
  const byText = new Map(distinct.map((text, index) => [text, vectors[index] ?? noVectors]))
  return {
    models,
    vectorsOf: (text) => byText.get(text) ?? noVectors,
    onIndexError: (err) => log.error({ err }, 'the index could not be written; the worker will repair it'),
  }
}
