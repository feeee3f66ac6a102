import assert from 'node:assert/strict'
import { createSecretKey, randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { busUrl, makeBus, makeWorkerContext, type TestBus, waitFor } from '../../test/bus.ts'
import { probeFamily } from '../../test/ingest.ts'
import { connect, type Pool } from '../db/connect.ts'
import { makeLog } from '../observe/log.ts'
import { queueConsumer } from '../resources/ingest/consume.ts'
import { type Bus, connectBus } from './connect.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { listDeadLetters, replayDeadLetters, rewriteDeadLetters } from './dead-letters.ts'
import { startQueueConsumer } from './ingest/consume-queue.ts'
import { createSignatures } from './signature.ts'

const makeKey = (id: string, byte: number) => ({ id, secret: createSecretKey(Buffer.alloc(32, byte)) })
const [first, second, third] = [makeKey('one', 1), makeKey('two', 2), makeKey('three', 3)]
const name = 'Scholiast-Signature'

let unused: Pool
let made: TestBus
let bus: Bus
let context: WorkerContext
let running: RunningTask | undefined
let handled: string[]

before(() => {
  unused = connect({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'worker', connections: 1 })
})
beforeEach(async () => {
  await end()
  made = await makeBus()
  handled = []
})
after(async () => {
  await end()
  await unused.end()
})

async function end(): Promise<void> {
  // Pulls that wait for a message end with their stream. A consumer that stops publishes its last status.
  await Promise.all([running?.stop(), made?.drop()])
  await bus?.close()
  running = undefined
}

const root = randomUUID()
const subject = () => bus.subject(`queue.${root}.3`)
const textOf = (id: string) =>
  JSON.stringify({
    root,
    credential: randomUUID(),
    organizations: null,
    events: [
      { id, type: 'probe.done', version: 1, occurred_at: new Date().toISOString(), payload: { number: 1 } },
    ],
  })

/** A worker with two keys. `fails` makes every message fail at its only attempt. */
async function start(unsignedMessages: 'accept' | 'refuse', isFailing = () => false): Promise<void> {
  const options = { url: busUrl, prefix: made.prefix, name: 'test', log: makeLog('test', 'silent') }
  bus = await connectBus({ ...options, ingestKeys: [second, first], unsignedMessages })
  context = makeWorkerContext(unused, bus)
  const family = probeFamily(({ events }) => {
    if (isFailing()) return Promise.reject(new Error('fails'))
    handled.push(...events.map(({ id }) => id))
    return Promise.resolve([])
  })
  const consumer = { ...queueConsumer([family]), settings: { retryDelaysMs: [10] } }
  await made.declare()
  running = startQueueConsumer(context, consumer)
}

const publish = (text: string, signed: MsgHdrs, to = subject()) =>
  bus.jetstream.publish(to, text, { headers: signed })
const signWith = (key: typeof first, text: string, to = subject()) =>
  createSignatures(made.prefix, { ingestKeys: [key], unsignedMessages: 'accept' }).sign(to, text)
const countUnsigned = async () => (await context.metrics.unsignedMessages.get()).values[0]?.value ?? 0
const reasons = async () => (await listDeadLetters(bus)).map(({ reason }) => reason)

test('messages signed with any key of the ring are handled', async () => {
  await start('refuse')
  for (const key of [first, second]) {
    const text = textOf(key.id)
    await publish(text, signWith(key, text))
  }
  await waitFor('both are handled', () => handled.length === 2)
  assert.equal(await countUnsigned(), 0)
})

test('unsigned messages are handled and counted, or refused if the operator wants it', async () => {
  await start('accept')
  await publish(textOf('a'), headers())
  await waitFor('it is handled', () => handled.length === 1)
  assert.equal(await countUnsigned(), 1)
  await running?.stop()
  await bus.close()
  await start('refuse')
  await publish(textOf('b'), headers())
  await waitFor('it is a dead letter', async () => (await reasons()).length === 1)
  assert.deepEqual([await reasons(), handled], [['unsigned'], ['a']])
})

test('a message that was changed, moved to another root or signed by somebody else is a dead letter at once', async () => {
  await start('accept')
  const text = textOf('x')
  const twice = signWith(second, text)
  twice.append(name, twice.get(name))
  const nonsense = headers()
  nonsense.set(name, 'v1 two nonsense')
  const stranger = { ...second, secret: third.secret }
  const other = bus.subject(`queue.${randomUUID()}.3`)
  await publish(text.replace('"number":1', '"number":2'), signWith(second, text))
  await publish(text, signWith(second, text, other))
  await publish(text, signWith(stranger, text))
  await publish(text, twice)
  await publish(text, nonsense)
  await waitFor('all are dead letters', async () => (await reasons()).length === 5)
  assert.deepEqual(new Set(await reasons()), new Set(['forged']))
  assert.ok((await listDeadLetters(bus)).every(({ attempts }) => attempts === 1))
  assert.deepEqual(handled, [])
})

test('a message signed with an unknown key is retried, because the worker may get the key later', async () => {
  await start('accept')
  const text = textOf('x')
  await publish(text, signWith(third, text))
  await waitFor('it is a dead letter', async () => (await reasons()).length === 1)
  const [letter] = await listDeadLetters(bus)
  assert.deepEqual([letter?.reason, letter?.attempts], ['failed', 2])
  assert.match(letter?.error ?? '', /not in INGEST_KEYS/)
})

test('replayed and rewritten dead letters are still signed, and forged ones still forged', async () => {
  let failing = true
  await start('refuse', () => failing)
  const text = textOf('good')
  const forged = textOf('bad')
  await publish(text, signWith(first, text))
  await publish(forged, signWith({ ...first, secret: third.secret }, forged))
  await waitFor('both are dead letters', async () => (await reasons()).length === 2)
  const rewrite = (body: string) => body.replace('"number":1', '"number":3')
  assert.equal(await rewriteDeadLetters(bus, root, rewrite, false), 2)
  failing = false
  assert.equal(await replayDeadLetters(bus, { consumer: '*' }), 2)
  await waitFor('one is handled', () => handled.length === 1)
  await waitFor('one is a dead letter', async () => (await reasons()).length === 1)
  assert.deepEqual([handled, await reasons()], [['good'], ['forged']])
})

test('messages keep their signature when they move between the queues of two versions', () => {
  const signatures = createSignatures('p', { ingestKeys: [first], unsignedMessages: 'accept' })
  const data = Buffer.from(textOf('x'))
  const signed = signatures.sign(`p.queue.${root}.12`, data)
  for (const to of [`p.ingest.${root}`, `p.queue.${root}.7`])
    assert.equal(signatures.check(to, data, signed), 'valid')
  assert.equal(signatures.check(`p.ingest.${randomUUID()}`, data, signed), 'forged')
  assert.equal(signatures.check('p.events.key.created', data, undefined), 'not required')
})
