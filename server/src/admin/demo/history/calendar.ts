export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Whole days, UTC. */
export interface Span {
  readonly start: number
  readonly days: number
}

/** The days before a day, which is written `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): Span {
  return { start: Date.parse(`${day}T00:00:00.000Z`) - days * DAY, days }
}

export function endOf({ start, days }: Span): number {
  return start + days * DAY
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

const ofWeek = [0.1, 0.95, 1.1, 1.1, 1.05, 0.8, 0.12]

/** How much is done on a day, compared to a usual working day. */
export function busyness(time: number): number {
  const date = dayOf(time).slice(5)
  return (ofWeek[new Date(time).getUTCDay()] ?? 1) * ofSeason(date)
}

function ofSeason(date: string): number {
  if (date >= '12-21' || date <= '01-03') return 0.12
  if (date >= '07-10' && date <= '08-20') return 0.75
  return 1
}

/** The last moment not after it at which people work: nobody begins anything at night or on a weekend. */
export function workingMoment(time: number): number {
  const hour = new Date(time).getUTCHours()
  const awake = hour < 7 ? time - (hour + 6) * HOUR : hour > 18 ? time - (hour - 17) * HOUR : time
  const day = new Date(awake).getUTCDay()
  if (day === 6) return awake - DAY
  return day === 0 ? awake - 2 * DAY : awake
}
