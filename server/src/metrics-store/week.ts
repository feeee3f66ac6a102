import { DAY_MS } from '../time.ts'
// A page merges the weeks of its window, so the weeks are counted from a Monday on: those of 2020 to 2039 each have a
// number of their own. What is merged before or after shares the first or the last one; the day itself always decides.
export const WEEK_DAYS = 7
export const LAST_WEEK = 1039
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z')
/** The number of the day on which the first week begins. */
export const FIRST_MONDAY = toDayNumber('2020-01-06')

/** Of a calendar day, `YYYY-MM-DD`. */
export function toWeekNumber(day: string): number {
  const week = Math.floor((toDayNumber(day) - FIRST_MONDAY) / WEEK_DAYS)
  return Math.min(Math.max(week, 0), LAST_WEEK)
}

/** How many days a calendar day, `YYYY-MM-DD`, comes after the first of the year 1. */
export function toDayNumber(day: string): number {
  return (Date.parse(`${day}T00:00:00Z`) - FIRST_DAY) / DAY_MS
}

/** The day of such a number. */
export function toCalendarDay(number: number): string {
  return new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10)
}
