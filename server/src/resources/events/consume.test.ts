import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { createBus, createUnusedPool, createWorkerContext, type TestBus } from '../../../test/bus.ts'
import { createEvent, probeFamily, probeKind } from '../../../test/ingest.ts'
import { waitFor } from '../../../test/wait.ts'
import type { ConsumerSettings } from '../../bus/consumer.ts'
import type { RunningTask, WorkerContext } from '../../bus/context.ts'
import { listDeadLetters, replayDeadLetters } from '../../bus/dead-letters.ts'
import {
  type DeferredEvent,
  type EventBatch,
  type EventFamily,
  type IngestEvent,
  RetryLaterError,
} from '../../bus/ingest-event.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import { toQueueSubject } from '../../bus/queue/subjects.ts'
import type { KeyId, RootId } from '../../ids.ts'
import { queueConsumer } from './consume.ts'

let testBus: TestBus
let context: WorkerContext
let running: RunningTask[] = []

const unused = createUnusedPool()
beforeEach(async () => {
  await stopAll()
  testBus = await createBus()
  context = createWorkerContext(unused, testBus.bus)
})
after(async () => {
  await stopAll()
  await unused.end()
})

async function stopAll(): Promise<void> {
  await Promise.all([...running.map((one) => one.stop()), testBus?.drop()])
  running = []
}

const quick: Partial<ConsumerSettings> = {
  retryDelaysMs: [10, 20],
  retryLaterDelaysMs: [10, 50],
  ackWaitMs: 2000,
  concurrency: 1,
}

function start(families: readonly EventFamily[], settings: Partial<ConsumerSettings> = {}): void {
  running.push(startQueueConsumer(context, queueConsumer(families, { ...quick, ...settings })))
}

const root = randomUUID() as RootId
const toBatch = (events: readonly IngestEvent[]): EventBatch => ({
  root,
  credential: randomUUID() as KeyId,
  organizations: null,
  events,
})

async function publish(batch: EventBatch): Promise<EventBatch> {
  await publishText(JSON.stringify(batch))
  return batch
}

function publishText(text: string) {
  return testBus.bus.jetstream.publish(toQueueSubject(testBus.bus, root, text.length), text)
}

const countPending = async () => (await testBus.messages('QUEUE')).length
const isDrained = async () => (await countPending()) === 0
const readDeadLetters = async () =>
  (await testBus.messages('DEAD')).map((message) => message.json<EventBatch>())
const idsOf = (batch: EventBatch | undefined) => batch?.events.map(({ id }) => id)

const secondKind = { ...probeKind, type: 'probe.second' }

test('each family receives its own events, in the order of the families', async () => {
  const seen: [string, EventBatch][] = []
  const family = (name: string, kind: typeof probeKind) =>
    probeFamily(
      (batch) => {
        seen.push([name, batch])
        return Promise.resolve([])
      },
      [kind],
    )
  start([
    family('second', secondKind),
    family('first', probeKind),
    family('none', { ...probeKind, version: 2 }),
  ])
  const events = [createEvent(), createEvent({ type: 'probe.second' }), createEvent()]
  const sent = await publish(toBatch(events))
  await waitFor('the message is acknowledged', isDrained)
  assert.deepEqual(seen, [
    ['second', { ...sent, events: [events[1]] }],
    ['first', { ...sent, events: [events[0], events[2]] }],
  ])
})

test('deferred events are retried with the whole message until they can be processed', async () => {
  const attempts: number[] = []
  start([
    probeFamily(({ events }) => {
      attempts.push(events.length)
      return Promise.resolve(attempts.length < 3 ? deferAll(events.slice(1)) : [])
    }),
  ])
  await publish(toBatch([createEvent(), createEvent()]))
  await waitFor('the message is acknowledged', isDrained)
  assert.deepEqual(attempts, [2, 2, 2])
  assert.deepEqual(await readDeadLetters(), [])
})

function deferAll(events: readonly IngestEvent[]): DeferredEvent[] {
  return events.map((event) => ({ event, reason: 'The organization is unknown.' }))
}

test('after the last attempt only deferred events are dead-lettered, and a replay processes them', async () => {
  let isKnown = false
  const stored: string[] = []
  start([
    probeFamily(({ events }) => {
      const good = isKnown
        ? events
        : events.filter(({ payload }) => (payload as { number: number }).number > 0)
      stored.push(...good.map(({ id }) => id))
      return Promise.resolve(deferAll(events.filter((event) => !good.includes(event))))
    }),
  ])
  const sent = await publish(toBatch([-1, 1, -2].map((number) => createEvent({ payload: { number } }))))
  await waitFor('the message is acknowledged', isDrained)
  assert.deepEqual(await readDeadLetters(), [{ ...sent, events: [sent.events[0], sent.events[2]] }])
  const [letter] = await listDeadLetters(testBus.bus)
  assert.deepEqual(
    [letter?.consumer, letter?.reason, letter?.attempts, letter?.error],
    [
      'ingest',
      'failed',
      3,
      'PartiallyHandledError: 2 events were not processed: The organization is unknown.',
    ],
  )
  isKnown = true
  assert.equal(await replayDeadLetters(testBus.bus, { consumer: 'ingest' }), 1)
  await waitFor('the rest is stored', () => sent.events.every(({ id }) => stored.includes(id)))
  await waitFor('the message is acknowledged', isDrained)
})

test('a failing family defers its own events, and the others are stored', async () => {
  const stored: string[] = []
  start([
    probeFamily(() => Promise.reject(new Error('cannot store "it"'))),
    probeFamily(
      ({ events }) => {
        stored.push(...events.map(({ id }) => id))
        return Promise.resolve([])
      },
      [secondKind],
    ),
  ])
  const [bad, good] = [createEvent(), createEvent({ type: 'probe.second' })]
  await publish(toBatch([bad, good]))
  await waitFor('the message is acknowledged', isDrained)
  assert.deepEqual(idsOf((await readDeadLetters())[0]), [bad.id])
  assert.ok(stored.includes(good.id))
  assert.equal(
    (await listDeadLetters(testBus.bus))[0]?.error,
    'PartiallyHandledError: 1 event was not processed: Error: cannot store …',
  )
})

test('an event that makes its handler throw takes no other event of its family with it', async () => {
  const stored = new Set<string>()
  const events = Array.from({ length: 20 }, () => createEvent())
  const bad = [events[3], events[4], events[17]].map((event) => event?.id ?? '')
  start([
    probeFamily((batch) => {
      for (const { id } of batch.events) {
        if (bad.includes(id)) return Promise.reject(new Error('The event has no severity.'))
        stored.add(id)
      }
      return Promise.resolve([])
    }),
  ])
  await publish(toBatch(events))
  await waitFor('the message is acknowledged', isDrained)
  assert.deepEqual(idsOf((await readDeadLetters())[0]), bad)
  assert.equal(stored.size, events.length - bad.length)
})

test('an event of an unknown kind is retried and finally dead-lettered', async () => {
  start([probeFamily(() => Promise.resolve([]))])
  const unknown = createEvent({ type: 'probe.newer' })
  await publish(toBatch([createEvent(), unknown]))
  await waitFor('the message is acknowledged', isDrained)
  assert.deepEqual(idsOf((await readDeadLetters())[0]), [unknown.id])
})

test('a message that the ingest endpoint did not write is dead-lettered immediately', async () => {
  start([probeFamily(() => Promise.resolve([]))])
  await publishText('{"root":"x"}')
  await waitFor('the message is acknowledged', isDrained)
  assert.deepEqual(
    (await listDeadLetters(testBus.bus)).map(({ reason, attempts }) => [reason, attempts]),
    [['invalid', 1]],
  )
})

for (const [name, reason] of [
  ['a handler that throws RetryLaterError', () => new RetryLaterError('The root is being moved.')],
  ['an unavailable database', () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
] as const) {
  test(`${name} does not count as an attempt on any worker and is never dead-lettered`, async () => {
    let deliveries = 0
    const family = probeFamily(({ events }) => {
      deliveries += 1
      return deliveries <= 20
        ? Promise.reject(reason())
        : Promise.resolve(deliveries <= 22 ? deferAll(events) : [])
    })
    // Two workers that do not see each other's deliveries.
    start([family])
    start([family])
    await publish(toBatch([createEvent()]))
    await waitFor('the message is retried after twenty delays', () => deliveries >= 21)
    await waitFor('the message is acknowledged', isDrained)
    assert.equal(deliveries, 23)
    assert.deepEqual(await readDeadLetters(), [])
  })
}

test('a delayed message does not block the others', async () => {
  const stored: string[] = []
  const waiting = createEvent()
  start([
    probeFamily(({ events }) => {
      if (events.some(({ id }) => id === waiting.id)) return Promise.reject(new RetryLaterError('Wait.'))
      stored.push(...events.map(({ id }) => id))
      return Promise.resolve([])
    }),
  ])
  await publish(toBatch([waiting]))
  for (let round = 0; round < 10; round++) await publish(toBatch([createEvent()]))
  await waitFor('the others are stored', () => stored.length === 10)
  await waitFor('one message is left', async () => (await countPending()) === 1)
})
