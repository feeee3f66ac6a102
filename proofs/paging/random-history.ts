import { createEventGenerator, type ReviewTarget } from '../../server/test/pull-requests.ts'
import type { FinalizedEvent, OutcomeEvent, ReviewEvent } from './model.ts'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
// A tenth of the merges is later than its event.
const EVENT_HOURS = 160 * 24
const findingIds = ['a', 'b', 'c', 'd']
const steps = ['write', 'write', 'write', 'outcome', 'outcome', 'backfill', 'repeat', 'tie'] as const

export type RandomSource = () => number

/** Events of one pull request in the order of arrival: merged, closed, reopened, moved, late, repeated. */
export function createRandomHistory(
  random: RandomSource,
  targets: readonly ReviewTarget[],
  number: number,
): ReviewEvent[] {
  const generator = createEventGenerator({ seed: number })
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const repository = { id: `history-${number}`, name: 'repository' }
  const events: ReviewEvent[] = []
  let hour = 10

  function finalized(at: number): FinalizedEvent {
    const target = pick(targets)
    const url = `https://git.example.com/${target.organization.id}/${pick(['old', 'old', 'new'])}/${number}`
    const merged_at =
      random() < 0.1 ? null : new Date(START + Math.floor(random() * 180 * 24) * HOUR).toISOString()
    const findings = findingIds
      .filter(() => random() < 0.6)
      .map((id) => ({ id, url: `${url}#${id}`, severity: null, category: null, reviewer: null }))
    return generator.finalized(target, {
      event_id: `${number}-${events.length}`,
      occurred_at: toTimestamp(at),
      repository,
      number,
      url,
      status: random() < 0.8 ? 'merged' : 'closed',
      merged_at,
      closed_at: merged_at,
      findings,
    })
  }

  function outcome(): OutcomeEvent {
    return generator.outcome(finalized(hour), {
      event_id: `${number}-${events.length}`,
      occurred_at: toTimestamp(Math.floor(random() * hour)),
      finding_id: pick(findingIds),
    })
  }

  const length = 2 + Math.floor(random() * 7)
  while (events.length < length) {
    hour += 1
    const step = pick(steps)
    if (step === 'write') events.push(finalized(hour))
    else if (step === 'outcome') events.push(outcome())
    else if (step === 'backfill') events.push(finalized(Math.floor(random() * hour)))
    else if (events.length > 0) events.push(step === 'repeat' ? pick(events) : tieWith(pick(events)))
  }
  return events

  /** Another event with the same time: the stored one wins. */
  function tieWith(event: ReviewEvent): ReviewEvent {
    const tie = finalized(hour)
    return event.type === 'finding.outcome' ? tie : { ...tie, occurred_at: event.occurred_at }
  }
}

function toTimestamp(hour: number): string {
  return new Date(START + (EVENT_HOURS + hour) * HOUR).toISOString()
}
