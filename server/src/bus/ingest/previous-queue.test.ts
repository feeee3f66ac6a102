import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { makeBus, makeWorkerContext, type TestBus, waitFor } from '../../../test/bus.ts'
import { makeEvent, probeFamily } from '../../../test/ingest.ts'
import { connect, type Pool } from '../../db/connect.ts'
import type { KeyId, RootId } from '../../ids.ts'
import { previousQueueConsumer, queueConsumer } from '../../resources/ingest/consume.ts'
import { startConsumer } from '../consume.ts'
import type { ConsumerSettings } from '../consumer.ts'
import type { RunningTask, WorkerContext } from '../context.ts'
import { listDeadLetters, replayDeadLetters } from '../dead-letters.ts'
import type { DeferredEvent, EventBatch, EventFamily } from '../ingest-event.ts'
import { startQueueConsumer } from './consume-queue.ts'
import { returnToPreviousQueue } from './previous-queue.ts'
import { toQueueSubject } from './subjects.ts'

// The previous version publishes `<prefix>.ingest.<root>` and consumes it with the durable consumer `ingest`, which workers
// of this version still run: `previousQueueConsumer` is what it had.

const root = randomUUID() as RootId
let unused: Pool
let made: TestBus
let context: WorkerContext
let running: RunningTask[] = []
let stored: string[] = []

before(() => {
  unused = connect({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'worker', connections: 1 })
})
beforeEach(async () => {
  await end()
  made = await makeBus()
  context = makeWorkerContext(unused, made.bus)
  stored = []
})
after(async () => {
  await end()
  await unused.end()
})

async function end(): Promise<void> {
  await Promise.all([...running.map((one) => one.stop()), made?.drop()])
  running = []
}

const makeBatch = (): EventBatch => ({
  root,
  credential: randomUUID() as KeyId,
  organizations: null,
  events: [makeEvent()],
})
const idOf = ({ events }: EventBatch) => events[0]?.id ?? assert.fail('a batch without events')

async function publishToQueue(batch: EventBatch): Promise<string> {
  const text = JSON.stringify(batch)
  await made.bus.jetstream.publish(toQueueSubject(made.bus, root, text.length), text)
  return idOf(batch)
}

async function publishAsPrevious(batch: EventBatch): Promise<string> {
  await made.bus.jetstream.publish(made.bus.subject(`ingest.${root}`), JSON.stringify(batch))
  return idOf(batch)
}

function startPrevious(family: EventFamily, settings: Partial<ConsumerSettings> = {}): Promise<void> {
  const consumer = previousQueueConsumer([family])
  return startDeclared({ ...consumer, settings: { ...consumer.settings, ...settings } })
}

async function startDeclared(consumer: ReturnType<typeof previousQueueConsumer>): Promise<void> {
  await made.declare([consumer])
  running.push(await startConsumer(context, consumer))
}

const storing = probeFamily(({ events }) => {
  stored.push(...events.map(({ id }) => id))
  return Promise.resolve([])
})
const deferring = probeFamily(({ events }) =>
  Promise.resolve(events.map((event): DeferredEvent => ({ event, reason: 'The organization is unknown.' }))),
)
const isEmpty = async (name: 'QUEUE' | 'INGEST') =>
  (await made.bus.manager.streams.info(made.bus.streamName(name))).state.messages === 0

test('a worker of this version stores what API nodes of both versions send', async () => {
  const ids = [await publishAsPrevious(makeBatch()), await publishToQueue(makeBatch())]
  running.push(startQueueConsumer(context, queueConsumer([storing])))
  await startPrevious(storing)
  ids.push(await publishAsPrevious(makeBatch()), await publishToQueue(makeBatch()))
  await waitFor('all are stored', async () => (await isEmpty('QUEUE')) && (await isEmpty('INGEST')))
  assert.deepEqual(stored.toSorted(), ids.toSorted())
})

test('what waits in the queue, parked or not, goes back to the previous version, and nothing is lost', async () => {
  const parked = [await publishToQueue(makeBatch()), await publishToQueue(makeBatch())]
  const settings = { retryDelaysMs: [3_600_000] }
  running.push(startQueueConsumer(context, queueConsumer([deferring], settings)))
  await waitFor('two are parked', async () => {
    const consumers = made.bus.manager.consumers
    const { num_ack_pending } = await consumers
      .info(made.bus.streamName('QUEUE'), root)
      .catch(() => ({ num_ack_pending: 0 }))
    return num_ack_pending === 2
  })
  await Promise.all(running.map((one) => one.stop()))
  running = []
  const waiting = await publishToQueue(makeBatch())
  assert.deepEqual(await returnToPreviousQueue(made.bus, true), { messages: 3, dead_letters: 0 })
  assert.equal(await isEmpty('INGEST'), true)
  assert.deepEqual(await returnToPreviousQueue(made.bus, false), { messages: 3, dead_letters: 0 })
  assert.equal(await isEmpty('QUEUE'), true)
  const returned = await made.messages('INGEST')
  assert.deepEqual(
    new Set(returned.map(({ subject }) => subject)),
    new Set([`${made.prefix}.ingest.${root}`]),
  )
  await startPrevious(storing)
  await waitFor('all are stored', () => isEmpty('INGEST'))
  assert.deepEqual(stored.toSorted(), [...parked, waiting].toSorted())
})

test('dead letters of the queue go back in the format of the previous version, which replays them', async () => {
  const id = await publishToQueue(makeBatch())
  running.push(startQueueConsumer(context, queueConsumer([deferring], { retryDelaysMs: [10] })))
  await waitFor('it is a dead letter', async () => (await listDeadLetters(made.bus)).length === 1)
  assert.deepEqual(await returnToPreviousQueue(made.bus, false), { messages: 0, dead_letters: 1 })
  const [letter] = await made.messages('DEAD')
  assert.equal(letter?.subject, `${made.prefix}.dead.ingest`)
  assert.equal(letter?.header.get('Dead-Subject'), `${made.prefix}.ingest.${root}`)
  assert.equal(letter?.header.get('Dead-Reason'), 'failed')
  assert.equal(idOf(letter.json<EventBatch>()), id)
})

test('a dead letter of the previous version is listed and replayed to the queue', async () => {
  const id = await publishAsPrevious(makeBatch())
  await startPrevious(deferring, { retryDelaysMs: [10] })
  await waitFor('it is a dead letter', async () => (await listDeadLetters(made.bus)).length === 1)
  const [letter] = await listDeadLetters(made.bus, { consumer: 'ingest' })
  assert.equal(letter?.subject, `${made.prefix}.ingest.${root}`)
  assert.equal(await replayDeadLetters(made.bus, { consumer: 'ingest' }), 1)
  running.push(startQueueConsumer(context, queueConsumer([storing])))
  await waitFor('it is stored', () => stored.includes(id))
})
