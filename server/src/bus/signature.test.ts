import assert from 'node:assert/strict'
import { createSecretKey, randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { busUrl, createBus, createUnusedPool, createWorkerContext, type TestBus } from '../../test/bus.ts'
import { probeFamily } from '../../test/ingest.ts'
import { waitFor } from '../../test/wait.ts'
import { createLog } from '../observe/log.ts'
import { queueConsumer } from '../resources/events/consume.ts'
import { type Bus, connectBus } from './connect.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { listDeadLetters, replayDeadLetters, rewriteDeadLetters } from './dead-letters.ts'
import { startQueueConsumer } from './queue/consume-queue.ts'
import { createSignatures } from './signature.ts'

const makeKey = (id: string, byte: number) => ({ id, secret: createSecretKey(Buffer.alloc(32, byte)) })
const [first, second, third] = [makeKey('one', 1), makeKey('two', 2), makeKey('three', 3)]
const name = 'Scholiast-Signature'

let made: TestBus
let bus: Bus
let context: WorkerContext
let running: RunningTask | undefined
let handled: string[]

const unused = createUnusedPool()
beforeEach(async () => {
  await end()
  made = await createBus()
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
async function start(isFailing = () => false): Promise<void> {
  const options = { url: busUrl, prefix: made.prefix, name: 'test', log: createLog('test', 'silent') }
  bus = await connectBus({ ...options, ingestKeys: [second, first] })
  context = createWorkerContext(unused, bus)
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
  createSignatures(made.prefix, [key]).sign(to, text)
const reasons = async () => (await listDeadLetters(bus)).map(({ reason }) => reason)

test('messages signed with any key of the ring are handled', async () => {
  await start()
  for (const key of [first, second]) {
    const text = textOf(key.id)
    await publish(text, signWith(key, text))
  }
  await waitFor('both are handled', () => handled.length === 2)
})

test('an unsigned message is a dead letter', async () => {
  await start()
  await publish(textOf('b'), headers())
  await waitFor('it is a dead letter', async () => (await reasons()).length === 1)
  assert.deepEqual([await reasons(), handled], [['unsigned'], []])
})

test('a message that was changed, moved to another root or signed by somebody else is a dead letter at once', async () => {
  await start()
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
  await start()
  const text = textOf('x')
  await publish(text, signWith(third, text))
  await waitFor('it is a dead letter', async () => (await reasons()).length === 1)
  const [letter] = await listDeadLetters(bus)
  assert.deepEqual([letter?.reason, letter?.attempts], ['failed', 2])
  assert.match(letter?.error ?? '', /not in INGEST_KEYS/)
})

test('replayed and rewritten dead letters are still signed, and forged ones still forged', async () => {
  let failing = true
  await start(() => failing)
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

test('a signature is valid in every size class of its root, and for no other root', () => {
  const signatures = createSignatures('p', [first])
  const data = Buffer.from(textOf('x'))
  const signed = signatures.sign(`p.queue.${root}.12`, data)
  assert.equal(signatures.check(`p.queue.${root}.7`, data, signed), 'valid')
  assert.equal(signatures.check(`p.queue.${randomUUID()}.12`, data, signed), 'forged')
  assert.equal(signatures.check('p.events.key.created', data, undefined), 'not required')
})
