import type { Scope } from '../access/scope.ts'
import { type Statement, statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId, OrganizationId } from '../ids.ts'
import { type LearningFilter, renderFilterCondition, toFilterValues } from './filter-sql.ts'
import { hashTerms } from './terms.ts'

export interface SearchHit {
  readonly id: LearningId
  readonly organization_id: OrganizationId
  /** Cosine similarity, from -1 to 1; null if the query has no vector. */
  readonly similarity: number | null
}

/** The organizations to search: those in the list, or all others of the scope. */
export interface OrganizationSet {
  readonly which: 'these' | 'others'
  readonly organizations: readonly OrganizationId[]
}

/** A single organization has its own statements, whose plans read only its partition. */
type OrganizationSource = OrganizationSet['which'] | 'one'

export interface SearchParams {
  readonly model: string
  readonly dimensions: number
  /** In the binary format of halfvec. */
  readonly vector: Buffer | null
  readonly limit: number
  readonly only: LearningFilter
}

const MAX_TERMS = 12
const MAX_ROWS_PER_TERM = 40
const MAX_TERM_LOOKUPS = 1_200

// Most searches have no filter, or filter by repository only: they use generic plans. Other filters get custom plans, so
// that unused conditions do not affect the plan.
export type FilterKind = 'all' | 'repositories' | 'filter'

const sources: Readonly<Record<OrganizationSource, string>> = {
  one: '(select $2::uuid as id) o',
  these: 'unnest($2::uuid[]) o (id)',
  others: `(select c.organization_id as id from learning_count c
    join organization known on known.root_id = $1 and known.id = c.organization_id and known.active
    where c.root_id = $1 and c.repository_id = '' and c.shared > 0 and c.organization_id <> all ($2::uuid[])) o`,
}

const renderFilterExists = (first: number) => `exists (select from learning l
  where l.root_id = $1 and l.organization_id = i.organization_id and l.id = i.learning_id and ${renderFilterCondition(first)})`

// Vector indexes are expression indexes on embedding::halfvec(n). Ordering by the bare column uses none of them, so this
// reads every row.
const nearestRows = `i.learning_id as id, i.organization_id, -(i.embedding <#> $4::halfvec) as similarity
  from learning_index i
  where i.root_id = $1 and i.organization_id = o.id and i.model = $3`
const nearestFirst = 'order by i.embedding <#> $4::halfvec limit $5'

const exactRows: Readonly<Record<FilterKind, string>> = {
  all: `lateral (select ${nearestRows} ${nearestFirst}) f`,
  repositories: `unnest($6::text[]) r (id),
    lateral (select ${nearestRows} and i.repository_id = r.id ${nearestFirst}) f`,
  filter: `lateral (
    with wanted as materialized (
      select l.id from learning l where l.root_id = $1 and l.organization_id = o.id and ${renderFilterCondition(6)})
    select ${nearestRows} and i.learning_id in (select id from wanted) ${nearestFirst}) f`,
}

const vectorIndexConditions: Readonly<Record<FilterKind, string>> = {
  all: '',
  repositories: 'and i.repository_id = any ($6)',
  filter: `and ${renderFilterExists(6)}`,
}

const termConditions: Readonly<Record<FilterKind, string>> = {
  all: '',
  repositories: 'and i.repository_id = any ($7)',
  filter: `and ${renderFilterExists(7)}`,
}

const createExactStatement = (which: OrganizationSource, filterKind: FilterKind) =>
  statement(
    `knowledge.exact.${which}.${filterKind}`,
    `select f.id, f.organization_id, f.similarity from ${sources[which]}, ${exactRows[filterKind]}
     order by f.similarity desc limit $5`,
  )

// The iterative scan may return rows out of order, so sort them again.
const createVectorIndexStatement = (dimensions: number, filterKind: FilterKind) =>
  statement(
    `knowledge.near.${dimensions}.${filterKind}`,
    `with nearest as materialized (
       select i.learning_id as id, i.organization_id, i.embedding::halfvec(${dimensions}) <#> $4::halfvec as distance
       from learning_index i
       where i.root_id = $1 and i.organization_id = $2 and i.model = $3 ${vectorIndexConditions[filterKind]}
       order by i.embedding::halfvec(${dimensions}) <#> $4::halfvec limit $5)
     select id, organization_id, -distance as similarity from nearest order by distance`,
  )

// For several organizations, SQL computes the same hashes as hashTerms().
const termHashRows: Readonly<Record<OrganizationSource, string>> = {
  one: 'select $2::uuid as organization_id, number from unnest($6::bigint[]) t (number)',
  these: renderTermHashes('these'),
  others: renderTermHashes('others'),
}

function renderTermHashes(which: OrganizationSource): string {
  const bytes = `sha256(convert_to(o.id::text, 'UTF8') || '\\x00'::bytea || convert_to(term, 'UTF8'))`
  return `select o.id as organization_id, ('x' || encode(substr(${bytes}, 1, 8), 'hex'))::bit(64)::bigint as number
    from ${sources[which]}, unnest($6::text[]) with ordinality t (term, rank) order by rank limit ${MAX_TERM_LOOKUPS}`
}

// Rare terms weigh more than common ones.
const createTermStatement = (which: OrganizationSource, filterKind: FilterKind) =>
  statement(
    `knowledge.words.${which}.${filterKind}`,
    `with matched as (
       select f.*, 1.0::float8 / count(*) over (partition by asked.organization_id, asked.number) as weight
       from (${termHashRows[which]}) asked, lateral (
         select i.learning_id as id, i.organization_id, -(i.embedding <#> $4::halfvec) as similarity
         from learning_index i
         where i.root_id = $1 and i.organization_id = asked.organization_id and i.model = $3
           and i.terms @> array[asked.number] ${termConditions[filterKind]}
         limit ${MAX_ROWS_PER_TERM}) f)
     select id, organization_id, any_value(similarity) as similarity from matched
     group by id, organization_id order by sum(weight) desc, id limit $5`,
  )

const selectVectorIndexedOrganizations = statement(
  'knowledge.near-organizations',
  `select organization_id, common_terms::text[] as common_terms from learning_near_index
   where root_id = $1 and model = $2`,
)

const selectInstanceOrganizations = statement(
  'knowledge.organizations-of-instance',
  'select id from organization where root_id = $1 and instance_id = $2 and active',
)

const countRepositories = statement(
  'knowledge.count-repositories',
  `select organization_id, sum(shared)::bigint as shared from learning_count
   where root_id = $1 and organization_id = any ($2) and repository_id = any ($3) group by 1`,
)

const countFiltered = statement(
  'knowledge.count-filtered',
  `select o.id as organization_id, c.shared from unnest($2::uuid[]) o (id), lateral (
     select count(*) as shared from (
       select from learning l where l.root_id = $1 and l.organization_id = o.id and ${renderFilterCondition(4)} limit $3) few) c`,
)

const statements = new Map<string, Statement>()
const getOrCreateStatement = (key: string, create: () => Statement): Statement => {
  const known = statements.get(key) ?? create()
  statements.set(key, known)
  return known
}

export function searchExactly(scope: Scope, tx: Tx, organizationSet: OrganizationSet, search: SearchParams) {
  const { model, vector, limit, only } = search
  const { which, organizations } = toOrganizationSource(organizationSet)
  const filterKind = getFilterKind(only)
  const searchStatement = getOrCreateStatement(`exact ${which} ${filterKind}`, () =>
    createExactStatement(which, filterKind),
  )
  return tx.query<SearchHit & object>(searchStatement, [
    scope.root,
    organizations,
    model,
    vector,
    limit,
    ...toFilterParameters(only, filterKind),
  ])
}

/** Uses the organization's own vector index. Call it between `useVectorIndexPlans` and `useGenericPlans`. */
export function searchVectorIndex(scope: Scope, tx: Tx, organization: OrganizationId, search: SearchParams) {
  const filterKind = getFilterKind(search.only)
  const { model, dimensions, vector, limit, only } = search
  const searchStatement = getOrCreateStatement(`near ${dimensions} ${filterKind}`, () =>
    createVectorIndexStatement(dimensions, filterKind),
  )
  return tx.query<SearchHit & object>(searchStatement, [
    scope.root,
    organization,
    model,
    vector,
    limit,
    ...toFilterParameters(only, filterKind),
  ])
}

export function searchTerms(
  scope: Scope,
  tx: Tx,
  organizationSet: OrganizationSet,
  search: SearchParams,
  terms: readonly string[],
) {
  const { model, vector, limit, only } = search
  const { which, organizations } = toOrganizationSource(organizationSet)
  const filterKind = getFilterKind(only)
  const searchStatement = getOrCreateStatement(`words ${which} ${filterKind}`, () =>
    createTermStatement(which, filterKind),
  )
  const firstTerms = terms.slice(0, MAX_TERMS)
  const lookupTerms = typeof organizations === 'string' ? hashTerms(organizations, firstTerms) : firstTerms
  return tx.query<SearchHit & object>(searchStatement, [
    scope.root,
    organizations,
    model,
    vector,
    limit,
    lookupTerms,
    ...toFilterParameters(only, filterKind),
  ])
}

function toOrganizationSource({ which, organizations }: OrganizationSet) {
  const [one] = organizations
  if (which === 'these' && organizations.length === 1 && one !== undefined)
    return { which: 'one', organizations: one } as const
  return { which, organizations }
}

/** The organizations of the scope's instance; null = all of the root. */
export async function findInstanceOrganizations(
  scope: Scope,
  tx: Tx,
): Promise<readonly OrganizationId[] | null> {
  if (scope.instance === null) return null
  const rows = await tx.query<{ id: OrganizationId }>(selectInstanceOrganizations, [
    scope.root,
    scope.instance,
  ])
  return rows.map(({ id }) => id)
}

/** Organizations with a vector index for the model, and the hashes of their common terms. */
export async function findVectorIndexedOrganizations(
  scope: Scope,
  tx: Tx,
  model: string,
): Promise<ReadonlyMap<OrganizationId, ReadonlySet<string>>> {
  const rows = await tx.query<{ organization_id: OrganizationId; common_terms: string[] }>(
    selectVectorIndexedOrganizations,
    [scope.root, model],
  )
  return new Map(rows.map(({ organization_id, common_terms }) => [organization_id, new Set(common_terms)]))
}

/** Returns the organizations where at most `maxRows` rows pass the filter. */
export async function findOrganizationsWithFewRows(
  scope: Scope,
  tx: Tx,
  organizations: readonly OrganizationId[],
  only: LearningFilter,
  maxRows: number,
): Promise<ReadonlySet<OrganizationId>> {
  const counted =
    getFilterKind(only) === 'filter'
      ? tx.query<SharedCountRow>(countFiltered, [
          scope.root,
          organizations,
          maxRows + 1,
          ...toFilterParameters(only, 'filter'),
        ])
      : tx.query<SharedCountRow>(countRepositories, [scope.root, organizations, only.repositories])
  const shared = new Map((await counted).map((row) => [row.organization_id, row.shared]))
  return new Set(organizations.filter((id) => (shared.get(id) ?? 0) <= maxRows))
}

interface SharedCountRow {
  readonly [column: string]: unknown
  readonly organization_id: OrganizationId
  readonly shared: number
}

export function getFilterKind({ repositories, ...rest }: LearningFilter): FilterKind {
  if (Object.values(rest).some((value) => value !== undefined && value !== false)) return 'filter'
  return repositories === undefined ? 'all' : 'repositories'
}

function toFilterParameters(only: LearningFilter, filterKind: FilterKind): unknown[] {
  if (filterKind === 'all') return []
  if (filterKind === 'repositories') return [only.repositories]
  return toFilterValues(only)
}

// Connections cache generic plans, but a partial index of one organization is usable only if its id is known.
const setCustomPlans = statement(
  'knowledge.plan-each',
  "select set_config('plan_cache_mode', 'force_custom_plan', true)",
)
// The planner underestimates the rows of an organization and would sort them instead of using the index.
const setVectorIndexPlans = statement(
  'knowledge.plan-near',
  `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'off', true),
     set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true)`,
)
const setGenericPlans = statement(
  'knowledge.plan-once',
  `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'on', true)`,
)

/** Plans the following statements of the transaction for their values. */
export async function useCustomPlans(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(setCustomPlans, [])
}

/** For `searchVectorIndex`. A higher `efSearch` misses fewer of the nearest rows, at a higher cost. */
export async function useVectorIndexPlans(_scope: Scope, tx: Tx, efSearch: number): Promise<void> {
  await tx.query(setVectorIndexPlans, [String(efSearch)])
}

export async function useGenericPlans(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(setGenericPlans, [])
}
