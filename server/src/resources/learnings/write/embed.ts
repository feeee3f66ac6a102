import type { AppContext } from '../../../http/app-context.ts'
import { embedAll, type Vectors } from '../../../learning-index/embed.ts'
import { type Models, readModels } from '../../../learning-index/models.ts'

/** What the index needs of texts, made before a connection is held. */
export interface Embedded {
  readonly models: Models
  readonly vectorsOf: (text: string) => Vectors
  /** Told of statements of the index that failed; the change they belong to stands. */
  readonly trouble: (error: unknown) => void
}

const none: Vectors = new Map()

/** Texts are redacted before they come here. */
export async function embedTexts(
  { apiPool, embedders, log }: Pick<AppContext, 'apiPool' | 'embedders' | 'log'>,
  texts: readonly string[],
): Promise<Embedded> {
  const models = await readModels(apiPool, embedders)
  const distinct = [...new Set(texts)]
  const vectors = await embedAll(models, distinct, (model, err) => {
    log.warn({ model, err }, 'texts could not be embedded: the worker repairs the index')
  })
  const byText = new Map(distinct.map((text, index) => [text, vectors[index] ?? none]))
  return {
    models,
    vectorsOf: (text) => byText.get(text) ?? none,
    trouble: (err) => log.error({ err }, 'the index could not be written: the worker repairs it'),
  }
}
