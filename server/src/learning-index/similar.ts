import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId, OrganizationId } from '../ids.ts'
import { dotProduct, type Embedder, type EmbeddingModels } from '../text/embed/embedder.ts'
import { readIndexedOrganizations } from './search.ts'
import { searchVectorIndex, useGenericPlans, useVectorIndexPlans } from './search-sql.ts'
import { type LearningVector, type SimilarLearning, selectSimilarLearnings } from './sql.ts'
import { encodeHalfVector } from './terms.ts'

export const MAX_SIMILAR = 5
const EF_SEARCH = 40

/** The live Learnings that are close to each of the given ones, nearest first. */
export type SimilarById = ReadonlyMap<LearningId, readonly SimilarLearning[]>

interface Comparison {
  readonly minSimilarity: number
  /** Compares the given Learnings with each other too: they become live together. */
  readonly withEachOther: boolean
}

/**
 * Compares Learnings with the live ones of their organization. They may be indexed already: none is close to itself. A Learning
 * without a vector has no entry.
 */
export async function findSimilar(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  organization: OrganizationId,
  learnings: readonly LearningVector[],
  { minSimilarity, withEachOther }: Comparison,
): Promise<SimilarById> {
  const stored = await findStored(scope, tx, models, organization, learnings, minSimilarity)
  const others = withEachOther ? learnings : []
  return new Map(
    learnings.map(({ id, vector }) => {
      const found = new Map(stored.get(id)?.map((one) => [one.id, one.similarity]))
      for (const other of others) found.set(other.id, dotProduct(vector, other.vector))
      found.delete(id)
      return [id, selectNearest(found, minSimilarity)]
    }),
  )
}

async function findStored(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  organization: OrganizationId,
  learnings: readonly LearningVector[],
  minSimilarity: number,
): Promise<SimilarById> {
  const { active } = models
  if (active === null || learnings.length === 0) return new Map()
  const indexed = await readIndexedOrganizations(scope, tx, models)
  if (indexed.has(organization)) return searchByVectorIndex(scope, tx, active, organization, learnings)
  const rows = await selectSimilarLearnings(scope, tx, organization, active.model, learnings, {
    minSimilarity,
    limit: MAX_SIMILAR,
  })
  return Map.groupBy(rows, ({ asked_id }) => asked_id)
}

/** One statement per Learning, all in one round trip. */
async function searchByVectorIndex(
  scope: Scope,
  tx: Tx,
  { model, dimensions }: Embedder,
  organization: OrganizationId,
  learnings: readonly LearningVector[],
): Promise<SimilarById> {
  // One more than needed: a Learning that is indexed already finds itself.
  const search = { model, dimensions, limit: MAX_SIMILAR + 1, only: {} }
  const [, found] = await Promise.all([
    useVectorIndexPlans(scope, tx, EF_SEARCH),
    Promise.all(
      learnings.map(({ vector }) =>
        searchVectorIndex(scope, tx, organization, { ...search, vector: encodeHalfVector(vector) }),
      ),
    ),
    useGenericPlans(scope, tx),
  ])
  return new Map(
    learnings.map(({ id }, index) => [
      id,
      (found[index] ?? []).map((hit) => ({ id: hit.id, similarity: hit.similarity ?? 0 })),
    ]),
  )
}

function selectNearest(found: ReadonlyMap<LearningId, number>, minSimilarity: number): SimilarLearning[] {
  return [...found]
    .filter(([, similarity]) => similarity >= minSimilarity)
    .map(([id, similarity]) => ({ id, similarity: Math.min(1, Math.round(similarity * 1000) / 1000) }))
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_SIMILAR)
}
