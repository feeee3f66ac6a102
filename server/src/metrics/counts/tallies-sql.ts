import { FIRST_MONDAY, LAST_WEEK, WEEK_DAYS } from '../week.ts'

/** Two days, and the weeks they are in, as SQL. */
export interface DaySpan {
  readonly firstDay: string
  readonly lastDay: string
  readonly firstWeek: string
  readonly lastWeek: string
}

/** Of numbers of days. */
export function spanOf(first: string, last: string): DaySpan {
  const dayOf = (number: string) => `date '0001-01-01' + ${number}`
  return { firstDay: dayOf(first), lastDay: dayOf(last), firstWeek: weekOf(first), lastWeek: weekOf(last) }
}

/** As `weekOf` of week.ts says it of a calendar day. */
function weekOf(number: string): string {
  return `least(greatest((${number} - ${FIRST_MONDAY}) / ${WEEK_DAYS}, 0), ${LAST_WEEK})`
}

/** The pull requests that are counted, from one day to another: rows of (period, repository, author, tally). */
export function talliesOf(way: string, { firstDay, lastDay, firstWeek, lastWeek }: DaySpan): string {
  return `select day - date '0001-01-01' as period, repository_id, coalesce(author_id, '') as author_id, tally from review
    where root_id = $1 and ${way} and week between ${firstWeek} and ${lastWeek}
      and day between ${firstDay} and ${lastDay} and tally is not null`
}
