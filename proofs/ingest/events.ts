import { createEventGenerator, type ReviewTarget } from '../../server/test/pull-requests.ts'

/** Pull requests of a block; blocks are sent as one call each. */
const BLOCK = 100
const END = new Date('2026-06-30T00:00:00Z')
const OUTCOME_AT = '2026-07-01T00:00:00.000Z'

/** What there is to send. Everything follows from the number of the pull request, so that nothing need be remembered. */
export interface NumberedEvents {
  finalized(number: number): ReturnType<ReturnType<typeof createEventGenerator>['finalized']>
  /** Of its first finding; null for every fourth pull request. */
  outcome(number: number): ReturnType<ReturnType<typeof createEventGenerator>['outcome']> | null
}

export function makeNumberedEvents(targets: readonly ReviewTarget[]): NumberedEvents {
  function generate(number: number) {
    const generator = createEventGenerator({ seed: number, end: END, days: 180, findings: 2 })
    const place = targets[number % targets.length]
    if (place === undefined) throw new Error('There is no workplace.')
    return {
      reviewer: generator,
      event: generator.finalized(place, { event_id: `finalized-${number}`, number }),
    }
  }
  return {
    finalized: (number) => generate(number).event,
    outcome(number) {
      if (number % 4 === 0) return null
      const { reviewer: generator, event } = generate(number)
      return generator.outcome(event, {
        event_id: `outcome-${number}`,
        occurred_at: OUTCOME_AT,
        finding_id: event.payload.findings[0]?.id ?? '',
        accepted: number % 3 !== 0,
      })
    },
  }
}

/**
 * The numbers of a block and those whose outcomes go with it: some in the same call as their pull requests, some in the
 * call before, some in the call after.
 */
export function getBlock(block: number): { pullRequests: number[]; outcomes: number[] } {
  const numbers = (of: number) =>
    of < 0 ? [] : Array.from({ length: BLOCK }, (_, place) => of * BLOCK + place + 1)
  const rest = (of: number, remainder: number) => numbers(of).filter((number) => number % 4 === remainder)
  return {
    pullRequests: numbers(block),
    outcomes: [...rest(block, 1), ...rest(block - 1, 2), ...rest(block + 1, 3)],
  }
}
