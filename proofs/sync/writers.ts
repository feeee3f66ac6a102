import { setTimeout as sleep } from 'node:timers/promises'
import {
  createEventGenerator,
  type ReviewTarget,
  storeEvents,
  type TestWriter,
  toReviewTarget,
} from '../../server/test/pull-requests.ts'
import type { TestRoot } from '../../server/test/tenant.ts'
import { createRandom, type Random } from '../tools/random.ts'

const WRITERS = 8
const BATCH = 6
const PAUSE_MS = 200
const MINUTE_MS = 60_000

export interface WriterTally {
  written: number
  rewritten: number
  removed: number
  outcomes: number
}

type Generator = ReturnType<typeof createEventGenerator>
type PullRequest = ReturnType<Generator['finalized']>
type ReviewEvent = Parameters<typeof storeEvents>[2][number]

export interface Writers {
  readonly tally: WriterTally
  stop(): Promise<void>
}

/** Writers that create, rewrite and remove pull requests and change outcomes until they are stopped. */
export function startWriters(writer: TestWriter, { root, organizations }: TestRoot): Writers {
  const tally: WriterTally = { written: 0, rewritten: 0, removed: 0, outcomes: 0 }
  const writing = new AbortController()
  const work = Array.from({ length: WRITERS }, async (_, index) => {
    const next = createEvents(
      createEventGenerator({ seed: index + 1, findings: 3 }),
      organizations.map((organization) => toReviewTarget(organization)),
      { random: createRandom(`sync ${index}`), index, tally },
    )
    while (!writing.signal.aborted) {
      await storeEvents(writer, root, Array.from({ length: BATCH }, next))
      await sleep(PAUSE_MS)
    }
  })
  return {
    tally,
    async stop() {
      writing.abort()
      await Promise.all(work)
    },
  }
}

interface WriterChoices {
  readonly random: Random
  readonly index: number
  readonly tally: WriterTally
}

/** Each writer changes only pull requests of its own, so that the order of its events is the order of their times. */
function createEvents(
  generator: Generator,
  targets: readonly ReviewTarget[],
  { random, index, tally }: WriterChoices,
): () => ReviewEvent {
  const known: { event: PullRequest; changes: number }[] = []
  let created = 0

  function write(): ReviewEvent {
    created += 1
    tally.written += 1
    // Writers share repositories; their numbers differ.
    const event = generator.finalized(random.pick(targets), { number: index + 1 + created * WRITERS })
    known.push({ event, changes: 0 })
    return event
  }

  return () => {
    const choice = random.below(10)
    if (known.length < 5 || choice < 4) return write()
    const pullRequest = random.pick(known)
    if (choice < 8) {
      tally.outcomes += 1
      pullRequest.changes += 1
      return generator.outcome(pullRequest.event, { occurred_at: toTime(pullRequest) })
    }
    pullRequest.changes += 1
    const { event } = pullRequest
    const isRemoved = choice === 9 && random.below(2) === 0
    if (isRemoved) tally.removed += 1
    else tally.rewritten += 1
    const { url, findings } = event.payload
    const added = { ...findings[0], id: `added-${pullRequest.changes}`, url: `${url}#${pullRequest.changes}` }
    pullRequest.event = {
      ...event,
      id: `${event.id}-${pullRequest.changes}`,
      occurred_at: toTime(pullRequest),
      payload: {
        ...event.payload,
        status: isRemoved ? 'closed' : 'merged',
        // The first finding goes and one is added; the others have their outcomes.
        findings: [...findings.slice(1), { severity: null, category: null, reviewer: null, ...added }],
      },
    }
    return pullRequest.event
  }
}

function toTime({ event, changes }: { readonly event: PullRequest; readonly changes: number }): string {
  return new Date(
    Date.parse(event.payload.merged_at ?? event.occurred_at) + (10 + changes) * MINUTE_MS,
  ).toISOString()
}
