import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import { createStatementCache } from '../db/keyset-sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId, OrganizationId } from '../ids.ts'
import { filterCondition, type LearningFilter, toFilterValues } from './sql.ts'
import { hashTerms } from './terms.ts'

export interface SearchHit {
  readonly id: LearningId
  readonly organization_id: OrganizationId
  /** Cosine similarity, from -1 to 1; null if the query or the Learning has no vector. */
  readonly similarity: number | null
}

export interface SearchParams {
  readonly model: string | null
  /** In the binary format of halfvec. */
  readonly vector: Buffer | null
  readonly limit: number
  readonly only: LearningFilter
}

/** A single organization has its own statements, whose plans read only its partition. */
type OrganizationSource = 'one' | 'several'

// A filter by repository is frequent and uses an index. The other filters are conditions on the Learning.
type FilterKind = 'all' | 'repositories' | 'filter'

const MAX_TERMS = 12
const MAX_ROWS_PER_TERM = 40
const MAX_TERM_LOOKUPS = 1_200

const sources: Readonly<Record<OrganizationSource, string>> = {
  one: '(select :searched::uuid as id) o',
  several: 'unnest(:searched::uuid[]) o (id)',
}

/** Conditions on `learning_index i`. */
const conditions: Readonly<Record<FilterKind, string>> = {
  all: '',
  repositories: 'and i.repository_id = any (:repositories)',
  filter: `and exists (select from learning l
        where l.root_id = :root and l.organization_id = i.organization_id and l.id = i.learning_id
          and ${filterCondition})`,
}

const getStatement = createStatementCache()

// Vector indexes are expression indexes on embedding::halfvec(n). Ordering by the bare column uses none of them, so this
// compares every row of the organization.
const toExactStatement = (which: OrganizationSource, filterKind: FilterKind) =>
  getStatement(
    `learning-index.exact.${which}.${filterKind}`,
    () => `select f.id, f.organization_id, f.similarity from ${sources[which]}, lateral (
       select i.learning_id as id, i.organization_id, -(i.embedding <#> :vector::halfvec) as similarity
       from learning_index i
       where i.root_id = :root and i.organization_id = o.id and i.model = :model ${conditions[filterKind]}
       order by i.embedding <#> :vector::halfvec limit :limit) f
     order by f.similarity desc limit :limit`,
  )

// The iterative scan may return rows out of order, so sort them again.
const toVectorIndexStatement = (dimensions: number) =>
  getStatement(
    `learning-index.vector.${dimensions}`,
    () => `with nearest as materialized (
       select i.learning_id as id, i.organization_id, i.embedding::halfvec(${dimensions}) <#> :vector::halfvec as distance
       from learning_index i
       where i.root_id = :root and i.organization_id = :organization and i.model = :model
       order by i.embedding::halfvec(${dimensions}) <#> :vector::halfvec limit :limit)
     select id, organization_id, -distance as similarity from nearest order by distance`,
  )

// For several organizations, SQL computes the same hashes as hashTerms().
const termHashRows: Readonly<Record<OrganizationSource, string>> = {
  one: 'select :searched::uuid as organization_id, number from unnest(:terms::bigint[]) t (number)',
  several: `select o.id as organization_id, ('x' || encode(substr(sha256(convert_to(o.id::text, 'UTF8') || '\\x00'::bytea
      || convert_to(term, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint as number
    from ${sources.several}, unnest(:terms::text[]) with ordinality t (term, rank) order by rank limit ${MAX_TERM_LOOKUPS}`,
}

// Rare terms weigh more than common ones. A row of any model has the terms of its Learning, so that a search finds
// Learnings by terms before they have a vector of the active model.
const toTermStatement = (which: OrganizationSource, filterKind: FilterKind) =>
  getStatement(
    `learning-index.words.${which}.${filterKind}`,
    () => `with matched as (
       select f.*, 1.0::float8 / count(*) over (partition by asked.organization_id, asked.number) as weight
       from (${termHashRows[which]}) asked, lateral (
         select i.learning_id as id, i.organization_id,
           case when i.model = :model then -(i.embedding <#> :vector::halfvec) end as similarity
         from learning_index i
         where i.root_id = :root and i.organization_id = asked.organization_id
           and i.terms @> array[asked.number] ${conditions[filterKind]}
         limit ${MAX_ROWS_PER_TERM}) f)
     select id, organization_id, max(similarity) as similarity from matched
     group by id, organization_id order by sum(weight) desc, id limit :limit`,
  )

const selectSearchedOrganizations = statement(
  'learning-index.searched-organizations',
  `select o.id from learning_count c
   join organization o on o.root_id = $1 and o.id = c.organization_id and o.active
   where c.root_id = $1 and c.repository_id = '' and c.shared > 0 and ($2::uuid is null or o.instance_id = $2)`,
)

const selectVectorIndexedOrganizations = statement(
  'learning-index.vector-organizations',
  'select organization_id from learning_vector_index where root_id = $1 and model = $2',
)

// Ids are hashes of the texts, so the first ones are a random sample.
const selectCommonTerms = statement(
  'learning-index.common-terms',
  `select term::text as hash from (
     select i.terms from learning_index i
     where i.root_id = $1 and i.organization_id = $2 and i.model = $3 order by i.learning_id limit $4) sample,
     unnest(sample.terms) term
   group by term having count(*) > $5`,
)

const SAMPLED_ROWS = 1_000
/** Rows of the sample. In a large organization, looking up a term that one row in a hundred has reads a thousand entries. */
const MAX_ROWS_OF_RARE_TERM = { small: 1.5 * MAX_ROWS_PER_TERM, large: 10 }

/** Hashes of the terms that so many Learnings of the organization contain that a lookup returns only some of them. */
export async function findCommonTerms(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  model: string,
  size: keyof typeof MAX_ROWS_OF_RARE_TERM,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ hash: string }>(selectCommonTerms, [
    scope.root,
    organization,
    model,
    SAMPLED_ROWS,
    MAX_ROWS_OF_RARE_TERM[size],
  ])
  return new Set(rows.map(({ hash }) => hash))
}

/** Compares the vector with every row of the organizations. */
export function searchExactly(
  scope: Scope,
  tx: Tx,
  organizations: readonly OrganizationId[],
  search: SearchParams,
) {
  const [which, searched] = toOrganizationSource(organizations)
  const query = toExactStatement(which, getFilterKind(search.only))
  const values = { ...search, searched, ...toFilterValues(search.only) }
  return tx.query<SearchHit>(query, query.bind(scope, values))
}

/** Uses the organization's own vector index. Call it between `useVectorIndexPlans` and `useGenericPlans`. */
export function searchVectorIndex(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  search: SearchParams & { readonly dimensions: number },
) {
  const query = toVectorIndexStatement(search.dimensions)
  return tx.query<SearchHit>(query, query.bind(scope, { ...search, organization }))
}

export function searchTerms(
  scope: Scope,
  tx: Tx,
  organizations: readonly OrganizationId[],
  search: SearchParams,
  terms: readonly string[],
) {
  const [which, searched] = toOrganizationSource(organizations)
  const query = toTermStatement(which, getFilterKind(search.only))
  const firstTerms = terms.slice(0, MAX_TERMS)
  const values = {
    ...search,
    searched,
    terms: typeof searched === 'string' ? hashTerms(searched, firstTerms) : firstTerms,
    ...toFilterValues(search.only),
  }
  return tx.query<SearchHit>(query, query.bind(scope, values))
}

function toOrganizationSource(
  organizations: readonly OrganizationId[],
): ['one', OrganizationId] | ['several', readonly OrganizationId[]] {
  const [one] = organizations
  return organizations.length === 1 && one !== undefined ? ['one', one] : ['several', organizations]
}

/** The organizations of the scope that have shared Learnings. */
export async function findSearchedOrganizations(scope: Scope, tx: Tx): Promise<OrganizationId[]> {
  const rows = await tx.query<{ id: OrganizationId }>(selectSearchedOrganizations, [
    scope.root,
    scope.instance,
  ])
  return rows.map(({ id }) => id)
}

/** The organizations of the scope with a vector index for the model. */
export async function findVectorIndexedOrganizations(
  scope: Scope,
  tx: Tx,
  model: string,
): Promise<ReadonlySet<OrganizationId>> {
  const rows = await tx.query<{ organization_id: OrganizationId }>(selectVectorIndexedOrganizations, [
    scope.root,
    model,
  ])
  return new Set(rows.map(({ organization_id }) => organization_id))
}

export function getFilterKind({ repositories, ...rest }: LearningFilter): FilterKind {
  if (Object.values(rest).some((value) => value !== undefined && value !== false)) return 'filter'
  return repositories === undefined ? 'all' : 'repositories'
}

// Connections cache generic plans, but the partial index of one organization is usable only if its id is known. The planner
// underestimates the rows of an organization and would sort them instead of using the index.
const setVectorIndexPlans = statement(
  'learning-index.plan-vector',
  `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'off', true),
     set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true)`,
)
const setGenericPlans = statement(
  'learning-index.plan-once',
  `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'on', true)`,
)

/** For `searchVectorIndex`. A higher `efSearch` misses fewer of the nearest rows, at a higher cost. */
export async function useVectorIndexPlans(_scope: Scope, tx: Tx, efSearch: number): Promise<void> {
  await tx.query(setVectorIndexPlans, [String(efSearch)])
}

export async function useGenericPlans(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(setGenericPlans, [])
}
