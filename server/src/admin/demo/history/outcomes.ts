import type { Severity } from '../../../metrics-store/findings.ts'
import type { FindingOutcome, NormalizedFinding } from '../../../resources/review-comments/payload.ts'
import { DAY, endOf, HOUR, type Span } from './calendar.ts'
import type { Chance } from './chance.ts'
import type { PullRequest } from './pull-requests.ts'

export interface Outcome {
  readonly finding: string
  readonly accepted: boolean | null
  readonly source: FindingOutcome['source']
  readonly at: number
}

const heeded: Readonly<Record<Severity, number>> = {
  critical: 0.86,
  major: 0.74,
  minor: 0.56,
  trivial: 0.4,
  info: 0.28,
}

type Way = 'in review' | 'by detector' | 'by provider' | 'never'

const afterMerge: Readonly<Record<Way, number>> = {
  'in review': 28,
  'by detector': 50,
  'by provider': 9,
  never: 13,
}
const afterClosing: Readonly<Record<Way, number>> = {
  'in review': 25,
  'by detector': 0,
  'by provider': 5,
  never: 70,
}

/** What is known at the end of the span: of recent pull requests not everything has come in. */
export function outcomesOf(
  chance: Chance,
  pullRequest: PullRequest,
  findings: readonly NormalizedFinding[],
  span: Span,
): Outcome[] {
  return findings
    .flatMap((finding) => judge(chance, pullRequest, finding, span))
    .filter(({ at }) => at < endOf(span))
}

function judge(
  chance: Chance,
  pullRequest: PullRequest,
  { id, severity }: NormalizedFinding,
  span: Span,
): Outcome[] {
  const { author, finalizedAt, fate } = pullRequest
  const way = chance.weighted(fate === 'closed' ? afterClosing : afterMerge)
  // Reviewers and teams get used to each other.
  const habit = 0.94 + 0.12 * ((finalizedAt - span.start) / (span.days * DAY))
  const accepted = chance.yes((severity === null ? 0.5 : heeded[severity]) * author.docility * habit)
  const first = firstWord(chance, pullRequest, way)
  if (first === null) return []
  const outcomes: Outcome[] = [{ finding: id, accepted, ...first }]
  if (chance.yes(0.06)) {
    const correction = chance.yes(0.15) ? null : !accepted
    const at = Math.floor(Math.max(first.at, finalizedAt) + chance.between(0.5, 12) * DAY)
    outcomes.push({ finding: id, accepted: correction, source: 'person', at })
  }
  return outcomes
}

function firstWord(
  chance: Chance,
  { readyAt, finalizedAt }: PullRequest,
  way: Way,
): Pick<Outcome, 'source' | 'at'> | null {
  switch (way) {
    case 'in review': {
      const at = Math.floor(readyAt + (finalizedAt - readyAt) * chance.between(0.2, 0.98))
      return { source: chance.yes(0.6) ? 'person' : 'provider', at }
    }
    case 'by detector':
      return { source: 'detector', at: Math.floor(finalizedAt + chance.around(20, 0.9) * HOUR) }
    case 'by provider':
      return { source: 'provider', at: Math.floor(finalizedAt + chance.between(1, 9) * DAY) }
    case 'never':
      return null
  }
}
