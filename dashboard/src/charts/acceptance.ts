// The definition acceptance.v1 for sums of groups. A test compares every figure on the screens with the API's.
export interface Counts {
  readonly posted: number
  readonly accepted: number
  readonly not_accepted: number
  readonly unknown: number
}

export interface Acceptance extends Counts {
  readonly rate: number | null
  readonly rate_low: number | null
  readonly rate_high: number | null
  readonly interval_low: number | null
  readonly interval_high: number | null
}

/** Below this, one outcome moves the rate by more than 5 points. */
export const SMALL_SAMPLE = 20

// The 97.5% quantile of the standard normal distribution, for a 95% interval.
const Z = 1.959963984540054

export function sumAcceptance(groups: readonly Counts[]): Acceptance {
  const add = (key: keyof Counts) => groups.reduce((sum, group) => sum + group[key], 0)
  const counts = {
    posted: add('posted'),
    accepted: add('accepted'),
    not_accepted: add('not_accepted'),
    unknown: add('unknown'),
  }
  const { posted, accepted, unknown } = counts
  const known = accepted + counts.not_accepted
  const [interval_low, interval_high] = computeInterval(accepted, known)
  return {
    ...counts,
    rate: share(accepted, known),
    rate_low: share(accepted, posted),
    rate_high: share(accepted + unknown, posted),
    interval_low,
    interval_high,
  }
}

/** Wilson's score interval. */
function computeInterval(accepted: number, known: number): readonly [number | null, number | null] {
  if (known === 0) return [null, null]
  const rate = accepted / known
  const scale = 1 + Z ** 2 / known
  const middle = (rate + Z ** 2 / (2 * known)) / scale
  const half = (Z * Math.sqrt((rate * (1 - rate)) / known + Z ** 2 / (4 * known ** 2))) / scale
  return [
    accepted === 0 ? 0 : round(Math.max(0, middle - half)),
    accepted === known ? 1 : round(Math.min(1, middle + half)),
  ]
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : round(part / whole)
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

const ARRIVING_MS = 14 * 86_400_000
const ARRIVING_SHARE = 0.2

/** Whether outcomes of a week are still arriving: it is recent, and many are unknown. */
export function isYoung({
  week,
  posted,
  unknown,
}: Pick<Counts, 'posted' | 'unknown'> & { readonly week: string }): boolean {
  return Date.now() - Date.parse(week) < ARRIVING_MS && unknown > ARRIVING_SHARE * posted
}
