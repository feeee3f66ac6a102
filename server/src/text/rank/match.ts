import { UNKNOWN } from '../words/read.ts'
import type { Words } from '../words/words.ts'
import type { PreparedText } from './prepare.ts'

/** How far the words of a query and of a candidate meet; all from 0 to 1 but `names`, which counts. */
export interface MatchScores {
  /** Of the query's words, by weight: met by the same word or by one close to it. */
  readonly queryCoverage: number
  /** Of the candidate's words. */
  readonly candidateCoverage: number
  /** Of the query's words: met by the same word. */
  readonly exactCoverage: number
  readonly subjectOverlap: number
  readonly nameCount: number
}

/** What compares one query with many candidates; it holds the tables of a query until it is closed. */
export interface Matcher {
  match(candidate: PreparedText): MatchScores
  close(): void
}

interface QueryTables {
  /** By the place of a word: the first of its links, 0 for none. */
  readonly heads: Int32Array
  readonly subjects: Float32Array
}

const MIN_LIKENESS = 0.2
const freeTables = new WeakMap<Words, QueryTables>()

/** Every word that is close to one of the query is written down once, so that a candidate's words are only looked up. */
export function createMatcher(words: Words, query: PreparedText): Matcher {
  const tables = freeTables.get(words) ?? {
    heads: new Int32Array(words.size),
    subjects: new Float32Array(words.subjectCount),
  }
  freeTables.delete(words)
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
      freeTables.set(words, tables)
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

/** Only the same word is the same. */
const MAX_INEXACT_LIKENESS = 0.99

interface MatchState {
  readonly heads: Int32Array
  readonly links: TermLinks
  readonly unknown: ReadonlyMap<string, number>
  /** How well each term of the query was met; written here. */
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
  // A very short candidate is not all met because its one word is.
  return Math.min(1, matchedWeight / (totalWeight + SHORT_TEXT_PENALTY))
}

const SHORT_TEXT_PENALTY = 2

function summarizeMatch(
  { weights, names, totalWeight }: PreparedText,
  best: Float32Array,
  exact: Uint8Array,
): { queryCoverage: number; exactCoverage: number; nameCount: number } {
  let [asked, exactCoverage, nameCount] = [0, 0, 0]
  for (let term = 0; term < best.length; term++) {
    const weight = weights[term] as number
    asked += weight * (best[term] as number)
    exactCoverage += weight * (exact[term] as number)
    nameCount += (names[term] as number) & (exact[term] as number)
  }
  const total = totalWeight || 1
  return {
    queryCoverage: Math.min(1, asked / total),
    exactCoverage: Math.min(1, exactCoverage / total),
    nameCount,
  }
}

function compareSubjects({ subjects: { ids, shares } }: PreparedText, asked: Float32Array): number {
  let sum = 0
  for (let at = 0; at < ids.length; at++) sum += (shares[at] as number) * (asked[ids[at] as number] as number)
  return sum
}
