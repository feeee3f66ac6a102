import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { makeBus, makeWorkerContext, type TestBus, waitFor } from '../../../test/bus.ts'
import { makeEvent, probeFamily, probeKind } from '../../../test/ingest.ts'
import { startConsumer } from '../../bus/consume.ts'
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
import { connect, type Pool } from '../../db/connect.ts'
import type { KeyId, RootId } from '../../ids.ts'
import { ingestConsumer } from './consume.ts'

let unused: Pool
let testBus: TestBus
let context: WorkerContext
let running: RunningTask[] = []

before(() => {
  unused = connect({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'worker', connections: 1 })
})
beforeEach(async () => {
  await stopAll()
  testBus = await makeBus()
  context = makeWorkerContext(unused, testBus.bus)
})
after(async () => {
  await stopAll()
  await unused.end()
})

async function stopAll(): Promise<void> {
  await Promise.all([...running.map((one) => one.stop()), testBus?.drop()])
  running = []
}

const quick = { retryDelaysMs: [10, 20], retryLaterDelaysMs: [10, 50], ackWaitMs: 2000, concurrency: 1 } as const

async function start(
  families: readonly EventFamily[],
  settings: Partial<ConsumerSettings> = {},
): Promise<void> {
  const definition = ingestConsumer(families, { ...quick, ...settings })
  await testBus.declare([definition])
  running.push(await startConsumer(context, definition))
}

const root = randomUUID() as RootId
const toBatch = (events: readonly IngestEvent[]): EventBatch => ({
  root,
  credential: randomUUID() as KeyId,
  organizations: null,
  events,
})

async function publish(batch: EventBatch): Promise<EventBatch> {
  await testBus.bus.jetstream.publish(testBus.bus.subject(`ingest.${root}`), JSON.stringify(batch))
  return batch
}

const countPending = async () => (await testBus.messages('INGEST')).length
const isDrained = async () => (await countPending()) === 0
const readDeadLetters = async () =>
  (await testBus.messages('DEAD')).map((message) => message.json<EventBatch>())
const idsOf = (batch: EventBatch | undefined) => batch?.events.map(({ id }) => id)

const secondKind = { ...probeKind, type: 'probe.second' }

test('each family is given its own events, in the order of the table', async () => {
  const seen: [string, EventBatch][] = []
  const family = (name: string, kind: typeof probeKind) =>
    probeFamily(
      (batch) => {
        seen.push([name, batch])
        return Promise.resolve([])
      },
      [kind],
    )
  await start([
    family('second', secondKind),
    family('first', probeKind),
    family('none', { ...probeKind, version: 2 }),
  ])
  const events = [makeEvent(), makeEvent({ type: 'probe.second' }), makeEvent()]
  const sent = await publish(toBatch(events))
  await waitFor('the message is settled', isDrained)
  assert.deepEqual(seen, [
    ['second', { ...sent, events: [events[1]] }],
    ['first', { ...sent, events: [events[0], events[2]] }],
  ])
})

test('what is deferred is tried again with the whole, and done when it can be', async () => {
  const attempts: number[] = []
  await start([
    probeFamily(({ events }) => {
      attempts.push(events.length)
      return Promise.resolve(attempts.length < 3 ? deferAll(events.slice(1)) : [])
    }),
  ])
  await publish(toBatch([makeEvent(), makeEvent()]))
  await waitFor('the message is settled', isDrained)
  assert.deepEqual(attempts, [2, 2, 2])
  assert.deepEqual(await readDeadLetters(), [])
})

function deferAll(events: readonly IngestEvent[]): DeferredEvent[] {
  return events.map((event) => ({ event, reason: 'Its organization is not known.' }))
}

test('at the last attempt only what is deferred is buried, and a replay brings it back', async () => {
  let isKnown = false
  const stored: string[] = []
  await start([
    probeFamily(({ events }) => {
      const good = isKnown
        ? events
        : events.filter(({ payload }) => (payload as { number: number }).number > 0)
      stored.push(...good.map(({ id }) => id))
      return Promise.resolve(deferAll(events.filter((event) => !good.includes(event))))
    }),
  ])
  const sent = await publish(toBatch([-1, 1, -2].map((number) => makeEvent({ payload: { number } }))))
  await waitFor('the message is settled', isDrained)
  assert.deepEqual(await readDeadLetters(), [{ ...sent, events: [sent.events[0], sent.events[2]] }])
  const [letter] = await listDeadLetters(testBus.bus)
  assert.deepEqual(
    [letter?.consumer, letter?.reason, letter?.attempts, letter?.error],
    ['ingest', 'failed', 3, 'PartlyHandled: 2 events are left: Its organization is not known.'],
  )
  isKnown = true
  assert.equal(await replayDeadLetters(testBus.bus, { consumer: 'ingest' }), 1)
  await waitFor('the rest is stored', () => sent.events.every(({ id }) => stored.includes(id)))
  await waitFor('the message is settled', isDrained)
})

test('a family that fails leaves its own events, and the others are stored', async () => {
  const stored: string[] = []
  await start([
    probeFamily(() => Promise.reject(new Error('cannot take "it"'))),
    probeFamily(
      ({ events }) => {
        stored.push(...events.map(({ id }) => id))
        return Promise.resolve([])
      },
      [secondKind],
    ),
  ])
  const [bad, good] = [makeEvent(), makeEvent({ type: 'probe.second' })]
  await publish(toBatch([bad, good]))
  await waitFor('the message is settled', isDrained)
  assert.deepEqual(idsOf((await readDeadLetters())[0]), [bad.id])
  assert.ok(stored.includes(good.id))
  assert.equal(
    (await listDeadLetters(testBus.bus))[0]?.error,
    'PartlyHandled: 1 events are left: Error: cannot take …',
  )
})

test('an event of a kind that this worker does not know is tried again and at last buried', async () => {
  await start([probeFamily(() => Promise.resolve([]))])
  const unknown = makeEvent({ type: 'probe.newer' })
  await publish(toBatch([makeEvent(), unknown]))
  await waitFor('the message is settled', isDrained)
  assert.deepEqual(idsOf((await readDeadLetters())[0]), [unknown.id])
})

test('a message that was not written by the door is a dead letter at once', async () => {
  await start([probeFamily(() => Promise.resolve([]))])
  await testBus.bus.jetstream.publish(testBus.bus.subject(`ingest.${root}`), '{"root":"x"}')
  await waitFor('the message is settled', isDrained)
  assert.deepEqual(
    (await listDeadLetters(testBus.bus)).map(({ reason, attempts }) => [reason, attempts]),
    [['invalid', 1]],
  )
})

for (const [name, reason] of [
  ['what must wait', () => new RetryLaterError('The root is being moved.')],
  ['a database that is away', () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
] as const) {
  test(`${name} is no attempt, on whichever worker, and is never buried`, async () => {
    let deliveries = 0
    const family = probeFamily(({ events }) => {
      deliveries += 1
      return deliveries <= 20
        ? Promise.reject(reason())
        : Promise.resolve(deliveries <= 22 ? deferAll(events) : [])
    })
    // Two workers, which know nothing of each other's deliveries.
    await start([family])
    await start([family])
    await publish(toBatch([makeEvent()]))
    await waitFor('it was put off twenty times and tried again', () => deliveries >= 21)
    await waitFor('the message is settled', isDrained)
    assert.equal(deliveries, 23)
    assert.deepEqual(await readDeadLetters(), [])
  })
}

test('what waits does not hold up the others', async () => {
  const stored: string[] = []
  const waiting = makeEvent()
  await start([
    probeFamily(({ events }) => {
      if (events.some(({ id }) => id === waiting.id)) return Promise.reject(new RetryLaterError('Wait.'))
      stored.push(...events.map(({ id }) => id))
      return Promise.resolve([])
    }),
  ])
  await publish(toBatch([waiting]))
  for (let round = 0; round < 10; round++) await publish(toBatch([makeEvent()]))
  await waitFor('the others are stored', () => stored.length === 10)
  await waitFor('one is left', async () => (await countPending()) === 1)
})
