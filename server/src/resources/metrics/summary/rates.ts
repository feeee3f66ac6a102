import type { Static, TObject } from 'typebox'
import type { acceptanceFields } from './schema.ts'
import type { OutcomeCount } from './sql.ts'

/** The fields of a group besides its keys; docs/metrics.md defines each. */
export type Acceptance = Static<TObject<typeof acceptanceFields>>

// The 97.5% quantile of the standard normal distribution, for a 95% interval.
const Z = 1.959963984540054

export function computeAcceptance({ posted, accepted, notAccepted }: OutcomeCount): Acceptance {
  const known = accepted + notAccepted
  const unknown = posted - known
  const [low, high] = computeWilsonInterval(accepted, known)
  return {
    posted,
    accepted,
    not_accepted: notAccepted,
    unknown,
    rate: share(accepted, known),
    rate_low: share(accepted, posted),
    rate_high: share(accepted + unknown, posted),
    interval_low: low,
    interval_high: high,
  }
}

/** Wilson's score interval stays between 0 and 1 and is wide when few outcomes are known. */
function computeWilsonInterval(accepted: number, known: number): [number | null, number | null] {
  if (known === 0) return [null, null]
  const rate = accepted / known
  const scale = 1 + Z ** 2 / known
  const middle = (rate + Z ** 2 / (2 * known)) / scale
  const half = (Z * Math.sqrt((rate * (1 - rate)) / known + Z ** 2 / (4 * known ** 2))) / scale
  return [
    accepted === 0 ? 0 : rounded(Math.max(0, middle - half)),
    accepted === known ? 1 : rounded(Math.min(1, middle + half)),
  ]
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole)
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
