import { setTimeout as sleep } from 'node:timers/promises'

export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS

/** `YYYY-MM-DD`. A retention of that many months keeps this day and later ones: whole months, and the current one. */
export function getFirstDayOfMonth(now: Date, monthsAgo: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 10)
}

/** Repeats `work` until the signal aborts. It returns for how many milliseconds to pause. */
export async function repeatUntilAborted(
  signal: AbortSignal,
  work: () => Promise<number> | number,
): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await work()
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}
