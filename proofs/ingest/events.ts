import { createEventGenerator, type ReviewTarget } from '../../server/test/pull-requests.ts'

/** Pull requests per block; each block is sent in one request. */
const BLOCK = 100
const END = new Date('2026-06-30T00:00:00Z')
const OUTCOME_AT = '2026-07-01T00:00:00.000Z'

/** The events to send. They are derived from the number of the pull request, so that nothing must be stored. */
export interface NumberedEvents {
  finalized(number: number): ReturnType<ReturnType<typeof createEventGenerator>['finalized']>
  /** The outcome of its first finding; null for every fourth pull request. */
  outcome(number: number): ReturnType<ReturnType<typeof createEventGenerator>['outcome']> | null
}

export function createNumberedEvents(targets: readonly ReviewTarget[]): NumberedEvents {
  function generate(number: number) {
    const generator = createEventGenerator({ seed: number, end: END, days: 180, findings: 2 })
    const place = targets[number % targets.length]
    if (place === undefined) throw new Error('The tenant has no organization to send events for.')
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
 * The numbers of a block, and the numbers whose outcomes are sent with it: some in the same request as their pull
 * requests, some in the request before, some in the request after.
 */
export function getBlock(block: number): { pullRequests: number[]; outcomes: number[] } {
  const numbers = (of: number) =>
    of < 0 ? [] : Array.from({ length: BLOCK }, (_, index) => of * BLOCK + index + 1)
  const rest = (of: number, remainder: number) => numbers(of).filter((number) => number % 4 === remainder)
  return {
    pullRequests: numbers(block),
    outcomes: [...rest(block, 1), ...rest(block - 1, 2), ...rest(block + 1, 3)],
  }
}
