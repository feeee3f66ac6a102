import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpResult, postJson } from '../tools/client.ts'
import { getBlock, type NumberedEvents } from './events.ts'
import type { Installation } from './installation.ts'

/** Events that were acknowledged with 202 and must be stored. */
export interface Acknowledged {
  readonly pullRequests: Set<number>
  readonly outcomes: Set<number>
  /** Events of requests that began and were acknowledged while PostgreSQL was unavailable. */
  whilePostgresDown: number
  /** Requests that were repeated because there was no response, a 503 or a 429. */
  resent: number
  /** Requests that were repeated after their 202, as by a sender that lost the response. */
  repeated: number
}

const SENDERS = 4
const PAUSE_MS = 250
const RETRY_MS = 200
// After this many requests, an earlier one is repeated.
const REPEAT_EVERY = 10
const REPEAT_LAG = 20

/** Sends blocks until it is stopped. Unacknowledged blocks are repeated with the same ids. */
export async function sendBlocks(
  installation: Installation,
  events: NumberedEvents,
  acknowledged: Acknowledged,
  shouldContinue: () => boolean,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (shouldContinue()) {
        const block = next++
        await sendBlock(installation, events, block, acknowledged)
        await sleep(Math.random() * 2 * PAUSE_MS)
        if (block % REPEAT_EVERY !== 0 || block < REPEAT_LAG) continue
        acknowledged.repeated += 1
        await sendBlock(installation, events, block - REPEAT_LAG, acknowledged)
      }
    }),
  )
}

export function noneAcknowledged(): Acknowledged {
  return { pullRequests: new Set(), outcomes: new Set(), whilePostgresDown: 0, resent: 0, repeated: 0 }
}

export function countEvents({ pullRequests, outcomes }: Acknowledged): number {
  return pullRequests.size + outcomes.size
}

async function sendBlock(
  installation: Installation,
  events: NumberedEvents,
  block: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const { pullRequests, outcomes } = getBlock(block)
  const sent = [
    ...outcomes.map((number) => events.outcome(number)),
    ...pullRequests.map((number) => events.finalized(number)),
  ]
  const body = JSON.stringify(sent)
  for (;;) {
    const downAtStart = installation.postgresDownSince()
    const response = await postJson(
      `${installation.url()}/ingest/v1/events`,
      installation.credential,
      body,
    ).catch(() => null)
    if (isAcknowledged(response, sent.length)) {
      if (downAtStart !== null && installation.postgresDownSince() === downAtStart)
        acknowledged.whilePostgresDown += sent.length
      break
    }
    acknowledged.resent += 1
    await sleep(RETRY_MS)
  }
  for (const number of pullRequests) acknowledged.pullRequests.add(number)
  for (const number of outcomes) acknowledged.outcomes.add(number)
}

function isAcknowledged(response: HttpResult | null, events: number): boolean {
  if (response === null || response.status === 503 || response.status === 429) return false
  const { accepted } = JSON.parse(response.text) as { accepted?: number }
  if (response.status === 202 && accepted === events) return true
  throw new Error(`A request returned ${response.status}: ${response.text}`)
}
