import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'
import { connectQueueProbe, type QueueProbe } from '../../server/test/proofs/queue.ts'
import { postJson } from '../tools/client.ts'
import type { Measurement } from '../tools/report.ts'
import type { NumberedEvents } from './events.ts'
import type { Installation, Sender } from './installation.ts'

export interface HostilePlan {
  /** Messages of events that cannot be resolved: more than the share of a root. */
  readonly unresolvable: number
  /** Events of another root that are timed meanwhile. */
  readonly timed: number
  /** After this time an event counts as not stored. */
  readonly maxLagMs: number
}

type Superuser = ReturnType<TestDatabase['superuser']>

const MIB = 1024 ** 2
const POISON = 20
const MAX_LAG_MS = 10_000
// Numbers that the senders do not reach.
const FIRST_TIMED_NUMBER = 1_000_000_000
const PUBLISH_AT_ONCE = 500
const FREE_BYTES = 16 * MIB
const MAX_FINDINGS = 1000
const MAX_LARGE_EVENTS = 200

/** Roots that send poison, events that nobody can resolve, and too much: another root does not notice. */
export async function measureHostileRoots(
  installation: Installation,
  superuser: Superuser,
  events: NumberedEvents,
  plan: HostilePlan,
): Promise<Measurement[]> {
  const probe = await connectToQueue(installation)
  let nextNumber = FIRST_TIMED_NUMBER
  const timeEvents = async (): Promise<number[]> => {
    const lags: number[] = []
    for (let timed = 0; timed < plan.timed; timed++) {
      lags.push(await timeEvent(installation, superuser, events.finalized(nextNumber++), plan.maxLagMs))
      if (lags.at(-1) === Number.POSITIVE_INFINITY) break
    }
    return lags
  }
  try {
    const { flooding, large } = installation.hostile
    await publishPoison(probe, flooding.root)
    await publishUnresolvable(probe, flooding.root, plan.unresolvable)
    const lags = await timeEvents()
    const poison = await countUntil(() => probe.countMessages('DEAD', flooding.root), 2 * POISON)
    const refused = await waitForRefusal(installation, flooding)
    const filled = await fillShare(installation, probe, events)
    const lagsOfFull = await timeEvents()
    const published = 2 * POISON + plan.unresolvable + filled.accepted
    const kept = await countKept(probe, [flooding.root, large.root])
    return [
      {
        measure: 'poison messages that became dead letters',
        goal: `${2 * POISON}`,
        result: poison,
        met: poison === 2 * POISON,
      },
      measureLag(`while ${plan.unresolvable} messages of one root cannot be resolved`, lags),
      {
        measure: 'response to that root, whose share of waiting messages is full',
        goal: '429',
        result: refused,
        met: refused === 429,
      },
      {
        measure: `response to a root that fills the queue (${filled.accepted} large events accepted), and to another`,
        goal: '429, 202',
        result: `${filled.refused}, ${filled.other}`,
        met: filled.refused === 429 && filled.other === 202,
      },
      measureLag('while another root fills the queue', lagsOfFull),
      {
        measure: `messages of both roots that are in the queue or dead letters, of ${published}`,
        goal: `${published}`,
        result: kept,
        met: kept === published,
      },
    ]
  } finally {
    await probe.bus.close()
  }
}

export function connectToQueue({ natsUrl, busPrefix }: Installation): Promise<QueueProbe> {
  return connectQueueProbe(natsUrl, busPrefix)
}

/** A consumer of all roots cannot be created beside those of single roots. */
export async function deleteConsumers(installation: Installation): Promise<void> {
  const { bus } = await connectToQueue(installation)
  const stream = bus.streamName('QUEUE')
  for await (const { name } of bus.manager.consumers.list(stream))
    await bus.manager.consumers.delete(stream, name)
  await bus.close()
}

function measureLag(when: string, lags: readonly number[]): Measurement {
  const longest = Math.max(...lags)
  return {
    measure: `longest time from 202 to the row of ${lags.length} events of another root, ${when}`,
    goal: `≤ ${MAX_LAG_MS} ms`,
    result: longest === Number.POSITIVE_INFINITY ? 'not stored' : `${Math.round(longest)} ms`,
    met: longest <= MAX_LAG_MS,
  }
}

async function publishPoison(probe: QueueProbe, root: string): Promise<void> {
  for (let number = 0; number < POISON; number++) {
    await probe.publish(root, '{"root":')
    await probe.publish(root, JSON.stringify({ root: 'none', number }))
  }
}

async function publishUnresolvable(probe: QueueProbe, root: string, messages: number): Promise<void> {
  for (let from = 0; from < messages; from += PUBLISH_AT_ONCE) {
    const size = Math.min(PUBLISH_AT_ONCE, messages - from)
    await Promise.all(
      Array.from({ length: size }, () => {
        const batch = { root, credential: randomUUID(), organizations: null, events: [unresolvableEvent()] }
        return probe.publish(root, JSON.stringify(batch))
      }),
    )
  }
}

/** About an organization that does not exist. */
function unresolvableEvent() {
  return {
    id: randomUUID(),
    type: 'reviewer.tagged',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: { organization: unknownOrganization(), author: { id: '1' } },
  }
}

function unknownOrganization() {
  return { provider: 'github', host: 'github.com', id: `unknown-${randomUUID()}` }
}

/** Returns the milliseconds from the 202 to the row; infinity if there is none in time. */
async function timeEvent(
  installation: Installation,
  superuser: Superuser,
  event: ReturnType<NumberedEvents['finalized']>,
  maxLagMs: number,
): Promise<number> {
  if ((await send(installation, installation.credential, [event])) !== 202) return Number.POSITIVE_INFINITY
  const sentAt = performance.now()
  while (performance.now() - sentAt < maxLagMs) {
    const { rowCount } = await superuser.query('select from pull_request where event_id = $1', [event.id])
    if (rowCount === 1) return performance.now() - sentAt
    await sleep(20)
  }
  return Number.POSITIVE_INFINITY
}

async function send(
  installation: Installation,
  credential: string,
  events: readonly unknown[],
): Promise<number> {
  const url = `${installation.url()}/ingest/v1/events`
  return (await postJson(url, credential, JSON.stringify(events))).status
}

/** A busy machine needs a while to try every message once. */
const MAX_REFUSAL_ATTEMPTS = 600

async function waitForRefusal(installation: Installation, { credential }: Sender): Promise<number> {
  let status = 0
  for (let attempt = 0; attempt < MAX_REFUSAL_ATTEMPTS && status !== 429; attempt++) {
    // Not valid, so that it is never queued.
    status = await send(installation, credential, [{}])
    if (status !== 429) await sleep(200)
  }
  return status
}

interface FilledShare {
  readonly accepted: number
  readonly refused: number
  readonly other: number
}

/** Sends large events until they are refused, to a queue with little room. */
async function fillShare(
  installation: Installation,
  { bus }: QueueProbe,
  events: NumberedEvents,
): Promise<FilledShare> {
  const { credential } = installation.hostile.large
  const stream = bus.streamName('QUEUE')
  const { state, config } = await bus.manager.streams.info(stream)
  await bus.manager.streams.update(stream, { max_bytes: state.bytes + FREE_BYTES })
  // API nodes learn the size with their next poll.
  await sleep(2000)
  let accepted = 0
  let refused = 202
  while (refused === 202 && accepted < MAX_LARGE_EVENTS) {
    refused = await send(installation, credential, [createLargeEvent(events)])
    if (refused === 202) accepted += 1
  }
  const other = await send(installation, installation.credential, [events.finalized(FIRST_TIMED_NUMBER - 1)])
  await bus.manager.streams.update(stream, { max_bytes: config.max_bytes })
  return { accepted, refused, other }
}

/** A pull request of an organization that does not exist, with as many findings as are allowed. */
function createLargeEvent(events: NumberedEvents) {
  const { payload, ...event } = events.finalized(1)
  const [finding] = payload.findings
  if (finding === undefined) throw new Error('The first pull request has no finding.')
  const findings = Array.from({ length: MAX_FINDINGS }, () => ({ ...finding, id: randomUUID() }))
  return {
    ...event,
    id: randomUUID(),
    payload: { ...payload, organization: unknownOrganization(), findings },
  }
}

async function countKept(probe: QueueProbe, roots: readonly string[]): Promise<number> {
  let kept = 0
  for (const root of roots)
    for (const stream of ['QUEUE', 'DEAD'] as const) kept += await probe.countMessages(stream, root)
  return kept
}

async function countUntil(count: () => Promise<number>, goal: number): Promise<number> {
  for (let attempt = 0; attempt < 600 && (await count()) < goal; attempt++) await sleep(100)
  return count()
}
