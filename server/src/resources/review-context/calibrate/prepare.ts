import { hash } from 'node:crypto'
import { dotProduct, type Embedder } from '../../../text/embed/embedder.ts'
import { classifyNearness, parsePaths } from '../../../text/rank/paths.ts'
import { sortByLikelyRarity } from '../../../text/rank/query.ts'
import type { Candidate, RankQuery } from '../../../text/rank/rank.ts'
import { tokenize } from '../../../text/tokens/tokenize.ts'
import { type ReviewQuery, readReviewQuery } from '../read-query.ts'
import type { LabelledData, LabelledLearning, Situation } from './labelled-data.ts'

/** A situation with what a search would find for it, ready to be ranked. */
export interface PreparedSituation {
  readonly situation: Situation
  readonly query: RankQuery
  readonly candidates: readonly Candidate[]
  /** Whether it was searched among a part of the Learnings only. */
  readonly isPart: boolean
}

/** Most organizations have fewer Learnings than the labelled data: about as many as a seventh of what is shipped. */
const PARTS = 7

const BATCH_SIZE = 100

/**
 * Embeds Learnings and queries once, and finds candidates like a review does; null = without a model. `inParts` also searches
 * parts of the Learnings.
 */
export async function prepareSituations(
  { learnings, situations }: LabelledData,
  embedder: Embedder | null,
  { inParts = false } = {},
): Promise<PreparedSituation[]> {
  const queries = situations.map(readReviewQuery)
  const learningVectors = await embedTexts(
    embedder,
    learnings.map(({ learning }) => learning),
  )
  // A query without a word is not embedded.
  const queryVectors = await embedTexts(
    embedder,
    queries.map(({ terms, content }) => (terms.size === 0 ? '' : content)),
  )
  const all = learnings.map(
    (learning, index): EmbeddedLearning => ({
      ...learning,
      vector: learningVectors[index] ?? null,
    }),
  )
  const prepare = (isPart: boolean, among: readonly EmbeddedLearning[]) => {
    const byTerm = indexTerms(among)
    const ids = new Set(among.map(({ id }) => id))
    return situations.flatMap((situation, index): PreparedSituation[] => {
      const query = queries[index]
      const relevant = situation.relevant.filter((id) => ids.has(id))
      // Nobody has labelled what else would fit.
      if (query === undefined || (relevant.length === 0 && situation.relevant.length > 0)) return []
      const vector = queryVectors[index]
      const similarities = among.map((other) =>
        vector && other.vector ? dotProduct(vector, other.vector) : null,
      )
      const candidates = findCandidates(among, query, similarities, byTerm)
      return [{ situation: { ...situation, relevant }, query, candidates, isPart }]
    })
  }
  const parts = Array.from({ length: inParts ? PARTS : 0 }, (_, part) =>
    all.filter(({ id }) => hash('sha256', id, 'buffer').readUInt32BE(0) % PARTS === part),
  )
  return [...prepare(false, all), ...parts.flatMap((part) => prepare(true, part))]
}

interface EmbeddedLearning extends LabelledLearning {
  readonly vector: Float32Array | null
}

/** Empty texts have no vector. */
async function embedTexts(
  embedder: Embedder | null,
  texts: readonly string[],
): Promise<readonly (Float32Array | null)[]> {
  const vectors: (Float32Array | null)[] = texts.map(() => null)
  if (embedder === null) return vectors
  const embedded = [...texts.entries()].filter(([, text]) => text !== '')
  for (let start = 0; start < embedded.length; start += BATCH_SIZE) {
    const batch = embedded.slice(start, start + BATCH_SIZE)
    const found = await embedder.embed(batch.map(([, text]) => text))
    for (const [place, [index]] of batch.entries()) vectors[index] = found[place] ?? null
  }
  return vectors
}

type TermIndex = ReadonlyMap<string, readonly number[]>

function indexTerms(learnings: readonly LabelledLearning[]): TermIndex {
  const byTerm = new Map<string, number[]>()
  for (const [index, { learning }] of learnings.entries()) {
    for (const term of new Set(tokenize(learning).map((token) => token.term)))
      byTerm.set(term, [...(byTerm.get(term) ?? []), index])
  }
  return byTerm
}

// As in learning-index/search-sql.ts and find.ts: a review ranks the nearest ones, as many that share rare terms, and those
// written for its files.
const MAX_NEAREST = 60
const MAX_SHARING = 60
const MAX_TERMS = 12
const MAX_LEARNINGS_PER_TERM = 40

function findCandidates(
  learnings: readonly LabelledLearning[],
  { terms, files }: ReviewQuery,
  similarities: readonly (number | null)[],
  byTerm: TermIndex,
): Candidate[] {
  const found = new Set(findNearest(similarities))
  for (const index of findSharing(terms, byTerm, found)) found.add(index)
  const paths = parsePaths(files)
  const isNear = ({ file }: LabelledLearning) =>
    ['file', 'folder', 'beside'].includes(classifyNearness(file ?? null, paths))
  for (const [index, learning] of learnings.entries()) if (isNear(learning)) found.add(index)
  return [...found].flatMap((index) => {
    const learning = learnings[index]
    if (learning === undefined) return []
    const { id, learning: text, file = null } = learning
    return [{ id, text, file, similarity: similarities[index] ?? null }]
  })
}

function findNearest(similarities: readonly (number | null)[]): number[] {
  return [...similarities.entries()]
    .flatMap(([index, similarity]) => (similarity === null ? [] : [{ index, similarity }]))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_NEAREST)
    .map(({ index }) => index)
}

function findSharing(terms: ReviewQuery['terms'], byTerm: TermIndex, found: ReadonlySet<number>): number[] {
  const weights = new Map<number, number>()
  for (const term of sortByLikelyRarity(terms).slice(0, MAX_TERMS)) {
    const sharing = (byTerm.get(term) ?? []).slice(0, MAX_LEARNINGS_PER_TERM)
    for (const index of sharing) weights.set(index, (weights.get(index) ?? 0) + 1 / sharing.length)
  }
  return [...weights]
    .filter(([index]) => !found.has(index))
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_SHARING)
    .map(([index]) => index)
}
