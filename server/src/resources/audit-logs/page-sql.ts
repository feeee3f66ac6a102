import type { ClearValue } from '../../access/audit/chain.ts'
import { renderHashedTime } from '../../access/audit/sql.ts'
import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import { renderScans } from '../../db/keyset-sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { MAX_NUMBERED_ROWS } from './schema.ts'
import {
  type AuditLogScope,
  getIndexPrefix,
  renderCountCondition,
  renderLogCondition,
  toAuditLogScope,
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
  readonly after: string | null
  /** A constant for the planner: PostgreSQL then plans for the few rows of a page. */
  readonly maxRows: number
  readonly limitExpression: string
}

type BindParameter = (value: unknown, type: string) => string

interface BoundStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

interface NumberedPage {
  readonly skip: number
  readonly size: number
}

interface AppendedPage {
  readonly after: number
  readonly size: number
}

/** Collects the values of a statement and numbers its parameters. */
function createParameters(root: string): { give: BindParameter; values: unknown[] } {
  const values: unknown[] = [root]
  return { values, give: (value, type) => `$${values.push(value)}::${type}` }
}

/** Selects (position, at) of the matching rows. Each branch follows the order of one index. */
function renderMatchingRows(
  bind: BindParameter,
  logScope: AuditLogScope,
  { timeRange, actions, actors }: AuditFilters,
  scan: IndexScan,
): string {
  const value = logScope.type === null ? '' : bind(logScope.value, logScope.type)
  const positionRange = timeRange === null ? null : renderPositionRange(bind, logScope, value, timeRange)
  const organizationSources = logScope.kind === 'organizations' ? [`unnest(${value}) walked (id)`] : []
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
  const actionList = actions === null ? null : bind(actions, 'text[]')
  const organization = getIndexPrefix(logScope, value)
  if (actors === null && actionList === null)
    return branch([], organization, organization.length > 0 ? '' : renderLogCondition(logScope, value))
  if (actors === null)
    return branch(
      [`unnest(${actionList}) asked (action)`],
      [['action', 'asked.action']],
      renderLogCondition(logScope, value),
    )
  // An actor has fewer rows than an organization, so the actor's index is scanned.
  const scopeCondition = `${renderLogCondition(logScope, value, 'is not distinct from')}${actionList === null ? '' : ` and action = any (${actionList})`}`
  const ids = `unnest(${bind(actors.ids, 'uuid[]')}) asked (actor)`
  const kinds = `unnest(${bind(actors.kinds, 'text[]')}) asked (kind)`
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
  return `select * from (select position, at from audit_log where root_id = $1 and ${bounds.join(' and ')}${extraCondition}
      ${order === null ? '' : `order by ${ordered.join(', ')}`} limit ${maxRows}) ordered limit ${limitExpression}`
}

const LAST_POSITION = '9223372036854775807'

/** Limits the scan to the positions of the requested days: rows outside of them are not read. */
interface PositionRange {
  readonly first: string
  readonly last: string
  readonly within: string
}

function renderPositionRange(
  bind: BindParameter,
  logScope: AuditLogScope,
  value: string,
  { from, to }: TimeRange,
): PositionRange {
  const [start, end] = [bind(toIsoString(from), 'timestamptz'), bind(toIsoString(to), 'timestamptz')]
  const bound = (
    of: string,
  ) => `(select ${of} from audit_count where root_id = $1 and ${renderCountCondition(logScope, value)}
    and day between (${start} at time zone 'UTC')::date and (${end} at time zone 'UTC')::date)`
  return {
    first: bound('min(first_position)'),
    last: bound('max(last_position)'),
    within: `at >= ${start} and at <= ${end}`,
  }
}

// Names and e-mail addresses are current; erased personal values are missing. A private Learning belongs to its pull request.
const selectDetails = `select l.position, encode(l.hash, 'hex') as hash, l.id, ${renderHashedTime('l.at')} as at,
    l.organization_id, l.action, l.resource_type, l.resource_id, l.actor_kind, l.actor_id, l.metadata, l.sealed,
    (select c.clear from audit_clear c where c.root_id = $1 and c.position = l.position) as clear,
    (select json_build_object('name', p.name, 'email', p.email) from person p
      where p.root_id = $1 and p.id = l.actor_id and l.actor_kind = 'person') as person,
    case l.actor_kind when 'key' then coalesce(
      (select json_build_object('name', k.name, 'kind', k.kind, 'prefix', k.prefix, 'last_four', k.last_four, 'owner',
          (select json_build_object('id', p.id, 'name', p.name) from person p where p.root_id = $1 and p.id = k.owner_id))
        from api_key k where k.root_id = $1 and k.id = l.actor_id),
      (select json_build_object('name', s.name, 'kind', 'scim', 'prefix', s.prefix, 'last_four', s.last_four, 'owner', null)
        from scim_credential s where s.root_id = $1 and s.id = l.actor_id)) end as key,
    (select r.name from custom_role r where r.root_id = $1 and r.organization_id = l.organization_id
      and r.id::text = l.metadata ->> 'role') as role_name,
    case l.resource_type
      when 'learning' then (select left(g.text, 200) from learning g where g.root_id = $1
        and g.organization_id = l.organization_id and g.id = l.resource_uuid and g.state <> 'private')
      when 'person' then (select p.name from person p where p.root_id = $1 and p.id = l.resource_uuid)
      when 'session' then (select p.name from person p where p.root_id = $1 and p.id = (l.metadata ->> 'person_id')::uuid)
      when 'instance' then (select i.name from instance i where i.root_id = $1 and i.id = l.resource_uuid)
      else (select o.name from organization o where o.root_id = $1 and o.id = l.resource_uuid) end as resource_name
  from page cross join lateral (select *, case when l.resource_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      then l.resource_id::uuid end as resource_uuid from audit_log l
    where l.root_id = $1 and l.position = page.position and l.at = page.at limit 1) l`

// The newest position is read in the same snapshot as the page, so a cursor that starts there neither skips nor repeats
// rows of the page.
export async function readNewest(
  scope: Scope,
  tx: Tx,
  filters: AuditFilters,
  page: NumberedPage,
): Promise<{ readonly newest: number; readonly rows: AuditRow[] }> {
  const { statement: query, values } = createNewest(scope.root, toAuditLogScope(scope), filters, page)
  const rows = await tx.query<AuditRow & { newest: number | null }>(query, values)
  return { newest: rows[0]?.newest ?? 0, rows: rows.filter(({ position }) => position !== null) }
}

function createNewest(
  root: string,
  logScope: AuditLogScope,
  filters: AuditFilters,
  { skip, size }: NumberedPage,
): BoundStatement {
  const { give: bind, values } = createParameters(root)
  const [offset, limit] = [bind(skip, 'bigint'), bind(size, 'bigint')]
  const scan: IndexScan = {
    order: 'desc',
    after: null,
    maxRows: MAX_NUMBERED_ROWS,
    limitExpression: `${offset} + ${limit}`,
  }
  const paged = renderMatchingRows(bind, logScope, filters, scan)
  const newest = renderMatchingRows(bind, logScope, noFilters, { ...scan, maxRows: 1, limitExpression: '1' })
  const text = `with page as materialized (
      select position, at from (${paged}) found order by position desc offset ${offset} limit ${limit})
    select (select max(position) from (${newest}) newest) as newest, told.*
    from (select 1) one left join (${selectDetails}) told on true order by told.position desc`
  return { statement: toStatement('newest', logScope, filters, text), values }
}

const noFilters: AuditFilters = { timeRange: null, actions: null, actors: null }

export function readAppended(
  scope: Scope,
  tx: Tx,
  filters: AuditFilters,
  page: AppendedPage,
): Promise<AuditRow[]> {
  const { statement: query, values } = createAppended(scope.root, toAuditLogScope(scope), filters, page)
  return tx.query<AuditRow>(query, values)
}

function createAppended(
  root: string,
  logScope: AuditLogScope,
  filters: AuditFilters,
  { after, size }: AppendedPage,
): BoundStatement {
  const { give: bind, values } = createParameters(root)
  const limit = bind(size, 'bigint')
  const scan: IndexScan = {
    order: 'asc',
    after: bind(after, 'bigint'),
    maxRows: MAX_PAGE_ROWS + 1,
    limitExpression: limit,
  }
  const text = `with page as materialized (
      select position, at from (${renderMatchingRows(bind, logScope, filters, scan)}) found order by position limit ${limit})
    ${selectDetails} order by l.position`
  return { statement: toStatement('appended', logScope, filters, text), values }
}

/** Counts row by row, up to MAX_COUNTED_ROWS. */
export async function countRows(scope: Scope, tx: Tx, filters: AuditFilters): Promise<number> {
  const { statement: query, values } = createCount(scope.root, toAuditLogScope(scope), filters)
  const counted = await tx.first<{ rows: number }>(query, values)
  return counted?.rows ?? 0
}

function createCount(root: string, logScope: AuditLogScope, filters: AuditFilters): BoundStatement {
  const { give: bind, values } = createParameters(root)
  const scan: IndexScan = {
    order: null,
    after: null,
    maxRows: MAX_COUNTED_ROWS,
    limitExpression: `${MAX_COUNTED_ROWS}`,
  }
  const text = `select count(*) as rows from (
    select from (${renderMatchingRows(bind, logScope, filters, scan)}) found limit ${MAX_COUNTED_ROWS}) counted`
  return { statement: toStatement('counted', logScope, filters, text), values }
}

/** The statement name identifies the filters, so that PostgreSQL caches one plan for each combination. */
function toStatement(
  name: string,
  { kind }: AuditLogScope,
  { timeRange, actions, actors }: AuditFilters,
  text: string,
): Statement {
  const by = [actors && 'actors', actions && 'actions', timeRange && 'dates'].filter((part) => part !== null)
  return statement(['audit-logs', name, kind, ...by].join('.'), text)
}

function toIsoString(ms: number): string {
  return new Date(ms).toISOString()
}

/** Every statement of this file, for each kind of scope and each combination of filters. */
export function listAuditStatements(): Statement[] {
  const scopes: readonly AuditLogScope[] = [
    { kind: 'root', type: null, value: null },
    { kind: 'organization', type: 'uuid', value: '' },
    { kind: 'organizations', type: 'uuid[]', value: [] },
    { kind: 'many', type: 'uuid[]', value: [] },
    { kind: 'instance', type: 'uuid', value: '' },
  ]
  const combinations = [null, { ids: [], kinds: [] }].flatMap((actors) =>
    [null, []].flatMap((actions) =>
      [null, { from: 0, to: 0 }].map((timeRange) => ({ actors, actions, timeRange })),
    ),
  )
  return scopes.flatMap((logScope) =>
    combinations.flatMap((filters) => [
      createNewest('', logScope, filters, { skip: 0, size: 0 }).statement,
      createAppended('', logScope, filters, { after: 0, size: 0 }).statement,
      createCount('', logScope, filters).statement,
    ]),
  )
}
