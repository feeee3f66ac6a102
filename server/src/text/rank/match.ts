import { UNKNOWN } from '../words/read.ts'
import type { Words } from '../words/words.ts'
import type { PreparedText } from './prepare.ts'

/** How well the words of a query and a candidate match; from 0 to 1, except `nameCount`. */
export interface MatchScores {
  /** Weighted share of the query's words with the same or a similar word in the candidate. */
  readonly queryCoverage: number
  /** The same share of the candidate's words. */
  readonly candidateCoverage: number
  /** Weighted share of the query's words with the same word in the candidate. */
  readonly exactCoverage: number
  readonly subjectOverlap: number
  readonly nameCount: number
}

/** Compares one query with many candidates. Holds the query's tables until it is closed. */
export interface Matcher {
  match(candidate: PreparedText): MatchScores
  close(): void
}

/** Scratch tables of a query, as large as the vocabulary; reused because they are zero when a matcher is closed. */
export interface QueryTables {
  /** By word index: the first link, 0 for none. */
  readonly heads: Int32Array
  readonly subjects: Float32Array
}

const MIN_LIKENESS = 0.2

/** Links every word similar to a word of the query once, so that a candidate's words are only looked up. */
export function createMatcher(words: Words, query: PreparedText, freeTables: QueryTables[]): Matcher {
  const tables = freeTables.pop() ?? {
    heads: new Int32Array(words.size),
    subjects: new Float32Array(words.subjectCount),
  }
  const links = linkSimilarWords(words, query, tables.heads)
  const unknown = new Map<string, number>()
  for (const [at, wordIndex] of query.places.entries()) {
    if (wordIndex === UNKNOWN) unknown.set(query.terms[at] as string, at)
  }
  for (const [at, id] of query.subjects.ids.entries()) {
    tables.subjects[id] = query.subjects.shares[at] as number
  }
  const best = new Float32Array(query.places.length)
  const exact = new Uint8Array(query.places.length)
  return {
    match: (candidate) => {
      best.fill(0)
      exact.fill(0)
      const candidateCoverage = matchTerms(candidate, { heads: tables.heads, links, unknown, best, exact })
      return {
        candidateCoverage,
        subjectOverlap: compareSubjects(candidate, tables.subjects),
        ...summarizeMatch(query, best, exact),
      }
    },
    close: () => {
      for (const wordIndex of links.touched) tables.heads[wordIndex] = 0
      for (const id of query.subjects.ids) tables.subjects[id] = 0
      freeTables.push(tables)
    },
  }
}

interface TermLinks {
  readonly next: Int32Array
  readonly terms: Uint8Array
  readonly likeness: Float32Array
  readonly touched: readonly number[]
}

function linkSimilarWords(words: Words, { places: wordIndexes }: PreparedText, heads: Int32Array): TermLinks {
  const { kinStarts, kin, kinLikeness } = words
  let count = 1
  for (const wordIndex of wordIndexes) {
    if (wordIndex !== UNKNOWN)
      count += 1 + (kinStarts[wordIndex + 1] as number) - (kinStarts[wordIndex] as number)
  }
  const links = {
    next: new Int32Array(count),
    terms: new Uint8Array(count),
    likeness: new Float32Array(count),
    touched: [] as number[],
  }
  let at = 1
  const link = (wordIndex: number, term: number, likeness: number) => {
    if (heads[wordIndex] === 0) links.touched.push(wordIndex)
    links.next[at] = heads[wordIndex] as number
    links.terms[at] = term
    links.likeness[at] = likeness
    heads[wordIndex] = at++
  }
  for (let term = 0; term < wordIndexes.length; term++) {
    const wordIndex = wordIndexes[term] as number
    if (wordIndex === UNKNOWN) continue
    link(wordIndex, term, 1)
    const end = kinStarts[wordIndex + 1] as number
    for (let kinAt = kinStarts[wordIndex] as number; kinAt < end; kinAt++) {
      const likeness = ((kinLikeness[kinAt] as number) / 255 - MIN_LIKENESS) / (1 - MIN_LIKENESS)
      if (likeness > 0) link(kin[kinAt] as number, term, Math.min(likeness, MAX_INEXACT_LIKENESS))
    }
  }
  return links
}

/** A similar word never counts as an exact match. */
const MAX_INEXACT_LIKENESS = 0.99

interface MatchState {
  readonly heads: Int32Array
  readonly links: TermLinks
  readonly unknown: ReadonlyMap<string, number>
  /** Output: the best likeness of each term of the query. */
  readonly best: Float32Array
  readonly exact: Uint8Array
}

function matchTerms(candidate: PreparedText, { heads, links, unknown, best, exact }: MatchState): number {
  const { places: wordIndexes, weights, terms, totalWeight } = candidate
  let matchedWeight = 0
  for (let at = 0; at < wordIndexes.length; at++) {
    const wordIndex = wordIndexes[at] as number
    let nearest = 0
    if (wordIndex === UNKNOWN) {
      const term = unknown.size === 0 ? undefined : unknown.get(terms[at] as string)
      if (term === undefined) continue
      best[term] = exact[term] = nearest = 1
    }
    for (
      let link = wordIndex === UNKNOWN ? 0 : (heads[wordIndex] as number);
      link !== 0;
      link = links.next[link] as number
    ) {
      const likeness = links.likeness[link] as number
      const term = links.terms[link] as number
      if (likeness > nearest) nearest = likeness
      if (likeness > (best[term] as number)) best[term] = likeness
      if (likeness === 1) exact[term] = 1
    }
    matchedWeight += nearest * (weights[at] as number)
  }
  // The penalty keeps a one-word candidate from full coverage.
  return Math.min(1, matchedWeight / (totalWeight + SHORT_TEXT_PENALTY))
}

const SHORT_TEXT_PENALTY = 2

function summarizeMatch(
  { weights, names, totalWeight }: PreparedText,
  best: Float32Array,
  exact: Uint8Array,
): { queryCoverage: number; exactCoverage: number; nameCount: number } {
  let [queryCoverage, exactCoverage, nameCount] = [0, 0, 0]
  for (let term = 0; term < best.length; term++) {
    const weight = weights[term] as number
    queryCoverage += weight * (best[term] as number)
    exactCoverage += weight * (exact[term] as number)
    nameCount += (names[term] as number) & (exact[term] as number)
  }
  const total = totalWeight || 1
  return {
    queryCoverage: Math.min(1, queryCoverage / total),
    exactCoverage: Math.min(1, exactCoverage / total),
    nameCount,
  }
}

function compareSubjects({ subjects: { ids, shares } }: PreparedText, queryShares: Float32Array): number {
  let sum = 0
  for (let at = 0; at < ids.length; at++)
    sum += (shares[at] as number) * (queryShares[ids[at] as number] as number)
  return sum
}
