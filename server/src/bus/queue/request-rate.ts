const WINDOW_MS = 1000
const MAX_WINDOWS = 10_000

/** Counts a request and returns null, or returns after how many milliseconds the sender may send the next one. */
export type CountRequest = (sender: string) => number | null

/** Admits at most `maxRequests` of a sender in any second. Rejected requests do not count. */
export function createRequestRate(maxRequests: number, now = () => performance.now()): CountRequest {
  /** The times of the admitted requests of a sender, oldest first. */
  const windows = new Map<string, number[]>()

  function dropOldWindows(at: number): void {
    for (const [sender, times] of windows) {
      if (at - (times.at(-1) ?? 0) >= WINDOW_MS) windows.delete(sender)
    }
  }

  return (sender) => {
    const at = now()
    if (windows.size >= MAX_WINDOWS && !windows.has(sender)) dropOldWindows(at)
    const times = (windows.get(sender) ?? []).filter((time) => at - time < WINDOW_MS)
    const [oldest] = times
    if (times.length >= maxRequests && oldest !== undefined) return Math.ceil(oldest + WINDOW_MS - at)
    times.push(at)
    windows.set(sender, times)
    return null
  }
}
