export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Whole days in UTC. */
export interface Period {
  readonly start: number
  readonly days: number
}

/** The period before a day in the form `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): Period {
  return { start: Date.parse(`${day}T00:00:00.000Z`) - days * DAY, days }
}

export function endOf({ start, days }: Period): number {
  return start + days * DAY
}

export function toTimestamp(time: number): string {
  return new Date(time).toISOString()
}

const weekdayActivity = [0.1, 0.95, 1.1, 1.1, 1.05, 0.8, 0.12]

/** Activity on a day, relative to a usual working day. */
export function activityOn(time: number): number {
  return (weekdayActivity[new Date(time).getUTCDay()] ?? 1) * seasonalActivity(toTimestamp(time).slice(5, 10))
}

function seasonalActivity(date: string): number {
  if (date >= '12-21' || date <= '01-03') return 0.12
  if (date >= '07-10' && date <= '08-20') return 0.75
  return 1
}

/** The latest time in working hours that is not after `time`. */
export function toWorkingHours(time: number): number {
  const hour = new Date(time).getUTCHours()
  const inDaytime = hour < 7 ? time - (hour + 6) * HOUR : hour > 18 ? time - (hour - 17) * HOUR : time
  const weekday = new Date(inDaytime).getUTCDay()
  if (weekday === 6) return inDaytime - DAY
  return weekday === 0 ? inDaytime - 2 * DAY : inDaytime
}
