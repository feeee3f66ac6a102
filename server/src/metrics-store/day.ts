import { DAY_MS } from '../time.ts'

/** A calendar day is `YYYY-MM-DD`. */
function toCalendarDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return toCalendarDay(Date.parse(day) + days * DAY_MS)
}

/** The days from one to another, both included; less than 1 if the last precedes the first. */
export function countDays(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
}

/** The Monday of the day's week. */
export function toMonday(day: string): string {
  const weekday = new Date(day).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}
