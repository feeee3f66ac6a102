const MINUTE_MS = 60_000

export function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100
}

export function toMinutes(duration: number | null): number | null {
  return duration === null ? null : roundToHundredths(duration / MINUTE_MS)
}

/** The median, between the two middle ones of an even number of durations; null without any. */
export function computeMedian(durations: readonly number[]): number | null {
  const sorted = durations.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [lower, upper] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2
}
