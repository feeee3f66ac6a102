import { readFileSync } from 'node:fs'
import { dotProduct, type Embedder, EmbeddingError } from '../../../text/embed/embedder.ts'

/** The English replies of the calibration sources of evals/data/outcomes. */
interface Example {
  readonly label: string
  readonly text: string
}

/** Whether a reply without a known phrase declines. */
type FindDeclining = (reply: string) => Promise<boolean>

/** Chosen on the examples, each compared with the others: precision 43 of 45. */
const NEIGHBOURS = 9
const MIN_SHARE = 0.7
/** Near examples count far more than others. */
const POWER = 4
/** The model knows English, and cannot place a word or two. */
const MIN_WORDS = 4
const english = /^[\x20-\x7e\s’]*$/

/** Compares replies with labelled ones by the sentence model of the service: no text leaves the process. */
export function createDeclineFinder({ embed }: Pick<Embedder, 'embed'>): FindDeclining {
  const file = new URL('reply-examples.jsonl', import.meta.url)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const examples = lines.map((line) => JSON.parse(line) as Example)
  let vectors: Promise<Float32Array[]> | null = null
  return async (reply) => {
    if (!english.test(reply) || reply.split(/\s+/).length < MIN_WORDS) return false
    try {
      vectors ??= embed(examples.map(({ text }) => text))
      const [known, [own]] = [await vectors, await embed([reply])]
      return isDeclined(reply, own, examples, known)
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error
      // The next call tries again.
      vectors = null
      return false
    }
  }
}

/** An example does not decide about itself, so that examples can be measured too. */
function isDeclined(
  own: string,
  vector: Float32Array = new Float32Array(),
  examples: readonly Example[],
  vectors: readonly Float32Array[],
): boolean {
  const near = examples
    .map(({ label, text }, index) => {
      const similarity =
        text.toLowerCase() === own ? 0 : dotProduct(vector, vectors[index] ?? new Float32Array())
      return { label, weight: Math.max(0, similarity) ** POWER }
    })
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, NEIGHBOURS)
  const sum = (all: typeof near) => all.reduce((total, { weight }) => total + weight, 0)
  return sum(near.filter(({ label }) => label === 'declines')) > MIN_SHARE * sum(near)
}
