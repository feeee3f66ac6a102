import type { BoundStatement } from '../db/batch.ts'
import { type Statement, statement } from '../db/connect.ts'
import { createStatementCache } from '../db/keyset-sql.ts'
import type { NamedStatement } from '../db/named-statement.ts'
import { filterConditions, type PageRequest } from './page-sql.ts'
import type { MetricsSource } from './source-sql.ts'

/** What a summary reads of each row of a source, in any order. */
export interface MetricsScan {
  readonly source: MetricsSource
  readonly columns: string
}

const getStatement = createStatementCache()

function toStatement({ source, columns }: MetricsScan): NamedStatement {
  return getStatement(
    `metrics.scan-of-${source.name}`,
    () => `declare metrics_scan no scroll cursor for
    select ${columns} from ${source.table}
    where root_id = :root and day between :startDate::date and :endDate::date and ${source.condition} and ${filterConditions}`,
  )
}

/** Every statement that the scans can use. */
export const listScanStatements = (scans: readonly MetricsScan[]): NamedStatement[] => scans.map(toStatement)

/** A cursor over the rows of a window: one snapshot, read in slices. */
export function createScanStatement(
  scan: MetricsScan,
  { scope, window, hidden }: Pick<PageRequest, 'scope' | 'window' | 'hidden'>,
): BoundStatement {
  const query = toStatement(scan)
  return { statement: query, values: query.bind(scope, { ...window, hidden }) }
}

/** A slice must arrive before the statement timeout: a pull request has up to a thousand findings. */
export const SLICE_ROWS = 2_000

export const fetchSlice: Statement = statement('metrics.scan-slice', `fetch ${SLICE_ROWS} from metrics_scan`)
