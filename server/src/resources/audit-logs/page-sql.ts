import type { ClearValue } from '../../access/audit/chain.ts'
import { renderHashedTime } from '../../access/audit/sql.ts'
import type { Scope } from '../../access/scope.ts'
import { createStatementCache, renderScans } from '../../db/keyset-sql.ts'
import type { NamedStatement } from '../../db/named-statement.ts'
import type { Tx } from '../../db/transaction.ts'
import { MAX_NUMBERED_ROWS } from './schema.ts'
import {
  getIndexPrefix,
  getScopeKind,
  renderCountCondition,
  renderLogCondition,
  type ScopeKind,
  toScopeValues,
  toTimeValues,
} from './sql.ts'
import type { TimeRange } from './window.ts'

/** Actors by id, and by kind for actors without an id. */
export interface ActorFilter {
  readonly ids: readonly string[]
  readonly kinds: readonly string[]
}

export interface AuditFilters {
  /** Null if the request has no dates. */
  readonly timeRange: TimeRange | null
  readonly actions: readonly string[] | null
  readonly actors: ActorFilter | null
}

export interface AuditRow {
  readonly position: number
  readonly hash: string
  readonly id: string
  /** With microseconds if the stored time has them, which the hash then does not match. */
  readonly at: string
  readonly organization_id: string | null
  readonly action: string
  readonly resource_type: string
  readonly resource_id: string | null
  readonly actor_kind: 'person' | 'key' | 'operator' | 'service'
  readonly actor_id: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly sealed: Readonly<Record<string, string>>
  readonly clear: Readonly<Record<string, ClearValue>> | null
  readonly person: { readonly name: string; readonly email: string | null } | null
  readonly key: {
    readonly name: string
    readonly kind: string
    readonly prefix: string
    readonly last_four: string
    readonly owner: { readonly id: string; readonly name: string } | null
  } | null
  /** Current name of the custom role in the metadata. Null for a system role and for a deleted one. */
  readonly role_name: string | null
  /** Current name of the resource, or of the person whose session it is; the first words of a Learning. */
  readonly resource_name: string | null
}

const MAX_PAGE_ROWS = 100
/** A search counts at most as many rows as page numbers reach: counting all rows of a busy actor takes too long. */
const MAX_COUNTED_ROWS = MAX_NUMBERED_ROWS

/** How a branch scans its index: order, start and limit. */
interface IndexScan {
  readonly order: 'asc' | 'desc' | null
  /** Start after this position; null starts at the end of the index. */
  readonly after: ':after::bigint' | null
  /** A constant for the planner: PostgreSQL then plans for the few rows of a page. */
  readonly maxRows: number
  readonly limitExpression: string
}

interface NumberedPage {
  readonly skip: number
  readonly size: number
}

interface AppendedPage {
  readonly after: number
  readonly size: number
}

/** Which filters a request has. */
type FilterShape = Readonly<Record<keyof AuditFilters, boolean>>

function toFilterShape({ timeRange, actions, actors }: AuditFilters): FilterShape {
  return { timeRange: timeRange !== null, actions: actions !== null, actors: actors !== null }
}

function toFilterValues({ timeRange, actions, actors }: AuditFilters): object {
  return {
    ...(timeRange && toTimeValues(timeRange)),
    actions,
    actorIds: actors?.ids ?? null,
    actorKinds: actors?.kinds ?? null,
  }
}

/** Selects (position, at) of the matching rows. Each branch follows the order of one index. */
function renderMatchingRows(
  kind: ScopeKind,
  { timeRange, actions, actors }: FilterShape,
  scan: IndexScan,
): string {
  const positionRange = timeRange ? renderPositionRange(kind) : null
  const organizationSources = kind === 'organizations' ? ['unnest(:organizations::uuid[]) walked (id)'] : []
  const branch = (
    source: readonly string[],
    indexPrefix: readonly (readonly [string, string])[],
    extraCondition: string,
  ) =>
    renderScans(
      [...organizationSources, ...source],
      renderBranchRows(indexPrefix, extraCondition, positionRange, scan),
      'found',
    )
  const organization = getIndexPrefix(kind)
  if (!actors && !actions)
    return branch([], organization, organization.length > 0 ? '' : renderLogCondition(kind))
  if (!actors)
    return branch(
      ['unnest(:actions::text[]) asked (action)'],
      [['action', 'asked.action']],
      renderLogCondition(kind),
    )
  // An actor has fewer rows than an organization, so the actor's index is scanned.
  const scopeCondition = `${renderLogCondition(kind, 'is not distinct from')}${actions ? ' and action = any (:actions::text[])' : ''}`
  const ids = 'unnest(:actorIds::uuid[]) asked (actor)'
  const kinds = 'unnest(:actorKinds::text[]) asked (kind)'
  return `${branch([ids], [['actor_id', 'asked.actor']], scopeCondition)}
    union all ${branch([kinds], [['actor_id', 'null']], ` and actor_kind = asked.kind${scopeCondition}`)}`
}

// One generic plan serves all values. PostgreSQL plans for a common value and would scan the whole root for a rare one.
// Row comparisons, ordered by the same columns, leave only the index with these leading columns.
function renderBranchRows(
  indexPrefix: readonly (readonly [string, string])[],
  extraCondition: string,
  positionRange: PositionRange | null,
  { order, after, maxRows, limitExpression }: IndexScan,
): string {
  const boundColumns = indexPrefix.filter(([, value]) => value !== 'null')
  const columns = `(${[...boundColumns.map(([column]) => column), 'position'].join(', ')})`
  const at = (position: string) => `(${[...boundColumns.map(([, value]) => value), position].join(', ')})`
  const bounds = [
    ...indexPrefix.filter(([, value]) => value === 'null').map(([column]) => `${column} is null`),
    after === null ? `${columns} >= ${at('0')}` : `${columns} > ${at(after)}`,
    positionRange === null ? `${columns} <= ${at(LAST_POSITION)}` : `${columns} <= ${at(positionRange.last)}`,
    ...(positionRange === null ? [] : [`${columns} >= ${at(positionRange.first)}`, positionRange.within]),
  ]
  const ordered = [...indexPrefix.map(([column]) => column), 'position'].map((column) => `${column} ${order}`)
  return `select * from (select position, at from audit_log where root_id = :root and ${bounds.join(' and ')}${extraCondition}
      ${order === null ? '' : `order by ${ordered.join(', ')}`} limit ${maxRows}) ordered limit ${limitExpression}`
}

const LAST_POSITION = '9223372036854775807'

/** Limits the scan to the positions of the requested days: rows outside of them are not read. */
interface PositionRange {
  readonly first: string
  readonly last: string
  readonly within: string
}

function renderPositionRange(kind: ScopeKind): PositionRange {
  const bound = (
    of: string,
  ) => `(select ${of} from audit_count where root_id = :root and ${renderCountCondition(kind)}
    and day between (:from::timestamptz at time zone 'UTC')::date and (:to::timestamptz at time zone 'UTC')::date)`
  return {
    first: bound('min(first_position)'),
    last: bound('max(last_position)'),
    within: 'at >= :from::timestamptz and at <= :to::timestamptz',
  }
}

// Names and e-mail addresses are current; erased personal values are missing. A private Learning belongs to its pull request.
const selectDetails = `select l.position, encode(l.hash, 'hex') as hash, l.id, ${renderHashedTime('l.at')} as at,
    l.organization_id, l.action, l.resource_type, l.resource_id, l.actor_kind, l.actor_id, l.metadata, l.sealed,
    (select c.clear from audit_clear c where c.root_id = :root and c.position = l.position) as clear,
    (select json_build_object('name', p.name, 'email', p.email) from person p
      where p.root_id = :root and p.id = l.actor_id and l.actor_kind = 'person') as person,
    case l.actor_kind when 'key' then coalesce(
      (select json_build_object('name', k.name, 'kind', k.kind, 'prefix', k.prefix, 'last_four', k.last_four, 'owner',
          (select json_build_object('id', p.id, 'name', p.name) from person p where p.root_id = :root and p.id = k.owner_id))
        from api_key k where k.root_id = :root and k.id = l.actor_id),
      (select json_build_object('name', s.name, 'kind', 'scim', 'prefix', s.prefix, 'last_four', s.last_four, 'owner', null)
        from scim_credential s where s.root_id = :root and s.id = l.actor_id)) end as key,
    (select r.name from custom_role r where r.root_id = :root and r.organization_id = l.organization_id
      and r.id::text = l.metadata ->> 'role') as role_name,
    case l.resource_type
      when 'learning' then (select left(g.text, 200) from learning g where g.root_id = :root
        and g.organization_id = l.organization_id and g.id = l.resource_uuid and g.state <> 'private')
      when 'person' then (select p.name from person p where p.root_id = :root and p.id = l.resource_uuid)
      when 'session' then (select p.name from person p where p.root_id = :root and p.id = (l.metadata ->> 'person_id')::uuid)
      when 'instance' then (select i.name from instance i where i.root_id = :root and i.id = l.resource_uuid)
      else (select o.name from organization o where o.root_id = :root and o.id = l.resource_uuid) end as resource_name
  from page cross join lateral (select *, case when l.resource_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      then l.resource_id::uuid end as resource_uuid from audit_log l
    where l.root_id = :root and l.position = page.position and l.at = page.at limit 1) l`

// The newest position is read in the same snapshot as the page, so a cursor that starts there neither skips nor repeats
// rows of the page.
export async function readNewest(
  scope: Scope,
  tx: Tx,
  filters: AuditFilters,
  page: NumberedPage,
): Promise<{ readonly newest: number; readonly rows: AuditRow[] }> {
  const query = toNewestStatement(getScopeKind(scope), toFilterShape(filters))
  const values = { ...toScopeValues(scope), ...toFilterValues(filters), ...page }
  const rows = await tx.query<AuditRow & { newest: number | null }>(query, query.bind(scope, values))
  return { newest: rows[0]?.newest ?? 0, rows: rows.filter(({ position }) => position !== null) }
}

function toNewestStatement(kind: ScopeKind, filters: FilterShape): NamedStatement {
  const scan: IndexScan = {
    order: 'desc',
    after: null,
    maxRows: MAX_NUMBERED_ROWS,
    limitExpression: ':skip::bigint + :size::bigint',
  }
  return toStatement('newest', kind, filters, () => {
    const newest = renderMatchingRows(kind, noFilters, { ...scan, maxRows: 1, limitExpression: '1' })
    return `with page as materialized (
      select position, at from (${renderMatchingRows(kind, filters, scan)}) found
      order by position desc offset :skip::bigint limit :size::bigint)
    select (select max(position) from (${newest}) newest) as newest, told.*
    from (select 1) one left join (${selectDetails}) told on true order by told.position desc`
  })
}

const noFilters: FilterShape = { timeRange: false, actions: false, actors: false }

export function readAppended(
  scope: Scope,
  tx: Tx,
  filters: AuditFilters,
  page: AppendedPage,
): Promise<AuditRow[]> {
  const query = toAppendedStatement(getScopeKind(scope), toFilterShape(filters))
  return tx.query(query, query.bind(scope, { ...toScopeValues(scope), ...toFilterValues(filters), ...page }))
}

function toAppendedStatement(kind: ScopeKind, filters: FilterShape): NamedStatement {
  const scan: IndexScan = {
    order: 'asc',
    after: ':after::bigint',
    maxRows: MAX_PAGE_ROWS + 1,
    limitExpression: ':size::bigint',
  }
  return toStatement(
    'appended',
    kind,
    filters,
    () => `with page as materialized (
      select position, at from (${renderMatchingRows(kind, filters, scan)}) found order by position limit :size::bigint)
    ${selectDetails} order by l.position`,
  )
}

/** Counts row by row, up to MAX_COUNTED_ROWS. */
export async function countRows(scope: Scope, tx: Tx, filters: AuditFilters): Promise<number> {
  const query = toCountStatement(getScopeKind(scope), toFilterShape(filters))
  const values = query.bind(scope, { ...toScopeValues(scope), ...toFilterValues(filters) })
  const counted = await tx.first<{ rows: number }>(query, values)
  return counted?.rows ?? 0
}

function toCountStatement(kind: ScopeKind, filters: FilterShape): NamedStatement {
  const scan: IndexScan = {
    order: null,
    after: null,
    maxRows: MAX_COUNTED_ROWS,
    limitExpression: `${MAX_COUNTED_ROWS}`,
  }
  return toStatement(
    'counted',
    kind,
    filters,
    () => `select count(*) as rows from (
    select from (${renderMatchingRows(kind, filters, scan)}) found limit ${MAX_COUNTED_ROWS}) counted`,
  )
}

const getStatement = createStatementCache()

/** One statement for each combination of filters, so that each has its own plan. */
function toStatement(
  name: string,
  kind: ScopeKind,
  { timeRange, actions, actors }: FilterShape,
  render: () => string,
): NamedStatement {
  const by = [actors && 'actors', actions && 'actions', timeRange && 'dates'].filter((part) => part !== false)
  return getStatement(['audit-logs', name, kind, ...by].join('.'), render)
}

/** Every statement of this file, for each kind of scope and each combination of filters. */
export function listAuditStatements(): NamedStatement[] {
  const kinds: readonly ScopeKind[] = ['root', 'organization', 'organizations', 'many', 'instance']
  const combinations = [false, true].flatMap((actors) =>
    [false, true].flatMap((actions) => [false, true].map((timeRange) => ({ actors, actions, timeRange }))),
  )
  return kinds.flatMap((kind) =>
    combinations.flatMap((filters) => [
      toNewestStatement(kind, filters),
      toAppendedStatement(kind, filters),
      toCountStatement(kind, filters),
    ]),
  )
}
