import type { Severity } from '../data.ts'
import { DAY, endOf, HOUR, type Period } from './calendar.ts'
import type { Finding } from './findings.ts'
import type { PullRequest } from './pull-requests.ts'
import type { Random } from './random.ts'

type Source = 'detector' | 'person' | 'provider'

export interface Outcome {
  readonly finding: string
  readonly accepted: boolean | null
  readonly source: Source
  readonly at: number
}

/** When, and by whom, the outcome of a finding is reported. */
type Report = 'in_review' | 'by_detector' | 'by_provider' | 'never'

const acceptanceRates: Readonly<Record<Severity, number>> = {
  critical: 0.86,
  major: 0.74,
  minor: 0.56,
  trivial: 0.4,
  info: 0.28,
}
const reportsAfterMerge: Readonly<Record<Report, number>> = {
  in_review: 28,
  by_detector: 50,
  by_provider: 9,
  never: 13,
}
const reportsAfterClose: Readonly<Record<Report, number>> = {
  in_review: 25,
  by_detector: 0,
  by_provider: 5,
  never: 70,
}

/** Returns outcomes reported within the period; recent pull requests lack some. */
export function outcomesOf(
  random: Random,
  pullRequest: PullRequest,
  findings: readonly Finding[],
  period: Period,
): Outcome[] {
  return findings
    .flatMap((finding) => outcomesOfFinding(random, pullRequest, finding, period))
    .filter(({ at }) => at < endOf(period))
}

function outcomesOfFinding(
  random: Random,
  pullRequest: PullRequest,
  { id, severity }: Finding,
  period: Period,
): Outcome[] {
  const { author, finalizedAt, ending } = pullRequest
  const report = random.weighted(ending === 'closed' ? reportsAfterClose : reportsAfterMerge)
  // Acceptance grows over the period.
  const growth = 0.94 + 0.12 * ((finalizedAt - period.start) / (period.days * DAY))
  const rate = severity === null ? 0.5 : acceptanceRates[severity]
  const accepted = random.chance(rate * author.acceptanceFactor * growth)
  const first = firstReport(random, pullRequest, report)
  if (first === null) return []
  const outcomes: Outcome[] = [{ finding: id, accepted, ...first }]
  if (random.chance(0.06)) {
    const correction = random.chance(0.15) ? null : !accepted
    const at = Math.floor(Math.max(first.at, finalizedAt) + random.between(0.5, 12) * DAY)
    outcomes.push({ finding: id, accepted: correction, source: 'person', at })
  }
  return outcomes
}

function firstReport(
  random: Random,
  { readyAt, finalizedAt }: PullRequest,
  report: Report,
): Pick<Outcome, 'source' | 'at'> | null {
  switch (report) {
    case 'in_review': {
      const at = Math.floor(readyAt + (finalizedAt - readyAt) * random.between(0.2, 0.98))
      return { source: random.chance(0.6) ? 'person' : 'provider', at }
    }
    case 'by_detector':
      return { source: 'detector', at: Math.floor(finalizedAt + random.around(20, 0.9) * HOUR) }
    case 'by_provider':
      return { source: 'provider', at: Math.floor(finalizedAt + random.between(1, 9) * DAY) }
    case 'never':
      return null
  }
}
