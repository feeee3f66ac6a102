import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import type { OrganizationId } from '../ids.ts'
import type { EmbeddingModels } from '../text/embed/embedder.ts'
import type { LearningFilter } from './filter-sql.ts'
import {
  findInstanceOrganizations,
  findOrganizationsWithFewRows,
  findVectorIndexedOrganizations,
  getFilterKind,
  type OrganizationSet,
  type SearchHit,
  type SearchParams,
  searchExactly,
  searchTerms,
  searchVectorIndex,
  useCustomPlans,
  useGenericPlans,
  useVectorIndexPlans,
} from './search-sql.ts'
import { encodeHalfVector, hashTerms } from './terms.ts'

export interface CandidateQuery {
  /** null = every organization of the scope. */
  readonly organizations: readonly OrganizationId[] | null
  /** Vector of the active model; null = search by terms only. */
  readonly vector: Float32Array | null
  /** Sorted by `sortTermsByWeight`: only the first twelve are looked up. */
  readonly terms: readonly string[]
  /** Applies to each search: at most `limit` hits by vector, and as many by terms. */
  readonly limit: number
  readonly only: LearningFilter
}

/** Organizations with their own vector index, and the hashes of terms too common to look up. */
type CommonTermsByOrganization = ReadonlyMap<OrganizationId, ReadonlySet<string>>

/** Up to this many rows, an exact scan is fast enough. Larger organizations get a vector index. */
export const MAX_EXACT_ROWS = 10_000
const MIN_EF_SEARCH = 100

/**
 * Returns the nearest Learnings by vector, then those that share terms. Uses the vector index of organizations that have
 * one and an exact scan for the others. All searches go in one round trip.
 */
export async function findCandidates(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  requested: CandidateQuery,
): Promise<SearchHit[]> {
  const organizations = requested.organizations ?? (await findInstanceOrganizations(scope, tx))
  const query = { ...requested, organizations }
  const { vector, limit, only } = query
  const { model, dimensions } = models.active
  const search: SearchParams = { model, dimensions, vector: vector && encodeHalfVector(vector), limit, only }
  const indexed = await readIndexedOrganizations(scope, tx, models, query.organizations)
  const large = await findLargeOrganizations(scope, tx, indexed, only)
  // Connections use generic plans by default, which suits the other statements.
  const plans: Promise<void>[] = []
  if (getFilterKind(only) === 'filter') plans.push(useCustomPlans(scope, tx))
  const byWords = startTermSearches(scope, tx, search, query, indexed)
  const byVector = vector === null ? [] : startExactSearches(scope, tx, search, query.organizations, large)
  if (vector !== null && large.length > 0) {
    plans.push(useVectorIndexPlans(scope, tx, Math.max(MIN_EF_SEARCH, limit)))
    byVector.push(...large.map((organization) => searchVectorIndex(scope, tx, organization, search)))
  }
  if (plans.length > 0) plans.push(useGenericPlans(scope, tx))
  const [nearest, sharing] = await Promise.all([Promise.all(byVector), Promise.all(byWords), ...plans])
  return mergeHits(nearest.flat(), sharing.flat(), limit)
}

/** Organizations where enough rows pass the filter to use their vector index. */
async function findLargeOrganizations(
  scope: Scope,
  tx: Tx,
  indexed: CommonTermsByOrganization,
  only: LearningFilter,
): Promise<OrganizationId[]> {
  const large = [...indexed.keys()]
  if (large.length === 0 || getFilterKind(only) === 'all') return large
  const small = await findOrganizationsWithFewRows(scope, tx, large, only, MAX_EXACT_ROWS)
  return large.filter((id) => !small.has(id))
}

function startExactSearches(
  scope: Scope,
  tx: Tx,
  search: SearchParams,
  organizations: CandidateQuery['organizations'],
  large: readonly OrganizationId[],
): Promise<SearchHit[]>[] {
  const organizationSet = excludeOrganizations(organizations, large)
  return isEmptySet(organizationSet) ? [] : [searchExactly(scope, tx, organizationSet, search)]
}

/** Skips common terms of large organizations: they match too many rows to be useful. */
function startTermSearches(
  scope: Scope,
  tx: Tx,
  search: SearchParams,
  { organizations, terms }: CandidateQuery,
  indexed: CommonTermsByOrganization,
): Promise<SearchHit[]>[] {
  const requested = [...indexed].flatMap(([organization, common]) => {
    const numbers = hashTerms(organization, terms)
    const rare = terms.filter((_, index) => !common.has(String(numbers[index])))
    const organizationSet: OrganizationSet = { which: 'these', organizations: [organization] }
    return rare.length === 0 ? [] : [searchTerms(scope, tx, organizationSet, search, rare)]
  })
  const others = excludeOrganizations(organizations, [...indexed.keys()])
  if (terms.length > 0 && !isEmptySet(others)) requested.push(searchTerms(scope, tx, others, search, terms))
  return requested
}

function excludeOrganizations(
  organizations: CandidateQuery['organizations'],
  left: readonly OrganizationId[],
): OrganizationSet {
  if (organizations === null) return { which: 'others', organizations: left }
  return { which: 'these', organizations: organizations.filter((id) => !left.includes(id)) }
}

function isEmptySet({ which, organizations }: OrganizationSet): boolean {
  return which === 'these' && organizations.length === 0
}

/** Cached with the models. It decides how rows are searched, never which rows may be returned. */
async function readIndexedOrganizations(
  scope: Scope,
  tx: Tx,
  models: EmbeddingModels,
  organizations: CandidateQuery['organizations'],
): Promise<CommonTermsByOrganization> {
  const key = JSON.stringify([scope.root, scope.organizations, scope.instance])
  const cached =
    models.indexedOrganizations?.get(key) ??
    (await findVectorIndexedOrganizations(scope, tx, models.active.model))
  models.indexedOrganizations?.set(key, cached)
  if (organizations === null || cached.size === 0) return cached
  return new Map([...cached].filter(([id]) => organizations.includes(id)))
}

function mergeHits(nearest: readonly SearchHit[], sharing: readonly SearchHit[], limit: number): SearchHit[] {
  const best = nearest.toSorted((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0)).slice(0, limit)
  const found = new Set(best.map(({ id }) => id))
  return [...best, ...sharing.filter(({ id }) => !found.has(id)).slice(0, limit)]
}
