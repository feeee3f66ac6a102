import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import type { MetricsSource } from '../source-sql.ts'
import { toDayNumber, toWeekNumber } from '../week.ts'
import { type ColumnTypes, createInsert } from './rows-sql.ts'

/** The first and last position of the entries of a day. */
interface DayRow {
  readonly week: number
  readonly day: number
  readonly first_position: number
  readonly last_position: number
}

const columns: ColumnTypes<DayRow> = {
  week: 'integer',
  day: 'integer',
  first_position: 'bigint',
  last_position: 'bigint',
}

const createWidenQuery = (days: MetricsSource['dayTable']) =>
  createInsert(
    `metrics.widen-${days}`,
    `${days} as d`,
    columns,
    `on conflict (root_id, week, day) do update set first_position = least(d.first_position, excluded.first_position),
       last_position = greatest(d.last_position, excluded.last_position)`,
  )

const widenDays = {
  metrics_day: createWidenQuery('metrics_day'),
  review_day: createWidenQuery('review_day'),
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
      week: toWeekNumber(day),
      day: toDayNumber(day),
      first_position: Math.min(...positions),
      last_position: Math.max(...positions),
    }
  })
}
