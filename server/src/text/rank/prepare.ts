import { type Reading, readTerms, UNKNOWN } from '../words/read.ts'
import { readSubjects, type Subjects } from '../words/subjects.ts'
import type { Words } from '../words/words.ts'

/** A text prepared for comparison. */
export interface PreparedText extends Reading {
  readonly subjects: Subjects
  /** Sum over all words. A name counts by its parts. */
  readonly totalWeight: number
}

// Reviews compare the same Learnings again and again, and preparing a text costs more than comparing it.
const MAX_CACHED_TEXTS = 8_192
const MAX_CACHED_LENGTH = 4_000
const preparedTexts = new WeakMap<Words, Map<string, PreparedText>>()

export function prepareText(words: Words, text: string): PreparedText {
  const cache = preparedTexts.get(words) ?? new Map<string, PreparedText>()
  preparedTexts.set(words, cache)
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const prepared = prepareTerms(words, readTerms(words, text))
  if (text.length > MAX_CACHED_LENGTH) return prepared
  if (cache.size >= MAX_CACHED_TEXTS) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
  cache.set(text, prepared)
  return prepared
}

export function prepareTerms(words: Words, reading: Reading): PreparedText {
  const { weights, names, places: wordIndexes } = reading
  let totalWeight = 0
  for (let at = 0; at < weights.length; at++) {
    if (names[at] === 0 || wordIndexes[at] !== UNKNOWN) totalWeight += weights[at] as number
  }
  return { ...reading, subjects: readSubjects(words, reading), totalWeight }
}
