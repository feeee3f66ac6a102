import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { createBus, createUnusedPool, createWorkerContext, type TestBus } from '../../test/bus.ts'
import { waitFor } from '../../test/wait.ts'
import { startConsumer } from './consume.ts'
import { type Consumer, type ConsumerSettings, defineConsumer } from './consumer.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { listDeadLetters, replayDeadLetters } from './dead-letters.ts'
import { eventShape } from './emit.ts'

const shape = eventShape('key.created', Type.Object({ number: Type.Integer() }))
type KeyCreated = Static<typeof shape>

let made: TestBus
let context: WorkerContext
let running: RunningTask | undefined

const unused = createUnusedPool()
beforeEach(async () => {
  await end()
  made = await createBus()
  context = createWorkerContext(unused, made.bus)
})
after(async () => {
  await end()
  await unused.end()
})

async function end(): Promise<void> {
  // Pulls that wait for a message end with their stream.
  await Promise.all([running?.stop(), made?.drop()])
  running = undefined
}

const quick = { retryDelaysMs: [10, 20], ackWaitMs: 2000, concurrency: 2 }

async function start(
  handle: (event: KeyCreated) => Promise<void>,
  settings: Partial<ConsumerSettings> = quick,
): Promise<Consumer> {
  const definition = defineConsumer({
    name: 'counter',
    stream: 'EVENTS',
    subject: 'events.key.*',
    schema: shape,
    settings,
    handle: (_, event) => handle(event),
  })
  await made.declare([definition])
  running = await startConsumer(context, definition)
  return definition
}

function publish(number: unknown, timeout = 5000) {
  const body = { id: randomUUID(), type: 'key.created', version: 1, root: randomUUID(), payload: { number } }
  return publishText(JSON.stringify({ ...body, occurred_at: new Date().toISOString() }), timeout)
}

function publishText(text: string | Uint8Array, timeout = 5000) {
  return made.bus.jetstream.publish(made.bus.subject('events.key.created'), text, { timeout })
}

const state = () => made.bus.manager.consumers.info(made.bus.streamName('EVENTS'), 'counter')

/** By the number of the last message: what waits is counted a little after it was published. */
async function settled(): Promise<boolean> {
  const stream = await made.bus.manager.streams.info(made.bus.streamName('EVENTS'))
  const { num_ack_pending, ack_floor } = await state()
  return num_ack_pending === 0 && ack_floor.stream_seq === stream.state.last_seq
}

const outcomes = async () => {
  const { values } = await context.metrics.events.get()
  const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'))
  return Object.fromEntries(counts.map(({ labels, value }) => [labels.outcome, value]))
}

test('an event is acknowledged after its handler has ended, not before', async () => {
  const handled: number[] = []
  const gate = Promise.withResolvers<void>()
  await start(async ({ payload }) => {
    await gate.promise
    handled.push(payload.number)
  })
  await publish(1)
  await waitFor('the event is in hand', async () => (await state()).num_ack_pending === 1)
  await sleep(100)
  assert.equal((await state()).num_ack_pending, 1)
  gate.resolve()
  await waitFor('the event is acknowledged', settled)
  assert.deepEqual(handled, [1])
  assert.deepEqual(await outcomes(), { done: 1 })
})

test('a handler that fails is tried again later', async () => {
  const attempts: number[] = []
  await start(({ payload }) => {
    attempts.push(payload.number)
    return attempts.length < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()
  })
  await publish(5)
  await waitFor('the third attempt succeeds', settled)
  assert.deepEqual(attempts, [5, 5, 5])
  assert.deepEqual(await outcomes(), { retried: 2, done: 1 })
  assert.deepEqual(await listDeadLetters(made.bus), [])
})

test('after its last attempt an event is a dead letter, with the reason and without its values', async () => {
  let attempts = 0
  await start(({ payload }) => {
    attempts += 1
    throw new Error(`cannot take "${payload.number}"`)
  })
  await publish(98765)
  await waitFor('the message is settled', settled)
  assert.equal(attempts, 3)
  const [letter, ...others] = await listDeadLetters(made.bus)
  assert.ok(letter)
  assert.equal(others.length, 0)
  const { time, size, ...facts } = letter
  assert.deepEqual(facts, {
    sequence: 1,
    consumer: 'counter',
    reason: 'failed',
    error: 'Error: cannot take …',
    attempts: 3,
    subject: `${made.prefix}.events.key.created`,
  })
  assert.ok(Math.abs(time.getTime() - Date.now()) < 60_000)
  const [original] = await made.messages('EVENTS')
  const [dead] = await made.messages('DEAD')
  assert.deepEqual(dead?.data, original?.data)
  assert.equal(size, original?.data.length)
})

test('what cannot be read is a dead letter at once', async () => {
  let attempts = 0
  await start(() => {
    attempts += 1
    return Promise.resolve()
  })
  await publishText('{"secret')
  await publishText(Uint8Array.of(0x22, 0xff, 0x22))
  await publish('secret')
  await publishText('{}')
  await waitFor('all four are settled', settled)
  assert.equal(attempts, 0)
  const letters = await listDeadLetters(made.bus)
  assert.deepEqual(letters.map(({ reason }) => reason).toSorted(), [
    'invalid',
    'invalid',
    'unparsable',
    'unparsable',
  ])
  assert.ok(letters.every((letter) => letter.attempts === 1))
  assert.ok(letters.every(({ error }) => !error.includes('secret')))
  assert.ok(
    letters.some(({ error }) => error === '#/properties/payload/properties/number/type must be integer'),
  )
})

test('a message that no worker has lived to settle becomes a dead letter without another try', async () => {
  let attempts = 0
  const dying = await start(() => {
    attempts += 1
    return Promise.resolve()
  })
  await running?.stop()
  running = undefined
  await publish(1)
  const puller = await made.bus.jetstream.consumers.get(made.bus.streamName('EVENTS'), 'counter')
  for (let delivery = 0; delivery < 3; delivery++) (await puller.next({ expires: 5000 }))?.nak()
  running = await startConsumer(context, dying)
  await waitFor('the message is settled', settled)
  assert.equal(attempts, 0)
  assert.deepEqual(
    (await listDeadLetters(made.bus)).map(({ reason, attempts: times }) => [reason, times]),
    [['unsettled', 4]],
  )
})

test('a message stays while its dead letter cannot be stored', async () => {
  const { bus, declare } = made
  await bus.manager.streams.delete(bus.streamName('DEAD'))
  await start(() => Promise.resolve())
  await bus.manager.streams.delete(bus.streamName('DEAD'))
  await publishText('nonsense')
  await waitFor('it was tried', async () => ((await outcomes())['unsettled'] ?? 0) > 0)
  assert.equal((await state()).num_ack_pending, 1)
  await declare()
  await waitFor('the message is settled', settled)
  assert.equal((await listDeadLetters(bus)).length, 1)
})

test('a replayed dead letter is handled like any other message', async () => {
  let broken = true
  const handled: number[] = []
  await start(({ payload }) => {
    if (broken) return Promise.reject(new Error('broken'))
    handled.push(payload.number)
    return Promise.resolve()
  })
  await publish(1)
  await publish(2)
  await waitFor('both have died', async () => (await listDeadLetters(made.bus)).length === 2)
  broken = false
  assert.equal(await replayDeadLetters(made.bus, { consumer: 'counter' }), 2)
  await waitFor('both are handled', () => handled.length === 2)
  assert.deepEqual(new Set(handled), new Set([1, 2]))
  assert.deepEqual(await listDeadLetters(made.bus), [])
})

test('a handler that takes longer than the bus would wait is not run twice', async () => {
  let runs = 0
  await start(
    async () => {
      runs += 1
      await sleep(900)
    },
    { ...quick, ackWaitMs: 300 },
  )
  await publish(1)
  await waitFor('the event is handled', settled)
  assert.equal(runs, 1)
})

test('no more run at a time than said, and every one runs once', async () => {
  let atOnce = 0
  let maxConcurrent = 0
  const seen: number[] = []
  const four = Promise.withResolvers<void>()
  await start(
    async ({ payload }) => {
      atOnce += 1
      maxConcurrent = Math.max(maxConcurrent, atOnce)
      if (atOnce === 4) four.resolve()
      await four.promise
      await sleep(2)
      seen.push(payload.number)
      atOnce -= 1
    },
    { ...quick, concurrency: 4 },
  )
  for (let number = 0; number < 100; number++) await publish(number)
  await waitFor('all are handled', settled)
  assert.equal(maxConcurrent, 4)
  assert.equal(seen.length, 100)
  assert.equal(new Set(seen).size, 100)
})

test('one that waits for its retry does not hold up the others', async () => {
  const handled: number[] = []
  await start(
    ({ payload }) => {
      if (payload.number === 0) return Promise.reject(new Error('poison'))
      handled.push(payload.number)
      return Promise.resolve()
    },
    { concurrency: 1, retryDelaysMs: [60_000] },
  )
  for (let number = 0; number < 4; number++) await publish(number)
  await waitFor('the others are handled', () => handled.length === 3)
  await waitFor('only the first is left', async () => (await state()).num_ack_pending === 1)
})

test('stopping waits for the handler under way and pulls no more', async () => {
  const handled: number[] = []
  const gate = Promise.withResolvers<void>()
  await start(async ({ payload }) => {
    handled.push(payload.number)
    await gate.promise
  })
  await publish(1)
  await publish(2)
  await waitFor('both are in hand', () => handled.length === 2)
  let stopped = false
  const stopping = running?.stop().then(() => {
    stopped = true
  })
  await publish(3)
  // Longer than it waits for a pull.
  await sleep(3200)
  assert.equal(stopped, false)
  gate.resolve()
  await stopping
  assert.deepEqual(new Set(handled), new Set([1, 2]))
  await waitFor('both are acknowledged', async () => (await state()).num_ack_pending === 0)
  assert.equal((await state()).num_pending, 1)
})

test('a consumer goes on when its connection was lost', async () => {
  const handled: number[] = []
  await start(({ payload }) => {
    handled.push(payload.number)
    return Promise.resolve()
  })
  for (let number = 0; number < 5; number++) {
    await made.bus.connection.reconnect()
    await waitFor('the bus is back', () =>
      publish(number, 200).then(
        () => true,
        () => false,
      ),
    )
  }
  await waitFor('all are handled', settled)
  assert.deepEqual(new Set(handled), new Set([0, 1, 2, 3, 4]))
})
