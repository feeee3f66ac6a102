import type { AppContext } from '../../http/app-context.ts'
import type { RequestInput } from '../../http/endpoint.ts'
import { embedQuery } from '../../learning-index/embed.ts'
import { type EmbeddingModels, readModels } from '../../learning-index/models.ts'
import { sortTermsByWeight } from '../../learning-index/terms.ts'
import type { NoPath, NoQuery } from '../../shape.ts'
import { redact } from '../../text/redact.ts'
import { termsOf } from '../../text/words/tokenize.ts'
import type { Words } from '../../text/words/words.ts'
import { parseDiff } from './changed-lines.ts'
import type { ContextBody } from './schema.ts'

/** The redacted input of a review, prepared before a database connection is held. */
export interface ReviewSubject {
  readonly text: string
  readonly diff: string
  readonly files: readonly string[]
  readonly terms: readonly string[]
  /** Vector of the active model; null if embedding failed. */
  readonly vector: Float32Array | null
  readonly models: EmbeddingModels
  readonly words: Words
}

const MAX_EMBEDDED_CHARACTERS = 4_000
const MAX_FILES = 300

export async function prepareReviewSubject(
  app: AppContext,
  { body }: RequestInput<typeof NoPath, typeof NoQuery, typeof ContextBody>,
): Promise<ReviewSubject> {
  const { words, log } = app
  const changes = parseDiff(body.diff ?? '')
  const text = redact(body.text ?? '').text
  const diff = redact(changes.lines).text
  const files = [...new Set([...(body.files ?? []), ...changes.files])].slice(0, MAX_FILES)
  // Without text and diff, search by the words of the paths.
  const content = `${text}\n${diff}`.trim() || redact(files.join('\n')).text
  const models = await readModels(app.apiPool, app.embedders)
  const vector = await embedQuery(models, content.slice(0, MAX_EMBEDDED_CHARACTERS))
  if (vector === null)
    log.warn(
      { model: models.active.model },
      'embedding of a review failed; searching by terms and files only',
    )
  const terms = interleave(
    sortTermsByWeight(words, termsOf(text || content)),
    sortTermsByWeight(words, termsOf(diff)),
  )
  return { text, diff, files, terms, vector, models, words }
}

/** Only the first terms are looked up: alternate, so that neither list uses all the slots. */
function interleave(some: readonly string[], others: readonly string[]): string[] {
  const pairs = Array.from({ length: Math.max(some.length, others.length) }, (_, index) => [
    some[index],
    others[index],
  ])
  return [...new Set(pairs.flat().filter((term) => term !== undefined))]
}
