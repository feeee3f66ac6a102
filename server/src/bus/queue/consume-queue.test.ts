import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { createBus, createUnusedPool, createWorkerContext, type TestBus } from '../../../test/bus.ts'
import { createEvent, probeFamily } from '../../../test/ingest.ts'
import { waitFor } from '../../../test/wait.ts'
import type { KeyId, RootId } from '../../ids.ts'
import { createLog } from '../../observe/log.ts'
import { queueConsumer } from '../../resources/events/consume.ts'
import type { ConsumerSettings } from '../consumer.ts'
import type { RunningTask, WorkerContext } from '../context.ts'
import { deleteDeadLetters, listDeadLetters } from '../dead-letters.ts'
import type { DeferredEvent, EventBatch, EventFamily, IngestEvent } from '../ingest-event.ts'
import { startQueueConsumer } from './consume-queue.ts'
import { type Shares, watchShares } from './shares.ts'
import { toQueueSubject } from './subjects.ts'

const HOUR_MS = 3_600_000
const attacker = randomUUID() as RootId
const victim = randomUUID() as RootId

let made: TestBus
let context: WorkerContext
let running: RunningTask[] = []
let watching: AbortController

const unused = createUnusedPool()
beforeEach(async () => {
  await end()
  made = await createBus()
  context = createWorkerContext(unused, made.bus)
  watching = new AbortController()
})
after(async () => {
  await end()
  await unused.end()
})

async function end(): Promise<void> {
  watching?.abort()
  await Promise.all(running.map((one) => one.stop()))
  running = []
  await made?.drop()
}

function start(
  handle: (batch: EventBatch) => Promise<readonly DeferredEvent[]>,
  settings: Partial<ConsumerSettings> = {},
  shares: Shares | null = null,
): void {
  const families: EventFamily[] = [probeFamily(handle)]
  running.push(startQueueConsumer(context, queueConsumer(families, { ackWaitMs: 2000, ...settings }), shares))
}

function toBatch(root: RootId, events: readonly IngestEvent[]): EventBatch {
  return { root, credential: randomUUID() as KeyId, organizations: null, events }
}

async function publish(root: RootId, messages = 1, text = 'x'): Promise<void> {
  for (let from = 0; from < messages; from += 100) {
    const size = Math.min(100, messages - from)
    await Promise.all(
      Array.from({ length: size }, () =>
        publishText(root, JSON.stringify(toBatch(root, [createEvent({ payload: { number: 1, text } })]))),
      ),
    )
  }
}

function publishText(root: RootId, text: string) {
  return made.bus.jetstream.publish(toQueueSubject(made.bus, root, text.length), text)
}

const deferAll = ({ events }: EventBatch): DeferredEvent[] =>
  events.map((event) => ({ event, reason: 'The organization is unknown.' }))
const consumerOf = (root: RootId) => made.bus.manager.consumers.info(made.bus.streamName('QUEUE'), root)
const isDrained = async () =>
  (await made.bus.manager.streams.info(made.bus.streamName('QUEUE'))).state.messages === 0

test('messages of one root that wait for a retry, more than its share, do not delay another root [P11-limits-5]', async () => {
  const stored: RootId[] = []
  start(
    (batch) => {
      stored.push(batch.root)
      return Promise.resolve(batch.root === attacker ? deferAll(batch) : [])
    },
    { maxAckPending: 50, retryDelaysMs: [HOUR_MS] },
  )
  await publish(attacker, 300)
  await waitFor('the share of the attacker is full', async () => {
    const { num_ack_pending } = await consumerOf(attacker).catch(() => ({ num_ack_pending: 0 }))
    return num_ack_pending === 50
  })
  for (let round = 0; round < 5; round++) {
    await publish(victim)
    await waitFor('the event of the victim is stored', () => count(stored, victim) === round + 1)
  }
  assert.equal((await consumerOf(attacker)).num_ack_pending, 50)
  assert.equal(count(stored, attacker), 50)
})

const count = (roots: readonly RootId[], root: RootId) => roots.filter((stored) => stored === root).length

test('slow messages of one root hold at most a quarter of the slots', async () => {
  const gate = Promise.withResolvers<void>()
  let stuck = 0
  let stored = 0
  start(
    async ({ root }) => {
      if (root === attacker) {
        stuck += 1
        await gate.promise
      } else {
        stored += 1
      }
      return []
    },
    { concurrency: 8 },
  )
  await publish(attacker, 20)
  await waitFor('the attacker holds its slots', () => stuck === 2)
  await publish(victim, 20)
  await waitFor('the events of the victim are stored', () => stored === 20)
  assert.equal(stuck, 2)
  gate.resolve()
  await waitFor('all are stored', isDrained)
})

test('roots take turns, however long the backlog of one is [P11-limits-5]', async () => {
  const order: RootId[] = []
  const gate = Promise.withResolvers<void>()
  let inProgress = 0
  start(
    async ({ root }) => {
      inProgress += 1
      await gate.promise
      order.push(root)
      return []
    },
    { concurrency: 1 },
  )
  await publish(attacker, 200)
  await waitFor('a message of the attacker is in progress', () => inProgress === 1)
  await publish(victim, 20)
  await waitFor('the worker knows that the victim has messages', async () => {
    const { values } = await context.metrics.streamMessages.get()
    return values[0]?.value === 220
  })
  gate.resolve()
  await waitFor('all are stored', isDrained)
  const lastOfVictim = order.lastIndexOf(victim)
  assert.equal(count(order, victim), 20)
  assert.ok(lastOfVictim < order.length - 100, `the last one was number ${lastOfVictim} of ${order.length}`)
})

test('a message that always fails, or cannot be read, blocks neither its root nor another', async () => {
  const stored: string[] = []
  start(
    ({ root, events }) => {
      if (events.some(({ payload }) => (payload as { text?: string }).text === 'poison'))
        return Promise.reject(new Error('poison'))
      stored.push(root)
      return Promise.resolve([])
    },
    { concurrency: 4, retryDelaysMs: [10, 10] },
  )
  await publish(attacker, 3, 'poison')
  await publishText(attacker, '{"root":')
  await publishText(attacker, `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  await publish(attacker)
  await publish(victim)
  await waitFor('the queue is drained', isDrained)
  assert.deepEqual(new Set(stored), new Set([attacker, victim]))
  const reasons = (await listDeadLetters(made.bus)).map(({ reason }) => reason).toSorted()
  assert.deepEqual(reasons.length, 5)
  assert.deepEqual(
    reasons.filter((reason) => reason === 'failed'),
    ['failed', 'failed', 'failed'],
  )
})

test('a full share of dead letters parks messages with their reason, without handling them again [P11-limits-4]', async () => {
  const handled: RootId[] = []
  await made.bus.manager.streams.update(made.bus.streamName('DEAD'), { max_bytes: 256 * 1024 })
  const log = createLog('test', 'silent')
  const shares = watchShares(made.bus, 'DEAD', { everyMs: 50, signal: watching.signal, log })
  await shares.ready
  start(
    ({ root }) => {
      handled.push(root)
      return Promise.reject(new Error('broken'))
    },
    { retryDelaysMs: [300] },
    shares,
  )
  // Each takes almost 64 KiB with its size class, so that the third one finds less free than its root has.
  await publish(attacker, 6, 'x'.repeat(50_000))
  await waitFor('all were given up', () => count(handled, attacker) === 12)
  await waitFor('a share of the dead letters is full', () => shares.isFull(attacker))
  const letters = (await listDeadLetters(made.bus)).length
  assert.ok(letters >= 1 && letters < 6, `${letters} dead letters`)
  await publish(victim)
  await waitFor('the victim has its dead letter', async () =>
    (await listDeadLetters(made.bus)).some(({ subject }) => subject.includes(victim)),
  )
  let gone = await deleteDeadLetters(made.bus, { root: attacker })
  await waitFor('the others follow as soon as there is room', async () => {
    gone += await deleteDeadLetters(made.bus, { root: attacker })
    return gone === 6 && (await isDrained())
  })
  assert.equal(count(handled, attacker), 12)
})

test('a parked message keeps the reason for which it was given up', async () => {
  let isFull = true
  const shares = { isFull: () => isFull, add: () => {}, latest: () => null, ready: Promise.resolve() }
  start(() => Promise.reject(new Error('broken')), { retryDelaysMs: [50] }, shares)
  await publish(attacker)
  await publishText(attacker, 'nonsense')
  await waitFor('both are parked', async () => (await made.messages('WAITS')).length === 2)
  isFull = false
  await waitFor('both are dead letters', async () => (await listDeadLetters(made.bus)).length === 2)
  const reasons = (await listDeadLetters(made.bus)).map(({ reason }) => reason)
  assert.deepEqual(new Set(reasons), new Set(['failed', 'unparsable']))
})

test('a statement that always times out does not wait for ever', async () => {
  let attempts = 0
  const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  start(
    () => {
      attempts += 1
      return Promise.reject(timeout)
    },
    { retryDelaysMs: [10, 10], retryLaterDelaysMs: [20, 20], timeoutPatienceMs: 1000 },
  )
  await publish(attacker)
  await waitFor('it is a dead letter', async () => (await listDeadLetters(made.bus)).length === 1)
  assert.ok(attempts > 3, `${attempts} attempts`)
  const [letter] = await listDeadLetters(made.bus)
  assert.match(letter?.error ?? '', /57014/)
})

test('a consumer that is gone is created again, and attempts count from the start', async () => {
  let known = false
  let deliveries = 0
  start(
    () => {
      deliveries += 1
      return known
        ? Promise.resolve([])
        : Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
    },
    { retryLaterDelaysMs: [10, 10], retryDelaysMs: [10] },
  )
  await publish(attacker)
  await waitFor('it was retried later', () => deliveries > 5)
  await made.bus.manager.consumers.delete(made.bus.streamName('QUEUE'), attacker)
  const earlier = deliveries
  await waitFor('it is retried again', () => deliveries > earlier + 2)
  known = true
  await waitFor('it is stored', isDrained)
  assert.deepEqual(await listDeadLetters(made.bus), [])
})

test('a changed share applies to a root that has a consumer already', async () => {
  start((batch) => Promise.resolve(deferAll(batch)), { maxAckPending: 5, retryDelaysMs: [HOUR_MS] })
  await publish(attacker, 20)
  const pending = async () => (await consumerOf(attacker)).num_ack_pending
  await waitFor('the share is full', async () => (await pending().catch(() => 0)) === 5)
  await running.pop()?.stop()
  start((batch) => Promise.resolve(deferAll(batch)), { maxAckPending: 8, retryDelaysMs: [HOUR_MS] })
  await waitFor('the larger share is full', async () => (await pending()) === 8)
})

test('stopping waits for the message in progress and pulls no more', async () => {
  const gate = Promise.withResolvers<void>()
  let started = 0
  start(
    async () => {
      started += 1
      await gate.promise
      return []
    },
    { concurrency: 4 },
  )
  await publish(attacker)
  await waitFor('it is in progress', () => started === 1)
  let stopped = false
  const stopping = running
    .pop()
    ?.stop()
    .then(() => {
      stopped = true
    })
  await publish(victim)
  assert.equal(stopped, false)
  gate.resolve()
  await stopping
  assert.equal(started, 1)
  await waitFor('it is acknowledged', async () => (await made.messages('QUEUE')).length === 1)
})
