import { DAY_MS, HOUR_MS } from '../../src/time.ts'

/**
 * Noon of tomorrow, UTC: ahead of the clock of the database, so that what was created is due, and hours away from the
 * nightly sweep, so that no test depends on the time of day.
 */
export function tomorrowNoon(): number {
  return Math.ceil(Date.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS
}
