import { setTimeout as sleep } from 'node:timers/promises'
import type { Data } from './data.ts'
import type { Operator } from './operator.ts'
import type { Progress } from './progress.ts'
import type { IngestEvent, Service } from './service.ts'

/** What every step of a seeding works with. */
export interface Session {
  readonly data: Data
  readonly operator: Operator
  readonly service: Service
  readonly progress: Progress
  readonly days: number
  /** In the ingest queue before the first step: they may wait for an organization that nobody adds. */
  readonly messagesBefore: number
}

/** Events of one tenant, sent with a credential of that tenant. */
export interface Delivery {
  readonly credential: string
  readonly events: readonly IngestEvent[]
}

const POLL_MS = 50
const MAX_WAIT_MS = 10 * 60_000

/** Sends the events of all tenants side by side and waits until the worker has stored them. */
export async function deliver(
  session: Session,
  what: string,
  deliveries: readonly Delivery[],
): Promise<number> {
  const { service, progress } = session
  const total = deliveries.reduce((sum, { events }) => sum + events.length, 0)
  let sent = 0
  const report = (count: number) => {
    sent += count
    progress.show(`Sending ${what}: ${sent} of ${total} events`)
  }
  await Promise.all(
    deliveries.map(({ credential, events }) => service.sendEvents(credential, events, report)),
  )
  await waitUntilStored(session, what)
  return total
}

export async function countMessages(operator: Operator): Promise<number> {
  const { messages } = await operator.run<{ messages: number }>('ingest', 'status')
  return messages
}

/** An ingest queue without new messages means that the worker has stored every event that was accepted before. */
async function waitUntilStored({ operator, progress, messagesBefore }: Session, what: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const messages = (await countMessages(operator)) - messagesBefore
    if (messages <= 0) return
    if (Date.now() > deadline) {
      throw new Error(`${messages} messages are still in the ingest queue. The log of the worker says why.`)
    }
    progress.show(`Storing ${what}: ${messages} messages in the queue`)
    await sleep(POLL_MS)
  }
}
