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

export type PreparedTextCache = Map<string, PreparedText>

export function prepareText(words: Words, text: string, cache: PreparedTextCache): PreparedText {
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

/** A change under review. */
export interface RankQuery {
  readonly text: string
  /** A unified diff, or only its changed lines. */
  readonly diff: string
  readonly files: readonly string[]
}

const MAX_QUERY_TERMS = 40
const MAX_TEXT_LENGTH = 8_000
const MAX_DIFF_LENGTH = 40_000
/** A diff contains many incidental words; a description does not. */
const DIFF_WEIGHT = 0.6

export function prepareQuery(words: Words, { text, diff, files }: RankQuery): PreparedText {
  const textTerms = readTerms(words, text.slice(0, MAX_TEXT_LENGTH))
  const diffTerms = readTerms(words, changedLines(diff.slice(0, MAX_DIFF_LENGTH)))
  const fileTerms = readTerms(
    words,
    textTerms.terms.length + diffTerms.terms.length === 0 ? files.join('\n') : '',
  )
  const terms = new Map<string, QueryTerm>()
  addTerms(terms, textTerms, 1)
  addTerms(terms, diffTerms, textTerms.terms.length === 0 ? 1 : DIFF_WEIGHT)
  addTerms(terms, fileTerms, 1)
  const topTerms = [...terms].sort(([, a], [, b]) => b.weight - a.weight).slice(0, MAX_QUERY_TERMS)
  return prepareTerms(words, {
    terms: topTerms.map(([term]) => term),
    places: Int32Array.from(topTerms, ([, { wordIndex }]) => wordIndex),
    weights: Float32Array.from(topTerms, ([, { weight }]) => weight),
    names: Uint8Array.from(topTerms, ([, { name }]) => name),
  })
}

interface QueryTerm {
  readonly wordIndex: number
  readonly weight: number
  readonly name: number
}

function addTerms(
  terms: Map<string, QueryTerm>,
  { terms: found, places: wordIndexes, weights, names }: Reading,
  factor: number,
): void {
  for (const [at, term] of found.entries()) {
    if (terms.has(term)) continue
    terms.set(term, {
      wordIndex: wordIndexes[at] as number,
      weight: factor * (weights[at] as number),
      name: names[at] as number,
    })
  }
}

/** Added and removed lines, and the context of hunk headers. File names are compared as paths elsewhere. */
export function changedLines(diff: string): string {
  if (!/^@@ /m.test(diff)) return diff
  return diff
    .split('\n')
    .flatMap((line) => {
      if (/^(?:\+\+\+|---) /.test(line)) return []
      if (line.startsWith('@@')) return [line.replace(/^@@[^@]{0,100}@@/, '')]
      return /^[+-]/.test(line) ? [line.slice(1)] : []
    })
    .join('\n')
}
