import type { AppContext } from '../../http/app-context.ts'
import type { RequestInput } from '../../http/endpoint.ts'
import { embedQuery } from '../../learning-index/embed.ts'
import { type EmbeddingModels, readModels } from '../../learning-index/models.ts'
import { sortTermsByWeight } from '../../learning-index/terms.ts'
import { redact } from '../../text/redact.ts'
import { termsOf } from '../../text/words/tokenize.ts'
import type { Words } from '../../text/words/words.ts'
import { parseDiff } from './changed-lines.ts'
import type { ContextBody, NoParams } from './schema.ts'

/** What is under review, free of credentials, and ready before a connection is held. */
export interface ReviewSubject {
  readonly text: string
  readonly diff: string
  readonly files: readonly string[]
  readonly terms: readonly string[]
  /** Of the active model; null when it gave none: then words and files alone find. */
  readonly vector: Float32Array | null
  readonly models: EmbeddingModels
  readonly words: Words
}

const MAX_EMBEDDED_CHARACTERS = 4_000
const MAX_FILES = 300

export async function prepareReviewSubject(
  app: AppContext,
  { body }: RequestInput<typeof NoParams, typeof NoParams, typeof ContextBody>,
): Promise<ReviewSubject> {
  const { words, log } = app
  const changes = parseDiff(body.diff ?? '')
  const text = redact(body.text ?? '').text
  const diff = redact(changes.lines).text
  const files = [...new Set([...(body.files ?? []), ...changes.files])].slice(0, MAX_FILES)
  // Where nothing else is said, the paths are words too.
  const content = `${text}\n${diff}`.trim() || redact(files.join('\n')).text
  const models = await readModels(app.apiPool, app.embedders)
  const vector = await embedQuery(models, content.slice(0, MAX_EMBEDDED_CHARACTERS))
  if (vector === null)
    log.warn(
      { model: models.active.model },
      'a review is given Learnings by words and files alone: no vector',
    )
  const terms = interleave(
    sortTermsByWeight(words, termsOf(text || content)),
    sortTermsByWeight(words, termsOf(diff)),
  )
  return { text, diff, files, terms, vector, models, words }
}

/** The first ones are looked up: neither the text nor the diff is to take all the places. */
function interleave(some: readonly string[], others: readonly string[]): string[] {
  const pairs = Array.from({ length: Math.max(some.length, others.length) }, (_, index) => [
    some[index],
    others[index],
  ])
  return [...new Set(pairs.flat().filter((term) => term !== undefined))]
}
