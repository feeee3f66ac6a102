import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { createStatementCache, distinct, renderScans } from '../../../db/keyset-sql.ts'
import type { NamedStatement } from '../../../db/named-statement.ts'
import type { RowSink } from '../../../db/raw-rows.ts'
import type { Tx } from '../../../db/transaction.ts'
import { BLOCK_DAYS, type Grain, type WindowSplit } from '../../../metrics-store/counts/grain.ts'
import { type DayRangeSql, renderTallies, toDayRangeSql } from '../../../metrics-store/counts/tallies-sql.ts'
import type { MetricsWindow } from '../../../metrics-store/page-sql.ts'

export interface SumRequest {
  readonly scope: Scope
  readonly window: MetricsWindow
  /** Organizations whose rows are not returned. */
  readonly hidden: readonly string[]
  readonly windowSplit: WindowSplit
  readonly byOrganization: boolean
}

// Finds the organizations of a root one index lookup at a time: no index leads from a root to its periods.
const organizationsOfRoot = `recursive known as (
    (select organization_id from finding_count where root_id = :root order by organization_id limit 1)
    union all
    select (select f.organization_id from finding_count f where f.root_id = :root and f.organization_id > known.organization_id
      order by f.organization_id limit 1)
    from known where known.organization_id is not null),`

const scopes = {
  organizations: {
    walk: '',
    counts: 'organization_id = any (:organizations::uuid[])',
    stale: 'organization_id = any (:organizations::uuid[])',
  },
  instance: { walk: '', counts: 'instance_id = :instance::uuid', stale: 'true' },
  root: {
    walk: organizationsOfRoot,
    counts: 'organization_id = any (array(select organization_id from known))',
    stale: 'true',
  },
} as const

type ScopeKind = keyof typeof scopes

interface SumShape {
  readonly kind: ScopeKind
  readonly grain: Grain
  readonly byRepository: boolean
  readonly byAuthor: boolean
}

const inScope = `(:organizations::uuid[] is null or organization_id = any (:organizations)) and (:instance::uuid is null or instance_id = :instance)
  and organization_id <> all (:hidden::uuid[])`
const filters = `${inScope} and (:repositories::text[] is null or repository_id = any (:repositories)) and (:authors::text[] is null or author_id = any (:authors))`

// Stale blocks among the whole periods: their pull requests are read instead of their counts. The days are computed here
// because row-level security prevents computing them from the block in the scan of the pull requests.
const staleRange = toDayRangeSql(
  'greatest(block, :firstPeriod::int)',
  `least(block + ${BLOCK_DAYS - 1}, :lastPeriod::int)`,
)
const renderStaleCte = (accessPath: string) => `stale as materialized (
    select organization_id, block, ${staleRange.firstDay} as first_day, ${staleRange.lastDay} as last_day, ${staleRange.firstWeek} as first_week,
      ${staleRange.lastWeek} as last_week
    from stale_finding_count
    where root_id = :root and ${accessPath} and block between :firstPeriod::int - ${BLOCK_DAYS - 1} and :lastPeriod::int and ${inScope})`
const staleDays = {
  firstDay: 'first_day',
  lastDay: 'last_day',
  firstWeek: 'first_week',
  lastWeek: 'last_week',
}

// Left out unless the sums are grouped by it: an id has more bytes than the other columns of most rows.
const organization = `case when :byOrganization::boolean then organization_id::text else '' end`

function renderCounts(shape: SumShape): string {
  const counted = `select period, ${organization} as organization, repository_id, author_id, tally from finding_count
    where root_id = :root and ${chooseCountsPath(shape)} and period between :firstPeriod::int and :lastPeriod::int and ${filters}
      and (organization_id, period - period % ${BLOCK_DAYS}) not in (select organization_id, block from stale)`
  const before = renderPullRequestTallies(
    shape,
    toDayRangeSql(':firstBefore::int', ':lastBefore::int'),
    filters,
  )
  const after = renderPullRequestTallies(shape, toDayRangeSql(':firstAfter::int', ':lastAfter::int'), filters)
  const rows = [counted, renderStaleTallies(shape), before, after]
    .map((piece) => `(${piece})`)
    .join(' union all ')
  const scope = scopes[shape.kind]
  return `with ${scope.walk} ${renderStaleCte(scope.stale)} ${rows}`
}

// Repositories and authors of a whole root have a partial index each, for one grain. PostgreSQL uses it only if the grain is
// a literal.
function chooseCountsPath({ kind, grain, byRepository, byAuthor }: SumShape): string {
  if (kind === 'root' && grain === 'repository' && byRepository)
    return `grain = 'repository' and repository_id = any (:repositories::text[])`
  if (kind === 'root' && grain === 'author' && byAuthor)
    return `grain = 'author' and author_id = any (:authors::text[])`
  return `${scopes[kind].counts} and grain = :grain::text`
}

/** Pull requests by the most selective access path, value by value, so that each scan uses its index. */
function renderPullRequestTallies(
  { kind, byRepository, byAuthor }: SumShape,
  days: DayRangeSql,
  condition: string,
): string {
  const each = (column: string, given: string) =>
    renderScans(
      [`unnest(${given}) led`],
      renderTallies(`${column} = led and ${condition}`, days, organization),
      'tallies',
    )
  if (byAuthor) return each('author_id', ':authors::text[]')
  if (byRepository) return each('repository_id', ':repositories::text[]')
  if (kind === 'organizations') return each('organization_id', ':organizations::uuid[]')
  const path = kind === 'instance' ? `instance_id = :instance::uuid and ${condition}` : condition
  return renderTallies(path, days, organization)
}

/** The pull requests of stale blocks. */
function renderStaleTallies(shape: SumShape): string {
  if (!shape.byRepository && !shape.byAuthor)
    return renderScans(
      ['stale'],
      renderTallies(`organization_id = stale.organization_id and ${filters}`, staleDays, organization),
      'tallies',
    )
  // For few repositories or authors, each period is scanned once, however many organizations have it stale.
  const isStale = '(organization_id, block) in (select organization_id, block from stale)'
  return renderScans(
    ['(select distinct block, first_day, last_day, first_week, last_week from stale) periods'],
    renderPullRequestTallies(shape, staleDays, `${filters} and ${isStale}`),
    'tallies',
  )
}

const getStatement = createStatementCache()

function toStatement(shape: SumShape): NamedStatement {
  const { kind, grain, byRepository, byAuthor } = shape
  const name = `metrics.counts-${grain}-of-${kind}${byRepository ? '-by-repository' : ''}${byAuthor ? '-by-author' : ''}`
  return getStatement(name, () => renderCounts(shape))
}

// A window that is filtered by repositories or authors is summed at a grain that has these columns.
const filtersByGrain: Readonly<
  Record<Grain, readonly (readonly [byRepository: boolean, byAuthor: boolean])[]>
> = {
  block: [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ],
  repository: [
    [false, false],
    [true, false],
  ],
  author: [
    [false, false],
    [false, true],
  ],
  total: [[false, false]],
}

/** Every statement that a summary can use. */
export function listCountsStatements(): NamedStatement[] {
  return (Object.keys(scopes) as ScopeKind[]).flatMap((kind) =>
    (Object.keys(filtersByGrain) as Grain[]).flatMap((grain) =>
      filtersByGrain[grain].map(([byRepository, byAuthor]) =>
        toStatement({ kind, grain, byRepository, byAuthor }),
      ),
    ),
  )
}

/** Rows of (period, organization, repository, author, tally) in any order, from one snapshot: each finding is in exactly one row. */
export function readCounts(
  { scope, window, hidden, windowSplit, byOrganization }: SumRequest,
  tx: Tx,
  sink: RowSink,
): Promise<void> {
  const { repositories, authors } = window
  const { grain, before, whole, after } = windowSplit
  const query = toStatement({
    kind: getScopeKind(scope),
    grain,
    byRepository: repositories !== null,
    byAuthor: authors !== null,
  })
  const values = query.bind(scope, {
    organizations: dedupe(scope.organizations),
    repositories: dedupe(repositories),
    authors: dedupe(authors),
    hidden,
    firstPeriod: whole[0],
    lastPeriod: whole[1],
    firstBefore: before[0],
    lastBefore: before[1],
    firstAfter: after[0],
    lastAfter: after[1],
    grain,
    byOrganization,
  })
  return tx.streamRows(query, values, sink)
}

const selectProviderIds = statement(
  'metrics.provider-ids-of-organizations',
  'select id, provider_organization_id from organization where root_id = $1 and id = any ($2::uuid[])',
)

/** By id of the service: what the Git provider calls these organizations. */
export async function readProviderIds(
  scope: Scope,
  tx: Tx,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (organizations.length === 0) return new Map()
  const rows = await tx.query<{ id: string; provider_organization_id: string }>(selectProviderIds, [
    scope.root,
    organizations,
  ])
  return new Map(rows.map((row) => [row.id, row.provider_organization_id]))
}

function dedupe(given: readonly string[] | null): readonly string[] | null {
  return given === null ? null : distinct(given)
}

function getScopeKind({ organizations, instance }: Scope): ScopeKind {
  if (organizations !== null) return 'organizations'
  return instance === null ? 'root' : 'instance'
}
