// A page merges the weeks of its window, so the weeks are counted from a Monday on: those of 2020 to 2039 each have a
// number of their own. What is merged before or after shares the first or the last one; the day itself always decides.
const FIRST_MONDAY = Date.UTC(2020, 0, 6)
const DAY_MS = 24 * 60 * 60 * 1000
const LAST_WEEK = 1039

/** Of a calendar day, `YYYY-MM-DD`. */
export function weekOf(day: string): number {
  const days = Math.floor((Date.parse(`${day}T00:00:00Z`) - FIRST_MONDAY) / DAY_MS)
  return Math.min(Math.max(Math.floor(days / 7), 0), LAST_WEEK)
}

const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z')

/** How many days a calendar day, `YYYY-MM-DD`, comes after the first of the year 1. */
export function dayNumberOf(day: string): number {
  return (Date.parse(`${day}T00:00:00Z`) - FIRST_DAY) / DAY_MS
}

/** The day of such a number. */
export function dayOfNumber(number: number): string {
  return new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10)
}
