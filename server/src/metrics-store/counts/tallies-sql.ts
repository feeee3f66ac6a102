import { FIRST_MONDAY, LAST_WEEK, WEEK_DAYS } from '../week.ts'

/** SQL expressions of two days and their weeks. */
export interface DayRangeSql {
  readonly firstDay: string
  readonly lastDay: string
  readonly firstWeek: string
  readonly lastWeek: string
}

/** From SQL expressions of day numbers. */
export function toDayRangeSql(first: string, last: string): DayRangeSql {
  const renderDay = (number: string) => `date '0001-01-01' + ${number}`
  return {
    firstDay: renderDay(first),
    lastDay: renderDay(last),
    firstWeek: renderWeek(first),
    lastWeek: renderWeek(last),
  }
}

/** The SQL form of toWeekNumber in week.ts. */
function renderWeek(number: string): string {
  return `least(greatest((${number} - ${FIRST_MONDAY}) / ${WEEK_DAYS}, 0), ${LAST_WEEK})`
}

/**
 * The tallies of pull requests in a range of days: rows of (period, organization, repository, author, tally). The search goes
 * week by week, because the planner estimates a narrower access path correctly for one week but not for a range of weeks.
 */
export function renderTallies(accessPath: string, days: DayRangeSql, organization: string): string {
  const { firstDay, lastDay, firstWeek, lastWeek } = days
  return `select tallies.* from generate_series(${firstWeek}, ${lastWeek}) of_week cross join lateral (
    select day - date '0001-01-01' as period, ${organization} as organization, repository_id, coalesce(author_id, '') as author_id, tally from review
    where root_id = $1 and ${accessPath} and week = of_week and day between ${firstDay} and ${lastDay} and tally is not null
    offset 0) tallies`
}
