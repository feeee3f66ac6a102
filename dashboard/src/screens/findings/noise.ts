import { type Acceptance, SMALL_SAMPLE } from '../../charts/acceptance.ts'

export interface Combination extends Acceptance {
  readonly severity: string
  readonly category: string
}

/** Whether findings of a combination are acted on less often than all findings, by more than the margin of error. */
export function isNoise({ posted, interval_high }: Acceptance, total: Acceptance): boolean {
  return posted >= SMALL_SAMPLE && interval_high !== null && total.rate !== null && interval_high < total.rate
}

/** The noisy combinations, those with the most findings that nobody acted on first. */
export function findNoise(combinations: readonly Combination[], total: Acceptance): Combination[] {
  return combinations
    .filter((one) => isNoise(one, total))
    .sort((a, b) => b.not_accepted - a.not_accepted || b.posted - a.posted)
}
