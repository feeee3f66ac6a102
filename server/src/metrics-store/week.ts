import { DAY_MS } from '../time.ts'

// A page merges the weeks of its window. Weeks begin on Monday; those of 2020 to 2039 have a number each. Earlier days
// share the first week, later days the last one: the day itself always decides.
export const WEEK_DAYS = 7
export const LAST_WEEK = 1039
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z')
/** The day number of the first Monday. */
export const FIRST_MONDAY = toDayNumber('2020-01-06')

/** The week number of a calendar day, `YYYY-MM-DD`. */
export function toWeekNumber(day: string): number {
  const week = Math.floor((toDayNumber(day) - FIRST_MONDAY) / WEEK_DAYS)
  return Math.min(Math.max(week, 0), LAST_WEEK)
}

/** The number of days from 0001-01-01 to a calendar day, `YYYY-MM-DD`. */
export function toDayNumber(day: string): number {
  return (Date.parse(`${day}T00:00:00Z`) - FIRST_DAY) / DAY_MS
}

/** The inverse of toDayNumber. */
export function toCalendarDay(number: number): string {
  return new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10)
}
