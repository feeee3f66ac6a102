import { readTerms } from '../words/read.ts'
import type { Words } from '../words/words.ts'
import { createMatcher, type MatchScores, type QueryTables } from './match.ts'
import { classifyNearness, type Nearness, parsePaths } from './paths.ts'
import { type PreparedTextCache, prepareQuery, prepareTerms, prepareText, type RankQuery } from './prepare.ts'
import { explain } from './reason.ts'

export interface Candidate {
  readonly id: string
  readonly text: string
  readonly file: string | null
  /** Cosine similarity to the query; null if the candidate was found by terms only. */
  readonly similarity: number | null
}

export interface RankedCandidate {
  readonly id: string
  /** From 0 to 1; comparable only within one result. */
  readonly score: number
  /** One sentence for people. */
  readonly reason: string
}

const QUERY_COVERAGE_WEIGHT = 1.5
const CANDIDATE_COVERAGE_WEIGHT = 1
const EXACT_COVERAGE_WEIGHT = 0.5
const SUBJECT_WEIGHT = 2
const SIMILARITY_WEIGHT = 0.5
const NAME_WEIGHT = 0.4
const MAX_NAMES = 3
/** The sum of signals that gives a score of about two thirds. */
const SCORE_SCALE = 2.2

const nearnessWeights: Readonly<Record<Nearness, number>> = {
  file: 0.8,
  folder: 0.4,
  above: 0.2,
  language: 0.08,
  none: 0,
}

export interface Ranker {
  /** Returns all candidates, best match first. */
  rank(query: RankQuery, candidates: readonly Candidate[]): RankedCandidate[]
}

/** A ranker caches prepared texts: create one per process. */
export function createRanker(words: Words): Ranker {
  const caches = { preparedTexts: new Map(), freeTables: [] }
  return { rank: (query, candidates) => rank(words, caches, query, candidates) }
}

interface RankerCaches {
  readonly preparedTexts: PreparedTextCache
  readonly freeTables: QueryTables[]
}

function rank(
  words: Words,
  { preparedTexts, freeTables }: RankerCaches,
  query: RankQuery,
  candidates: readonly Candidate[],
): RankedCandidate[] {
  const preparedQuery = prepareQuery(words, query)
  const paths = parsePaths(query.files)
  const matcher = createMatcher(words, preparedQuery, freeTables)
  const lowest = findLowestSimilarity(candidates)
  const ranked = candidates.map(({ id, text, file, similarity }) => {
    const candidate = prepareText(words, text, preparedTexts)
    const match = matcher.match(candidate)
    const nearness = classifyNearness(file, paths)
    const effectiveSimilarity = similarity ?? lowest
    const sum = weighSignals(match, nearness, effectiveSimilarity)
    return {
      id,
      sum,
      score: 1 - Math.exp(-sum / SCORE_SCALE),
      // Lazy: only the first few results need it.
      get reason() {
        return explain({
          words,
          query: preparedQuery,
          candidate,
          text,
          match,
          nearness,
          similarity: effectiveSimilarity,
        })
      },
    }
  })
  matcher.close()
  return ranked.sort((a, b) => b.sum - a.sum || (a.id < b.id ? -1 : 1))
}

function weighSignals(match: MatchScores, nearness: Nearness, similarity: number): number {
  return (
    QUERY_COVERAGE_WEIGHT * match.queryCoverage +
    CANDIDATE_COVERAGE_WEIGHT * match.candidateCoverage +
    EXACT_COVERAGE_WEIGHT * match.exactCoverage +
    SUBJECT_WEIGHT * match.subjectOverlap +
    SIMILARITY_WEIGHT * Math.max(0, similarity) +
    NAME_WEIGHT * Math.min(match.nameCount, MAX_NAMES) +
    nearnessWeights[nearness]
  )
}

/** A candidate that the vector search did not return is at most as similar as the last one it returned. */
function findLowestSimilarity(candidates: readonly Candidate[]): number {
  const known = candidates.map(({ similarity }) => similarity).filter((similarity) => similarity !== null)
  return known.length === 0 ? 0 : known.reduce((lowest, similarity) => Math.min(lowest, similarity), 1)
}

/** A purely lexical baseline: common words, weighted by rarity. */
export function lexicalScore(words: Words, query: string, text: string): number {
  const preparedQuery = prepareQuery(words, { text: query, diff: '', files: [] })
  const candidate = prepareTerms(words, readTerms(words, text))
  const own = new Set(candidate.terms)
  let sum = 0
  for (const [at, term] of preparedQuery.terms.entries())
    if (own.has(term)) sum += preparedQuery.weights[at] as number
  const length = 1 - LENGTH_NORMALIZATION + (LENGTH_NORMALIZATION * candidate.terms.length) / AVERAGE_TERMS
  return sum / (sum + SATURATION * length)
}

// As in BM25, with one occurrence per term.
const LENGTH_NORMALIZATION = 0.5
const AVERAGE_TERMS = 15
const SATURATION = 1.2
