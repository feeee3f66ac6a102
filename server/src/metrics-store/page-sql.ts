import type { Scope } from '../access/scope.ts'
import type { BoundStatement } from '../db/batch.ts'
import { statement } from '../db/connect.ts'
import {
  chooseAccessPath,
  createStatementCache,
  MAX_INDEX_SCANS,
  renderMergedScans,
} from '../db/keyset-sql.ts'
import type { NamedStatement } from '../db/named-statement.ts'
import type { Tx } from '../db/transaction.ts'
import { type LargestColumn, largestColumns, type MetricsSource } from './source-sql.ts'

/** The window and filters of a request; dates are inclusive days. */
export interface MetricsWindow {
  readonly startDate: string
  readonly endDate: string
  readonly repositories: readonly string[] | null
  readonly authors: readonly string[] | null
}

/** The columns that lead an index of the sources: (root, column, position, day). The root has (root, day, position) too. */
const accessPaths = {
  root: null,
  instance: { column: 'instance_id', type: 'uuid' },
  organization: { column: 'organization_id', type: 'uuid' },
  repository: { column: 'repository_id', type: 'text' },
  author: { column: 'author_id', type: 'text' },
} as const

type AccessPath = keyof typeof accessPaths

/**
 * The filters of every statement on pull requests and findings. Statements are planned with their values (`planWithValues`), so a
 * filter that is not sent costs nothing.
 */
export const scopeConditions = `(:organizations::uuid[] is null or organization_id = any (:organizations))
  and (:instance::uuid is null or instance_id = :instance) and organization_id <> all (:hidden::uuid[])`
export const filterConditions = `${scopeConditions}
  and (:repositories::text[] is null or repository_id = any (:repositories))
  and (:authors::text[] is null or author_id = any (:authors))`

/**
 * The organizations to read, for an index that leads from them to the days: those of the scope, or all that the table has of the root,
 * one index lookup each.
 */
export function renderOrganizations(table: 'pull_request' | 'finding', condition = 'true'): string {
  return `recursive walked as (
     (select organization_id from ${table} where :organizations::uuid[] is null and root_id = :root and ${condition}
       order by organization_id limit 1)
     union all
     select (select organization_id from ${table}
       where root_id = :root and ${condition} and organization_id > walked.organization_id order by organization_id limit 1)
     from walked where walked.organization_id is not null),
   known as (
     select organization_id from walked where organization_id is not null union all select unnest(:organizations::uuid[]))`
}

export const ofOrganizations = 'organization_id = any (array(select organization_id from known))'

/** The next statements of the transaction are planned with their values. */
export const planWithValues = statement(
  'metrics.plan-with-values',
  `select set_config('plan_cache_mode', 'force_custom_plan', true)`,
)

/** The next statement is a page: the window decides whether it is read in order or sorted. */
export const planPage = statement(
  'metrics.plan-page',
  `select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'on', true)`,
)

interface PageShape {
  readonly source: MetricsSource
  readonly accessPath: AccessPath
  readonly hasSeveralValues: boolean
}

/** The rows of one value of the access path, or those of several, each read along the index, merged in order of position. */
function renderRows({ source, accessPath, hasSeveralValues }: PageShape, selected: string): string {
  const path = accessPaths[accessPath]
  const value =
    path === null ? '' : ` and ${path.column} = ${hasSeveralValues ? 'value' : `(:path::${path.type}[])[1]`}`
  const rows = `select ${selected} from ${source.table}
    where root_id = :root${value} and position > :after and position between :firstPosition and :lastPosition
      and day between :startDate::date and :endDate::date and ${source.condition} and ${filterConditions}
    order by position limit :rows`
  if (path === null || !hasSeveralValues) return rows
  return renderMergedScans([`unnest(:path::${path.type}[]) value`], rows, ':rows')
}

const getStatement = createStatementCache()

/** The rows of a window after a position. */
export interface PageRequest {
  readonly source: MetricsSource
  readonly scope: Scope
  readonly window: MetricsWindow
  /** Organizations whose rows are not returned. */
  readonly hidden: readonly string[]
  readonly after: number
  readonly rows: number
}

type PagePurpose = 'page' | 'size'

/** Rows of (position, entry). One extra row shows whether there is a next page. */
export function createPageStatement(request: PageRequest, bounds: PositionBounds): BoundStatement {
  return createStatement('page', request, bounds, request.rows + 1)
}

/** One row: the bytes of the entries of a page, each with its separator. */
export function createSizeStatement(request: PageRequest, bounds: PositionBounds): BoundStatement {
  return createStatement('size', request, bounds, request.rows)
}

function createStatement(
  purpose: PagePurpose,
  { source, scope, window, hidden, after }: PageRequest,
  { first, last }: PositionBounds,
  rows: number,
): BoundStatement {
  const { accessPath, pathValues } = choosePath(scope, window)
  const query = toStatement(purpose, { source, accessPath, hasSeveralValues: pathValues.length > 1 })
  const values = {
    ...window,
    hidden,
    after,
    rows,
    path: pathValues,
    firstPosition: first,
    lastPosition: last,
  }
  return { statement: query, values: query.bind(scope, values) }
}

function toStatement(purpose: PagePurpose, shape: PageShape): NamedStatement {
  const { source, accessPath, hasSeveralValues } = shape
  const name = `metrics.${purpose}-of-${source.name}-by-${accessPath}${hasSeveralValues ? '-many' : ''}`
  return getStatement(name, () =>
    purpose === 'page'
      ? renderRows(shape, `position, ${source.entrySql} as entry`)
      : `select coalesce(sum(bytes + 1), 0)::bigint as bytes
         from (${renderRows(shape, `position, octet_length(${source.column}) + ${source.addedBytes} as bytes`)}) page`,
  )
}

/** Every statement that a page of these sources can use. */
export function listPageStatements(sources: readonly MetricsSource[]): NamedStatement[] {
  return sources.flatMap((source) =>
    (Object.keys(accessPaths) as AccessPath[]).flatMap((accessPath) => {
      const counts = accessPath === 'root' || accessPath === 'instance' ? [false] : [false, true]
      return counts.flatMap((hasSeveralValues) => {
        const shape = { source, accessPath, hasSeveralValues }
        return [toStatement('page', shape), toStatement('size', shape)]
      })
    }),
  )
}

/** An author has fewer rows than a repository, a repository fewer than an organization. */
function choosePath({ organizations, instance }: Scope, { authors, repositories }: MetricsWindow) {
  return chooseAccessPath<AccessPath>([
    { path: 'author', values: authors },
    { path: 'repository', values: repositories },
    { path: 'organization', values: organizations, maxValues: MAX_INDEX_SCANS },
    { path: 'instance', values: instance === null ? null : [instance] },
    { path: 'root', values: [] },
  ])
}

const selectHead = statement(
  'metrics.head',
  `select ${largestColumns.join(', ')}, state = 'active' as is_active, move from metrics_head where root_id = $1`,
)

export interface PageHead extends Readonly<Record<LargestColumn, number>> {
  /** Whether the root is in this store, and the number of the move that brought it here. */
  readonly is_active: boolean
  readonly move: number
}

export function readPageHead(scope: Scope, tx: Tx): Promise<PageHead | null> {
  return tx.first<PageHead>(selectHead, [scope.root])
}

/** The positions of the rows of a window are between these; `last` is less than `first` if it has none. */
export interface PositionBounds {
  readonly first: number
  readonly last: number
}

const selectBounds = (dayTable: MetricsSource['dayTable']) =>
  statement(
    `metrics.bounds-in-${dayTable}`,
    `select coalesce(min(first_position), 1) as first, coalesce(max(last_position), 0) as last
     from ${dayTable} where root_id = $1 and day between $2 and $3`,
  )

const boundStatements = {
  metrics_day: selectBounds('metrics_day'),
  mcp_day: selectBounds('mcp_day'),
} as const

export function readBounds(
  { source, scope, window }: Pick<PageRequest, 'source' | 'scope' | 'window'>,
  tx: Tx,
): Promise<PositionBounds> {
  return tx.one<PositionBounds>(boundStatements[source.dayTable], [
    scope.root,
    window.startDate,
    window.endDate,
  ])
}
