import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import type { MetricsSource } from '../source-sql.ts'
import { type ColumnTypes, createInsert } from './rows-sql.ts'

/** The first and last position of the entries of a day. */
interface DayRow {
  readonly day: string
  readonly first_position: number
  readonly last_position: number
}

const columns: ColumnTypes<DayRow> = {
  day: 'date',
  first_position: 'bigint',
  last_position: 'bigint',
}

const createWidenQuery = (days: MetricsSource['dayTable']) =>
  createInsert(
    `metrics.widen-${days}`,
    `${days} as d`,
    columns,
    `on conflict (root_id, day) do update set first_position = least(d.first_position, excluded.first_position),
       last_position = greatest(d.last_position, excluded.last_position)`,
  )

const widenDays = {
  metrics_day: createWidenQuery('metrics_day'),
  mcp_day: createWidenQuery('mcp_day'),
} as const

/** Widens the position ranges of the days of a source to include these entries. */
export async function writeDays(
  { dayTable }: MetricsSource,
  scope: Scope,
  tx: Tx,
  entries: readonly { readonly day: string; readonly position: number }[],
): Promise<void> {
  await widenDays[dayTable](scope, tx, toDayRows(entries))
}

/** Sorted, so that concurrent writers cannot deadlock. */
function toDayRows(entries: readonly { readonly day: string; readonly position: number }[]): DayRow[] {
  const days = [...Map.groupBy(entries, ({ day }) => day)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return days.map(([day, dayEntries]) => {
    const positions = dayEntries.map(({ position }) => position)
    return {
      day,
      first_position: Math.min(...positions),
      last_position: Math.max(...positions),
    }
  })
}
