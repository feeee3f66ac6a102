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
import { toWeekNumber } from './week.ts'

/** The window and filters of a request; dates are inclusive days. */
export interface MetricsWindow {
  readonly startDate: string
  readonly endDate: string
  readonly repositories: readonly string[] | null
  readonly authors: readonly string[] | null
}

/**
 * The columns that lead an index of the sources: (root, column, week, position, day). `byPosition`: a second index without
 * the week, because one value can have very many rows.
 */
export const accessPaths = {
  root: null,
  instance: { column: 'instance_id', type: 'uuid', byPosition: true },
  organization: { column: 'organization_id', type: 'uuid', byPosition: true },
  repository: { column: 'repository_id', type: 'text', byPosition: false },
  author: { column: 'author_id', type: 'text', byPosition: false },
} as const

export type AccessPath = keyof typeof accessPaths

// A window uses the smallest span that holds its weeks: a day, a month, a year, four years. An unused branch costs nothing
// because its week is null; planning costs 0.2 ms per branch, once per connection.
const weekSpans = [1, 6, 54, 216] as const
type WeekSpan = (typeof weekSpans)[number] | 'wide'

/**
 * Filters besides the access path. A statement contains only the filters of the request: a cached plan would evaluate an
 * unused condition for every week and row. `is true` keeps the planner from using another index than that of the access
 * path. Statement names contain the letters, because PostgreSQL truncates names after 63 characters.
 */
export const filters = {
  organization: { letter: 'o', condition: '(organization_id = any (:organizations::uuid[])) is true' },
  instance: { letter: 'i', condition: '(instance_id = :instance::uuid) is true' },
  repository: { letter: 'r', condition: '(repository_id = any (:repositories::text[])) is true' },
  author: { letter: 'a', condition: '(author_id = any (:authors::text[])) is true' },
  hidden: { letter: 'h', condition: 'organization_id <> all (:hidden::uuid[])' },
} as const

export type PageFilter = keyof typeof filters

// Reads nothing when the root's largest entry exceeds :largestEntry: the caller then measures the page first.
const renderGuardedLimit = ({ largestColumn }: MetricsSource) =>
  `(select case when ${largestColumn} <= :largestEntry then :rows::bigint else 0 end
    from metrics_head where root_id = :root)`

interface PageShape {
  readonly source: MetricsSource
  readonly accessPath: AccessPath
  readonly weekSpan: WeekSpan
  readonly hasSeveralValues: boolean
  readonly appliedFilters: readonly PageFilter[]
}

function renderRows(shape: PageShape, selected: string): string {
  const { source, accessPath, weekSpan, hasSeveralValues } = shape
  const path = accessPaths[accessPath]
  // No index has the order `position + 0`: the few rows of a value are found by its own index and sorted.
  const order = weekSpan === 'wide' && path !== null && !path.byPosition ? 'position + 0' : 'position'
  const guardedLimit = renderGuardedLimit(source)
  const ordered = (rows: string, limit: string) =>
    `select * from (${rows}) merged order by ${order} limit ${limit}`
  if (path === null) return ordered(renderWeekBranches(shape, selected, '', order), guardedLimit)
  const rowsWith = (value: string) =>
    renderWeekBranches(shape, selected, ` and ${path.column} = ${value}`, order)
  if (!hasSeveralValues) return ordered(rowsWith(`:path::${path.type}`), guardedLimit)
  return renderMergedScans(
    [`unnest(:path::${path.type}[]) value`],
    ordered(rowsWith('value'), ':rows'),
    guardedLimit,
  )
}

/** One ordered branch per week of the window; PostgreSQL merges them only as far as the page needs. */
function renderWeekBranches(shape: PageShape, selected: string, path: string, order: string): string {
  const { source, weekSpan } = shape
  const conditions = renderConditions(shape)
  const branch = (week: string) =>
    `(select ${selected} from ${source.table} where root_id = :root${path}${week} and ${conditions} order by ${order})`
  // `position > 0` selects the indexes without a week.
  if (weekSpan === 'wide') return branch(order === 'position' ? ' and position > 0' : '')
  const weeks = Array.from({ length: weekSpan }, (_, index) => {
    const week = `(:weeks::int[])[${index + 1}]`
    return ` and week = ${week}${index < EDGE_WEEKS ? renderPositionBounds(source, week) : ''}`
  })
  return weeks.map(branch).join(' union all ')
}

function renderConditions({ source, appliedFilters }: PageShape): string {
  return [
    `position > :after and day between :startDate::date and :endDate::date and ${source.condition}`,
    ...appliedFilters.map((filter) => filters[filter].condition),
  ].join(' and ')
}

// The first and the last week of a window come first: only they can lie partly outside of it.
const EDGE_WEEKS = 2

/** Limits the scan to the positions of the days in the window, so that no entry outside of them is read. */
function renderPositionBounds(source: MetricsSource, week: string): string {
  const days = (
    bound: string,
  ) => `(select ${bound} from ${source.dayTable} where root_id = :root and week = ${week}
      and day between :startDate::date - date '0001-01-01' and :endDate::date - date '0001-01-01')`
  return ` and position >= ${days('min(first_position)')} and position <= ${days('max(last_position)')}`
}

const getStatement = createStatementCache()

/** The entries after a position. One extra row shows whether there is a next page. */
export interface PageRequest {
  readonly source: MetricsSource
  readonly scope: Scope
  readonly window: MetricsWindow
  /** Organizations whose rows are not returned. */
  readonly hidden: readonly string[]
  readonly after: number
  readonly rows: number
  /** Nothing is read when the root has a larger stored entry than this, in bytes. */
  readonly largestEntry: number
}

type PagePurpose = 'page' | 'size'

/** Rows of (position, entry). */
export function createPageStatement(request: PageRequest): BoundStatement {
  return createStatement('page', request, request.rows + 1)
}

/** One row: the bytes of the entries of a page, each with its separator. */
export function createSizeStatement(request: PageRequest): BoundStatement {
  return createStatement('size', request, request.rows)
}

function createStatement(
  purpose: PagePurpose,
  { source, scope, window, hidden, after, largestEntry }: PageRequest,
  rows: number,
): BoundStatement {
  const { accessPath, pathValues } = choosePath(scope, window)
  const weeks = listWeeks(window)
  const weekSpan = weekSpans.find((size) => size >= weeks.length) ?? 'wide'
  const hasSeveralValues = pathValues.length > 1
  const appliedFilters = listFilters(accessPath, scope, window, hidden)
  const query = toStatement(purpose, { source, accessPath, weekSpan, hasSeveralValues, appliedFilters })
  const path = hasSeveralValues ? pathValues : (pathValues[0] ?? null)
  const values = { ...window, hidden, after, rows, largestEntry, weeks, path }
  return { statement: query, values: query.bind(scope, values) }
}

function toStatement(purpose: PagePurpose, shape: PageShape): NamedStatement {
  const { source, accessPath, weekSpan, hasSeveralValues, appliedFilters } = shape
  const letters = appliedFilters.map((filter) => filters[filter].letter).join('')
  const name = `metrics.${purpose}-of-${source.name}-by-${accessPath}-${weekSpan}${hasSeveralValues ? '-many' : ''}${letters && `-${letters}`}`
  return getStatement(name, () =>
    purpose === 'page'
      ? renderRows(shape, `position, ${source.entrySql} as entry`)
      : `select coalesce(sum(bytes + 1), 0)::bigint as bytes
         from (${renderRows(shape, `position, octet_length(entry) + ${source.addedBytes} as bytes`)}) page`,
  )
}

// The filters that can be applied in addition to an access path, as listFilters and choosePath combine them.
export const filtersByPath: Readonly<Record<AccessPath, readonly PageFilter[]>> = {
  root: ['organization', 'hidden'],
  instance: ['organization', 'hidden'],
  organization: ['instance', 'hidden'],
  repository: ['organization', 'instance', 'hidden'],
  author: ['organization', 'instance', 'repository', 'hidden'],
}

/** Every statement that a page of these sources can use. */
export function listPageStatements(sources: readonly MetricsSource[]): NamedStatement[] {
  const paths = (Object.keys(accessPaths) as AccessPath[]).flatMap((accessPath) => {
    const counts = accessPath === 'root' || accessPath === 'instance' ? [false] : [false, true]
    return counts.map((hasSeveralValues) => ({ accessPath, hasSeveralValues }))
  })
  const spans: readonly WeekSpan[] = [...weekSpans, 'wide']
  return sources.flatMap((source) =>
    paths.flatMap((path) =>
      spans.flatMap((weekSpan) =>
        listSubsets(filtersByPath[path.accessPath]).flatMap((appliedFilters) => {
          const shape = { source, ...path, weekSpan, appliedFilters }
          return [toStatement('page', shape), toStatement('size', shape)]
        }),
      ),
    ),
  )
}

export function listSubsets<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>(
    (subsets, item) => subsets.flatMap((subset) => [subset, [...subset, item]]),
    [[]],
  )
}

/** The filters of a request, without that of the access path. */
export function listFilters(
  accessPath: AccessPath,
  { organizations, instance }: Scope,
  { repositories, authors }: MetricsWindow,
  hidden: readonly string[],
): PageFilter[] {
  const given = {
    organization: organizations !== null,
    instance: instance !== null,
    repository: repositories !== null,
    author: authors !== null,
    hidden: hidden.length > 0,
  }
  return (Object.keys(given) as PageFilter[]).filter((filter) => given[filter] && filter !== accessPath)
}

/** An author has fewer rows than a repository, a repository fewer than an organization. */
export function choosePath({ organizations, instance }: Scope, { authors, repositories }: MetricsWindow) {
  return chooseAccessPath<AccessPath>([
    { path: 'author', values: authors },
    { path: 'repository', values: repositories },
    { path: 'organization', values: organizations, maxValues: MAX_INDEX_SCANS },
    { path: 'instance', values: instance === null ? null : [instance] },
    { path: 'root', values: [] },
  ])
}

function listWeeks({ startDate, endDate }: MetricsWindow): number[] {
  const [first, last] = [toWeekNumber(startDate), toWeekNumber(endDate)]
  if (first === last) return [first]
  return [first, last, ...Array.from({ length: last - first - 1 }, (_, index) => first + 1 + index)]
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
