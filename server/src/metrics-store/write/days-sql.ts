import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Source } from '../source-sql.ts'
import { toDayNumber, toWeekNumber } from '../week.ts'
import { type Columns, insertInto, separate } from './rows-sql.ts'

/** Between which positions the entries of a day lie. */
interface DayRow {
  readonly week: number
  readonly day: number
  readonly first_position: number
  readonly last_position: number
}

const columns: Columns<DayRow> = {
  week: 'integer',
  day: 'integer',
  first_position: 'bigint',
  last_position: 'bigint',
}

function widenDays(days: Source['days']): Statement {
  return statement(
    `metrics.widen-${days}`,
    `${insertInto(`${days} as d`, columns)}
     on conflict (root_id, week, day) do update set first_position = least(d.first_position, excluded.first_position),
       last_position = greatest(d.last_position, excluded.last_position)`,
  )
}

const statements = {
  metrics_day: widenDays('metrics_day'),
  review_day: widenDays('review_day'),
  mcp_day: widenDays('mcp_day'),
} as const satisfies Record<Source['days'], Statement>

/** Tells the days of a source where these entries of it lie. */
export async function writeDays(
  { days }: Source,
  scope: Scope,
  tx: Tx,
  entries: readonly { readonly day: string; readonly position: number }[],
): Promise<void> {
  if (entries.length > 0)
    await tx.query(statements[days], [scope.root, separate(toDayRows(entries), columns)])
}

/** In one order, so that writers never wait for one another in a circle. */
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
