import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId, OrganizationId } from '../ids.ts'
import { renderHalfVector } from './terms.ts'

/** A Learning and its vector of the active model. */
export interface LearningVector {
  readonly id: LearningId
  readonly vector: Float32Array
}

/** A live Learning that is close to another one. */
export interface SimilarLearning {
  readonly id: LearningId
  /** Cosine similarity, at most 1. */
  readonly similarity: number
}

// The vectors are parsed once, not once per row of the index.
const selectSimilar = statement(
  'knowledge.similar',
  `with asked as materialized (
     select id, vector::halfvec as vector from unnest($4::uuid[], $5::text[]) t (id, vector))
   select asked_id, id, similarity from (
     select asked.id as asked_id, i.learning_id as id, -(i.embedding <#> asked.vector) as similarity,
       row_number() over (partition by asked.id order by i.embedding <#> asked.vector, i.learning_id) as rank
     from learning_index i, asked
     where i.root_id = $1 and i.organization_id = $2 and i.model = $3 and i.learning_id <> asked.id
       and i.embedding <#> asked.vector <= -$6::float8) near
   where rank <= $7 order by asked_id, rank`,
)

export interface SimilarRow extends SimilarLearning {
  readonly asked_id: LearningId
}

/** Compares each vector with every indexed Learning of the organization; at most `limit` rows per vector. */
export function selectSimilarLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  model: string,
  learnings: readonly LearningVector[],
  { minSimilarity, limit }: { readonly minSimilarity: number; readonly limit: number },
): Promise<SimilarRow[]> {
  return tx.query<SimilarRow & object>(selectSimilar, [
    scope.root,
    organization,
    model,
    learnings.map(({ id }) => id),
    learnings.map(({ vector }) => renderHalfVector(vector)),
    minSimilarity,
    limit,
  ])
}

export type LearningPair = readonly [LearningId, LearningId]

const selectPairs = statement(
  'knowledge.pair-similarity',
  `select pair.number::int as number, -(a.embedding <#> b.embedding) as similarity
   from unnest($4::uuid[], $5::uuid[]) with ordinality pair (one, other, number)
   join learning_index a on a.root_id = $1 and a.organization_id = $2 and a.model = $3 and a.learning_id = pair.one
   join learning_index b on b.root_id = $1 and b.organization_id = $2 and b.model = $3 and b.learning_id = pair.other`,
)

/** One similarity per pair; null if one of the two is not indexed. */
export async function readPairSimilarities(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  model: string,
  pairs: readonly LearningPair[],
): Promise<(number | null)[]> {
  if (pairs.length === 0) return []
  const rows = await tx.query<{ number: number; similarity: number }>(selectPairs, [
    scope.root,
    organization,
    model,
    pairs.map(([one]) => one),
    pairs.map(([, other]) => other),
  ])
  const byNumber = new Map(rows.map(({ number, similarity }) => [number, similarity]))
  return pairs.map((_, index) => byNumber.get(index + 1) ?? null)
}
