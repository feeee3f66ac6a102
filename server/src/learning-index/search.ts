import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import type { OrganizationId } from '../ids.ts'
import type { EmbeddingModels } from '../text/embed/embedder.ts'
import {
  findCommonTerms,
  findSearchedOrganizations,
  findVectorIndexedOrganizations,
  getFilterKind,
  type SearchHit,
  type SearchParams,
  searchExactly,
  searchTerms,
  searchVectorIndex,
  useGenericPlans,
  useVectorIndexPlans,
} from './search-sql.ts'
import type { LearningFilter } from './sql.ts'
import { encodeHalfVector, hashTerms } from './terms.ts'

export interface CandidateQuery {
  /** null = every organization of the scope. */
  readonly organizations: readonly OrganizationId[] | null
  /** Vector of the active model; null = search by terms only. */
  readonly vector: Float32Array | null
  /** Rarest first: only the first twelve are looked up. */
  readonly terms: readonly string[]
  /** Does not look up terms that many Learnings contain, if the organization is searched by vector too. */
  readonly rareTermsOnly?: boolean
  /** Applies to each search: at most `limit` hits by vector, and as many by terms. */
  readonly limit: number
  readonly only: LearningFilter
}

/** Up to this many rows, comparing every row is fast enough. Larger organizations get a vector index. */
export const MAX_EXACT_ROWS = 10_000
const MIN_EF_SEARCH = 100

/** Returns the nearest Learnings by vector, then those that share terms. All searches go in one round trip. */
export async function findCandidates(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  { organizations, vector, terms: allTerms, rareTermsOnly = false, limit, only }: CandidateQuery,
): Promise<SearchHit[]> {
  const searched = organizations ?? (await findSearchedOrganizations(scope, tx))
  if (searched.length === 0) return []
  const search = {
    model: models.active?.model ?? null,
    vector: vector && encodeHalfVector(vector),
    limit,
    only,
  }
  // A vector index knows nothing of filters: with a selective one, it would find too few.
  const canUseIndex = vector !== null && getFilterKind(only) === 'all'
  const indexed = canUseIndex ? await readIndexedOrganizations(scope, tx, models) : new Set<OrganizationId>()
  const isRareOnly = rareTermsOnly && canUseIndex
  const terms = isRareOnly ? await selectRareTerms(scope, tx, models, searched, indexed, allTerms) : allTerms
  const [sharing, nearest] = await Promise.all([
    terms.length === 0 ? [] : searchTerms(scope, tx, searched, search, terms),
    vector === null
      ? []
      : searchByVector(scope, tx, searched, indexed, { ...search, dimensions: vector.length }),
  ])
  return mergeHits(nearest, sharing, limit)
}

/** Compares row by row, except in organizations with a vector index of their own. */
async function searchByVector(
  scope: Scope,
  tx: Tx,
  organizations: readonly OrganizationId[],
  indexed: ReadonlySet<OrganizationId>,
  search: SearchParams & { readonly dimensions: number },
): Promise<SearchHit[]> {
  const small = organizations.filter((id) => !indexed.has(id))
  const large = organizations.filter((id) => indexed.has(id))
  const found = small.length === 0 ? [] : [searchExactly(scope, tx, small, search)]
  if (large.length > 0) {
    // Connections use generic plans by default, which suits the other statements.
    const planned = useVectorIndexPlans(scope, tx, Math.max(MIN_EF_SEARCH, search.limit))
    found.push(...large.map((organization) => searchVectorIndex(scope, tx, organization, search)))
    await Promise.all([planned, ...found, useGenericPlans(scope, tx)])
  }
  return (await Promise.all(found)).flat()
}

/**
 * The organizations of the scope with a vector index of the active model. Cached with the models, because it decides how
 * rows are searched, never which rows may be returned.
 */
export async function readIndexedOrganizations(
  scope: Scope,
  tx: Tx,
  { active, indexedOrganizations }: EmbeddingModels,
): Promise<ReadonlySet<OrganizationId>> {
  if (active === null) return new Set()
  const key = JSON.stringify([scope.root, scope.organizations, scope.instance])
  const indexed =
    indexedOrganizations?.get(key) ?? (await findVectorIndexedOrganizations(scope, tx, active.model))
  indexedOrganizations?.set(key, indexed)
  return indexed
}

const COMMON_TERMS_CACHE_MS = 600_000
const MAX_CACHED_ORGANIZATIONS = 500

/**
 * The lookup of a common term reads all its entries of the inverted index and returns an arbitrary few of its Learnings.
 * The search by vector finds better ones.
 */
async function selectRareTerms(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  [organization, ...others]: readonly OrganizationId[],
  indexed: ReadonlySet<OrganizationId>,
  terms: readonly string[],
): Promise<readonly string[]> {
  if (models.active === null || organization === undefined || others.length > 0) return terms
  const size = indexed.has(organization) ? 'large' : 'small'
  const cached = models.commonTerms?.get(organization)
  const isFresh = cached !== undefined && performance.now() < cached.until
  const common = isFresh
    ? cached.hashes
    : await findCommonTerms(scope, tx, organization, models.active.model, size)
  if (!isFresh && models.commonTerms !== undefined) {
    if (models.commonTerms.size >= MAX_CACHED_ORGANIZATIONS) models.commonTerms.clear()
    models.commonTerms.set(organization, {
      until: performance.now() + COMMON_TERMS_CACHE_MS,
      hashes: common,
    })
  }
  const hashes = hashTerms(organization, terms)
  return terms.filter((_, index) => !common.has(String(hashes[index])))
}

function mergeHits(nearest: readonly SearchHit[], sharing: readonly SearchHit[], limit: number): SearchHit[] {
  const best = nearest.toSorted((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0)).slice(0, limit)
  const found = new Set(best.map(({ id }) => id))
  return [...best, ...sharing.filter(({ id }) => !found.has(id)).slice(0, limit)]
}
