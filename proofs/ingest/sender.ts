import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, postJson } from '../tools/client.ts'
import { blockOf, type Events } from './events.ts'
import type { World } from './world.ts'

/** What was acknowledged with 202, and so must be stored. */
export interface Acknowledged {
  readonly pullRequests: Set<number>
  readonly outcomes: Set<number>
  /** Events of calls that began and were acknowledged while PostgreSQL was away. */
  whileAway: number
  /** Calls that were sent again because nobody knows what became of them, or because they were refused. */
  resent: number
  /** Calls that were sent again though they were acknowledged, as by a sender who has lost the answer. */
  repeated: number
}

const SENDERS = 4
const PAUSE_MS = 250
const RETRY_MS = 200
// Every so many calls an earlier one is repeated.
const REPEATED = 10
const LATER = 20

/** Sends block after block until it is told to stop; whatever was not acknowledged is sent again, with the same ids. */
export async function sendBlocks(
  world: World,
  events: Events,
  acknowledged: Acknowledged,
  goesOn: () => boolean,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (goesOn()) {
        const block = next++
        await sendBlock(world, events, block, acknowledged)
        await sleep(Math.random() * 2 * PAUSE_MS)
        if (block % REPEATED !== 0 || block < LATER) continue
        acknowledged.repeated += 1
        await sendBlock(world, events, block - LATER, acknowledged)
      }
    }),
  )
}

export function nothingAcknowledged(): Acknowledged {
  return { pullRequests: new Set(), outcomes: new Set(), whileAway: 0, resent: 0, repeated: 0 }
}

export function countEvents({ pullRequests, outcomes }: Acknowledged): number {
  return pullRequests.size + outcomes.size
}

async function sendBlock(
  world: World,
  events: Events,
  block: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const { pullRequests, outcomes } = blockOf(block)
  const sent = [
    ...outcomes.map((number) => events.outcome(number)),
    ...pullRequests.map((number) => events.finalized(number)),
  ]
  const body = JSON.stringify(sent)
  for (;;) {
    const awayAtStart = world.awaySince()
    const answer = await postJson(`${world.url()}/ingest/v1/events`, world.credential, body).catch(() => null)
    if (isAcknowledged(answer, sent.length)) {
      if (awayAtStart !== null && world.awaySince() === awayAtStart) acknowledged.whileAway += sent.length
      break
    }
    acknowledged.resent += 1
    await sleep(RETRY_MS)
  }
  for (const number of pullRequests) acknowledged.pullRequests.add(number)
  for (const number of outcomes) acknowledged.outcomes.add(number)
}

function isAcknowledged(answer: Answered | null, events: number): boolean {
  if (answer === null || answer.status === 503) return false
  const { accepted } = JSON.parse(answer.text) as { accepted?: number }
  if (answer.status === 202 && accepted === events) return true
  throw new Error(`A sender was answered ${answer.status}: ${answer.text}`)
}
