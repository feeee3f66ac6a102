import { readTerms, UNKNOWN } from '../words/read.ts'
import { readSubjects, type Subjects } from '../words/subjects.ts'
import type { Words } from '../words/words.ts'
import type { Embedder } from './embedder.ts'

/** Change the name if the vectors change: vectors of two models are never compared. */
const MODEL = 'local-words-1'
/** Weight of the n-grams of an unknown word relative to a known word. */
const NGRAM_WEIGHT = 0.5
const NGRAM_LENGTH = 4
/** Weight of the subjects of a text relative to its words. */
const SUBJECT_WEIGHT = 1

/** The weighted mean of the word vectors of a text. Needs neither network nor model server. */
export function createLocalEmbedder(words: Words): Embedder {
  return {
    model: MODEL,
    dimensions: words.dimensions,
    embed: async (texts) => texts.map((text) => embedText(words, text)),
  }
}

function embedText(words: Words, text: string): Float32Array {
  const reading = readTerms(words, text)
  const { terms, places: wordIndexes, weights, names } = reading
  const sum = new Float32Array(words.dimensions)
  for (let at = 0; at < wordIndexes.length; at++) {
    const wordIndex = wordIndexes[at] as number
    if (wordIndex !== UNKNOWN) addWord(sum, words, wordIndex, weights[at] as number)
    else if (names[at] === 0) addNgrams(sum, terms[at] as string)
  }
  const vector = normalizeVector(sum)
  addSubjects(vector, readSubjects(words, reading))
  return normalizeVector(vector)
}

/** Each subject has a pseudo-random direction, seeded by its id: in many dimensions these are nearly orthogonal. */
function addSubjects(vector: Float32Array, { ids, shares }: Subjects): void {
  const factor = SUBJECT_WEIGHT / Math.sqrt(vector.length)
  for (let at = 0; at < ids.length; at++) {
    const share = factor * (shares[at] as number)
    let state = Math.imul((ids[at] as number) + 1, 0x9e3779b1)
    for (let i = 0; i < vector.length; i++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      vector[i] = (vector[i] as number) + (state & 0x10000 ? share : -share)
    }
  }
}

function addWord(
  sum: Float32Array,
  { vectors, scales, dimensions }: Words,
  wordIndex: number,
  weight: number,
): void {
  const factor = weight * (scales[wordIndex] as number)
  const from = wordIndex * dimensions
  for (let i = 0; i < dimensions; i++) {
    sum[i] = (sum[i] as number) + factor * (vectors[from + i] as number)
  }
}

/** Each n-gram has a direction, so that unknown words with common letters are near each other. */
function addNgrams(sum: Float32Array, term: string): void {
  const ngramCount = Math.max(1, term.length - NGRAM_LENGTH + 1)
  const factor = NGRAM_WEIGHT / Math.sqrt(ngramCount)
  for (let start = 0; start < ngramCount; start++) {
    let hash = 0x811c9dc5
    for (let at = start; at < Math.min(start + NGRAM_LENGTH, term.length); at++) {
      hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
    }
    // Two signed entries per n-gram: enough to distinguish n-grams, and cheap.
    for (let round = 0; round < 2; round++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
      const at = (hash >>> 1) % sum.length
      sum[at] = (sum[at] as number) + (hash & 1 ? factor : -factor)
    }
  }
}

/** All texts without a known word get the same vector. */
function normalizeVector(sum: Float32Array): Float32Array {
  let squares = 0
  for (let i = 0; i < sum.length; i++) squares += (sum[i] as number) ** 2
  if (squares === 0) sum[0] = 1
  const length = Math.sqrt(squares) || 1
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) / length
  return sum
}
