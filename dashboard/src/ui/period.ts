// The window of days that a screen shows. It is in the address: `?from=2026-08-17&to=2026-11-15`, or nothing for the default.
export interface Period {
  readonly start_date: string
  readonly end_date: string
}

const DAY_MS = 86_400_000
/** As in the command line, so that both show the same figures. */
export const DEFAULT_DAYS = 90
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

export function readPeriod(search: URLSearchParams, today = new Date()): Period {
  return readChosenPeriod(search) ?? lastDays(DEFAULT_DAYS, today)
}

/** Null if the address names no days, or none that make sense. */
export function readChosenPeriod(search: URLSearchParams): Period | null {
  const [from, to] = [search.get('from'), search.get('to')]
  return from !== null && to !== null && isDay(from) && isDay(to) && from <= to
    ? { start_date: from, end_date: to }
    : null
}

/** So many days, of which today is the last. */
export function lastDays(days: number, today = new Date()): Period {
  return { start_date: toDay(today.getTime() - (days - 1) * DAY_MS), end_date: toDay(today.getTime()) }
}

/** Whole weeks from a Monday on, up to today. */
export function lastWeeks(weeks: number, today = new Date()): Period {
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return lastDays(sinceMonday + 7 * (weeks - 1) + 1, today)
}

/** As many days, just before. */
export function previousPeriod({ start_date, end_date }: Period): Period {
  const days = countDays({ start_date, end_date })
  const start = Date.parse(start_date)
  return { start_date: toDay(start - days * DAY_MS), end_date: toDay(start - DAY_MS) }
}

export function countDays({ start_date, end_date }: Period): number {
  return (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS + 1
}

/** The Mondays of all weeks that the window touches. */
export function listWeeks({ start_date, end_date }: Period): string[] {
  const weeks: string[] = []
  const sinceMonday = (new Date(start_date).getUTCDay() + 6) % 7
  for (let week = shiftDay(start_date, -sinceMonday); week <= end_date; week = shiftDay(week, 7))
    weeks.push(week)
  return weeks
}

/** The day that is so many days later. */
export function shiftDay(day: string, days: number): string {
  return toDay(Date.parse(day) + days * DAY_MS)
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function isDay(text: string): boolean {
  return dayPattern.test(text) && !Number.isNaN(Date.parse(text))
}
