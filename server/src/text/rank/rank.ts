import { createTextCache } from '../text-cache.ts'
import { type Token, tokenize } from '../tokens/tokenize.ts'
import type { Calibration } from './calibration.ts'
import { classifyNearness, type Nearness, parsePaths } from './paths.ts'
import { explain } from './reason.ts'

/** What is under review, or searched for. */
export interface RankQuery {
  /** Words of the query; see `readQueryTerms`. */
  readonly terms: QueryTerms
  readonly files: readonly string[]
}

/** The distinct terms of a query, with the kind that they have there. */
export type QueryTerms = ReadonlyMap<string, Token['kind']>

export interface Candidate {
  readonly id: string
  readonly text: string
  /** The file or folder that the Learning was written for. */
  readonly file: string | null
  /** Whether it was written for the pull request under review. */
  readonly ofPullRequest?: boolean
  /** Cosine similarity to the query; null if unknown. */
  readonly similarity: number | null
}

/** `none`: below the floor, so it does not fit. */
export type Match = 'strong' | 'weak' | 'none'

export interface RankedCandidate {
  readonly id: string
  /** From 0 to 1. */
  readonly score: number
  readonly match: Match
  /** Whether it contains a term of the query. */
  readonly sharesTerm: boolean
  readonly similarity: number | null
  /** One sentence for people. */
  readonly reason: string
}

export interface Ranker {
  /** Returns all candidates, best match first. */
  rank(query: RankQuery, candidates: readonly Candidate[], calibration: Calibration): RankedCandidate[]
}

const nearnessWeights: Readonly<Record<Nearness, number>> = {
  'pull-request': 0.3,
  file: 0.3,
  folder: 0.2,
  beside: 0.05,
  above: 0.03,
  language: 0.01,
  none: 0,
}

const MAX_CACHED_TEXTS = 8_192

type ReadTerms = (text: string) => ReadonlySet<string>

/** A ranker caches the terms of texts: create one per process. */
export function createRanker(): Ranker {
  const readTerms = createTextCache(
    MAX_CACHED_TEXTS,
    (text) => new Set(tokenize(text).map(({ term }) => term)),
  )
  return { rank: (query, candidates, calibration) => rank(readTerms, query, candidates, calibration) }
}

/**
 * score = similarity + `terms` × share of the query's terms that the candidate contains + nearness of its file.
 * A term weighs the square of its inverse document frequency among the candidates, as in a cosine of TF-IDF vectors.
 */
function rank(
  readTerms: ReadTerms,
  { terms, files }: RankQuery,
  candidates: readonly Candidate[],
  calibration: Calibration,
): RankedCandidate[] {
  const paths = parsePaths(files)
  const known = candidates.map(({ text }) => readTerms(text))
  const weights = weighTerms(terms, known)
  const total = getTotalWeight(weights, candidates.length)
  const lowest = findLowestSimilarity(candidates)
  const sharedTerms = known.map((inText) => [...terms.keys()].filter((term) => inText.has(term)))
  const sharesAny = sharedTerms.some(({ length }) => length > 0)
  const limits = { ...calibration, floor: sharesAny ? calibration.floor : calibration.unsharedFloor }
  const rare = new Set([...terms.keys()].filter((term) => isRare(term, known)))
  const ranked = candidates.map(({ id, text, file, ofPullRequest, similarity }, index) => {
    const shared = sharedTerms[index] ?? []
    const nearness = ofPullRequest ? 'pull-request' : classifyNearness(file, paths)
    const share = shared.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / total
    const sum =
      calibration.similarity * Math.max(0, similarity ?? lowest) +
      calibration.terms * share +
      nearnessWeights[nearness]
    return {
      id,
      sum,
      score: Math.min(1, sum),
      nearness,
      isClose: calibration.similarity * (similarity ?? 0) >= limits.strong,
      sharesRareTerms: shared.filter((term) => rare.has(term)).length >= MIN_RARE_TERMS,
      sharesTerm: shared.length > 0,
      similarity,
      // Lazy: only the results need it.
      get reason() {
        const rarest = shared.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0))
        return explain({ text, file, shared: rarest, nearness })
      },
    }
  })
  ranked.sort((a, b) => b.sum - a.sum || (a.id < b.id ? -1 : 1))
  // Not spread: the reason is lazy.
  return ranked.map((one, place) =>
    Object.assign(one, { match: classifyMatch(one, place, terms.size > 0, limits) }),
  )
}

/** One word that is shared by chance says little, however rare it is. */
const MIN_RARE_TERMS = 2

/** Chosen on the calibration situations, searched among 165 Learnings. */
const LEADING = 2

interface Scored {
  readonly sum: number
  readonly nearness: Nearness
  readonly isClose: boolean
  readonly sharesRareTerms: boolean
}

/**
 * A Learning written for the pull request, for a changed file, or for a folder above one applies: at least a weak match. Of the
 * others, the first two are returned from the floor on; those that follow are right less often, and need half the way to strong.
 */
function classifyMatch(
  { sum, nearness, isClose, sharesRareTerms }: Scored,
  place: number,
  hasTerms: boolean,
  { floor, strong }: Calibration,
): Match {
  const isWrittenForIt = nearness === 'pull-request' || nearness === 'file' || nearness === 'folder'
  if (isClose || (sharesRareTerms && sum >= floor) || (isWrittenForIt && !hasTerms)) return 'strong'
  return isWrittenForIt || sum >= (place < LEADING ? floor : Math.max(floor, (floor + strong) / 2))
    ? 'weak'
    : 'none'
}

/** Of this many texts, one or none contains a rare term; of a few texts, two may. */
const TEXTS_PER_RARE_TERM = 20

function isRare(term: string, candidates: readonly ReadonlySet<string>[]): boolean {
  const frequency = candidates.reduce((count, known) => count + (known.has(term) ? 1 : 0), 0)
  return frequency <= Math.max(2, candidates.length / TEXTS_PER_RARE_TERM)
}

/** A few candidates do not show how rare a term is: assume this many more texts without it. */
const ASSUMED_TEXTS = 100

function weighTerms(
  terms: QueryTerms,
  candidates: readonly ReadonlySet<string>[],
): ReadonlyMap<string, number> {
  return new Map(
    [...terms.keys()].map((term) => {
      const frequency = candidates.reduce((count, known) => count + (known.has(term) ? 1 : 0), 0)
      return [term, Math.log((candidates.length + ASSUMED_TEXTS) / (frequency + 0.5)) ** 2]
    }),
  )
}

/** One more term that nobody has: a query of one common word must not be met whole. */
function getTotalWeight(weights: ReadonlyMap<string, number>, candidates: number): number {
  return weights
    .values()
    .reduce((sum, weight) => sum + weight, Math.log((candidates + ASSUMED_TEXTS) / 0.5) ** 2)
}

/** A candidate that the vector search did not return is at most as similar as the last one it returned. */
function findLowestSimilarity(candidates: readonly Candidate[]): number {
  const known = candidates.map(({ similarity }) => similarity).filter((similarity) => similarity !== null)
  return known.length === 0 ? 0 : known.reduce((lowest, similarity) => Math.min(lowest, similarity), 1)
}
