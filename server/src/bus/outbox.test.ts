import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBus, createWorkerContext, type TestBus } from '../../test/bus.ts'
import { openDatabase } from '../../test/fixture.ts'
import { waitFor } from '../../test/wait.ts'
import { rootScope } from '../access/scope.ts'
import { connect } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'
import type { EventBody } from './emit.ts'
import { emit } from './emit.ts'
import { withLock } from './lock.ts'
import { relayBatch, relayDefaults, startRelay } from './outbox.ts'

const root = randomUUID() as RootId
let made: TestBus

const { database, superuser, use, defer } = await openDatabase()
await superuser.query(`insert into root (id, kind, name) values ($1, 'organization', 'a')`, [root])
const api = use(connect({ url: database.urls.api, name: 'api', connections: 4 }))
const worker = use(connect({ url: database.urls.worker, name: 'worker', connections: 4 }))
defer(() => made.drop())
beforeEach(async () => {
  await made?.drop()
  made = await createBus()
  await superuser.query('truncate outbox')
})

function emitted(number: number): Promise<void> {
  return inTransaction(api, rootScope(root), (tx) =>
    emit(tx, rootScope(root), { type: 'key.created', payload: { number } }),
  )
}

const relayOne = (size = 100) => withLock(worker, 'relay', 60, (tx) => relayBatch(tx, made.bus, size))

async function published(): Promise<EventBody[]> {
  return (await made.messages('EVENTS')).map((message) => message.json<EventBody>())
}

async function waiting(): Promise<number> {
  const { rows } = await superuser.query<{ count: string }>('select count(*) from outbox')
  return Number(rows[0]?.count)
}

test('a committed event is one message with its subject, its body and its id', async () => {
  await emitted(7)
  const { rows } = await superuser.query<{ event_id: string }>('select event_id from outbox')
  assert.deepEqual(await relayOne(), { published: 1, failures: [] })

  const [message, ...others] = await made.messages('EVENTS')
  assert.ok(message)
  assert.equal(others.length, 0)
  assert.equal(message.subject, `${made.prefix}.events.key.created`)
  const { occurred_at, ...body } = message.json<EventBody>()
  const id = rows[0]?.event_id
  assert.deepEqual(body, { id, type: 'key.created', version: 1, root, payload: { number: 7 } })
  assert.match(occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.ok(Math.abs(Date.parse(occurred_at) - Date.now()) < 60_000)
  assert.equal(message.header.get('Nats-Msg-Id'), id)
  assert.equal(await waiting(), 0)
})

test('an event of a transaction that is rolled back is never published', async () => {
  const failing = inTransaction(api, rootScope(root), async (tx) => {
    await emit(tx, rootScope(root), { type: 'key.created', payload: {} })
    throw new Error('the change failed')
  })
  await assert.rejects(failing, /the change failed/)
  assert.deepEqual(await relayOne(), { published: 0, failures: [] })
  assert.deepEqual(await published(), [])
})

test('a relay that dies between publish and delete leaves one message', async () => {
  await emitted(1)
  const dying = withLock(worker, 'relay', 60, async (tx) => {
    await relayBatch(tx, made.bus, 100)
    throw new Error('killed')
  })
  await assert.rejects(dying, /killed/)
  assert.equal((await published()).length, 1)
  assert.equal(await waiting(), 1)

  await relayOne()
  assert.equal((await published()).length, 1)
  assert.equal(await waiting(), 0)
})

test('of two relays one works: each event once and in order', async () => {
  const other = connect({ url: database.urls.worker, name: 'worker', connections: 2 })
  const options = { ...relayDefaults, batch: 7, idleMs: 5 }
  const relays = [worker, other].map((pool) => startRelay(createWorkerContext(pool, made.bus), options))
  try {
    for (let number = 0; number < 200; number++) await emitted(number)
    await waitFor('the outbox is empty', async () => (await waiting()) === 0)
  } finally {
    await Promise.all(relays.map((relay) => relay.stop()))
    await other.end()
  }
  const numbers = (await published()).map(({ payload }) => payload['number'])
  assert.deepEqual(
    numbers,
    Array.from({ length: 200 }, (_, number) => number),
  )
})

test('while one holds the lock another does nothing', async () => {
  await emitted(1)
  const inner = await withLock(worker, 'relay', 60, () => relayOne())
  assert.equal(inner, null)
  assert.equal(await waiting(), 1)
})

test('an event that the bus refuses stays and does not hold up the others', async () => {
  await emitted(1)
  await superuser.query(
    `insert into outbox (root_id, event_id, type, payload)
     values ($1, gen_random_uuid(), 'key.created', jsonb_build_object('large', repeat('x', 300000)))`,
    [root],
  )
  await emitted(2)
  const relayed = await relayOne()
  assert.equal(relayed?.published, 2)
  assert.match(String(relayed?.failures[0]), /maximum/)
  assert.deepEqual(
    (await published()).map(({ payload }) => payload['number']),
    [1, 2],
  )
  assert.equal(await waiting(), 1)
})

test('a relay that loses its database connection gives the lock back and leaves its events', async () => {
  await emitted(1)
  const losing = withLock(worker, 'relay', 60, async (tx) => {
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )
    await waitFor('the connection is closed', async () => {
      const { rowCount } = await superuser.query(
        `select from pg_locks
         where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      )
      return rowCount === 0
    })
    return relayBatch(tx, made.bus, 100)
  })
  await assert.rejects(losing)
  assert.equal(await waiting(), 1)
  assert.deepEqual(await relayOne(), { published: 1, failures: [] })
})

test('a worker that vanished with the lock loses it after its silence', async () => {
  const vanished = withLock(worker, 'relay', 0.05, () => sleep(300))
  await assert.rejects(vanished)
  assert.deepEqual(await relayOne(), { published: 0, failures: [] })
})
