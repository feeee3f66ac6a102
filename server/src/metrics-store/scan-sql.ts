import type { BoundStatement } from '../db/batch.ts'
import { type Statement, statement } from '../db/connect.ts'
import { createStatementCache } from '../db/keyset-sql.ts'
import type { NamedStatement } from '../db/named-statement.ts'
import {
  type AccessPath,
  accessPaths,
  choosePath,
  filters,
  filtersByPath,
  listFilters,
  listSubsets,
  type PageFilter,
  type PageRequest,
} from './page-sql.ts'
import type { MetricsSource } from './source-sql.ts'
import { toWeekNumber } from './week.ts'

/** What a summary reads of each row of a source, in any order. */
export interface MetricsScan {
  readonly source: MetricsSource
  readonly columns: string
  /** Rows of a slice, for scans of large rows: a slice must arrive before the statement timeout. */
  readonly sliceRows?: number
}

interface ScanShape extends MetricsScan {
  readonly accessPath: AccessPath
  readonly appliedFilters: readonly PageFilter[]
}

/**
 * A cursor over the rows of a window: one snapshot, read in slices. It goes week by week, because the planner estimates an
 * access path correctly for one week but not for a range of weeks.
 */
function renderScan({ source, columns, accessPath, appliedFilters }: ScanShape): string {
  const path = accessPaths[accessPath]
  const values = path === null ? '' : `unnest(:pathValues::${path.type}[]) value cross join `
  const conditions = [
    'root_id = :root',
    ...(path === null ? [] : [`${path.column} = value`]),
    `week = of_week and day between :startDate::date and :endDate::date and ${source.condition}`,
    ...appliedFilters.map((filter) => filters[filter].condition),
  ]
  return `declare metrics_scan no scroll cursor for
    select scanned.* from ${values}generate_series(:firstWeek::int, :lastWeek::int) of_week cross join lateral (
      select ${columns} from ${source.table} where ${conditions.join(' and ')} offset 0) scanned`
}

const getStatement = createStatementCache()

function toStatement(shape: ScanShape): NamedStatement {
  const letters = shape.appliedFilters.map((filter) => filters[filter].letter).join('')
  const name = `metrics.scan-of-${shape.source.name}-by-${shape.accessPath}${letters && `-${letters}`}`
  return getStatement(name, () => renderScan(shape))
}

type ScanRequest = Pick<PageRequest, 'scope' | 'window' | 'hidden'>

export function createScanStatement(
  scan: MetricsScan,
  { scope, window, hidden }: ScanRequest,
): BoundStatement {
  const { accessPath, pathValues } = choosePath(scope, window)
  const appliedFilters = listFilters(accessPath, scope, window, hidden)
  const query = toStatement({ ...scan, accessPath, appliedFilters })
  const weeks = { firstWeek: toWeekNumber(window.startDate), lastWeek: toWeekNumber(window.endDate) }
  return { statement: query, values: query.bind(scope, { ...window, ...weeks, hidden, pathValues }) }
}

const DEFAULT_SLICE_ROWS = 50_000

const fetchDefaultSlice = statement('metrics.scan-slice', `fetch ${DEFAULT_SLICE_ROWS} from metrics_scan`)

/** The statement that reads the next slice, and the rows of a full one. */
export function getSlice({ sliceRows }: MetricsScan): { readonly fetch: Statement; readonly rows: number } {
  if (sliceRows === undefined) return { fetch: fetchDefaultSlice, rows: DEFAULT_SLICE_ROWS }
  const fetch = getStatement(`metrics.scan-slice-${sliceRows}`, () => `fetch ${sliceRows} from metrics_scan`)
  return { fetch, rows: sliceRows }
}

/** Every statement that the scans can use. */
export function listScanStatements(scans: readonly MetricsScan[]): NamedStatement[] {
  return scans.flatMap((scan) =>
    (Object.keys(accessPaths) as AccessPath[]).flatMap((accessPath) =>
      listSubsets(filtersByPath[accessPath]).map((appliedFilters) =>
        toStatement({ ...scan, accessPath, appliedFilters }),
      ),
    ),
  )
}
