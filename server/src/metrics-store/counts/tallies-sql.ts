import { FIRST_MONDAY, LAST_WEEK, WEEK_DAYS } from '../week.ts'

/** Two days, and the weeks they are in, as SQL. */
export interface DayRangeSql {
  readonly firstDay: string
  readonly lastDay: string
  readonly firstWeek: string
  readonly lastWeek: string
}

/** Of numbers of days. */
export function toDayRangeSql(first: string, last: string): DayRangeSql {
  const renderDay = (number: string) => `date '0001-01-01' + ${number}`
  return {
    firstDay: renderDay(first),
    lastDay: renderDay(last),
    firstWeek: renderWeek(first),
    lastWeek: renderWeek(last),
  }
}

/** As `renderWeek` of week.ts says it of a calendar day. */
function renderWeek(number: string): string {
  return `least(greatest((${number} - ${FIRST_MONDAY}) / ${WEEK_DAYS}, 0), ${LAST_WEEK})`
}

/**
 * The pull requests that are counted, from one day to another: rows of (period, repository, author, tally). They are looked for
 * week by week: of a week the planner knows that there are fewer by any narrower way, of a span of weeks it does not.
 */
export function renderTallies(accessPath: string, days: DayRangeSql): string {
  const { firstDay, lastDay, firstWeek, lastWeek } = days
  return `select tallies.* from generate_series(${firstWeek}, ${lastWeek}) of_week cross join lateral (
    select day - date '0001-01-01' as period, repository_id, coalesce(author_id, '') as author_id, tally from review
    where root_id = $1 and ${accessPath} and week = of_week and day between ${firstDay} and ${lastDay} and tally is not null
    offset 0) tallies`
}
