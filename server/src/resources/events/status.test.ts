import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { createBus, createWorkerContext, type TestBus, waitFor } from '../../../test/bus.ts'
import { startService, type TestResponse, type TestService } from '../../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import {
  createCredential,
  createEvent,
  ingestSettings,
  probeFamily,
  publishRevoked,
} from '../../../test/ingest.ts'
import { createTenant, type Tenant } from '../../../test/tenant.ts'
import type { RunningTask } from '../../bus/context.ts'
import { countDeadLetters, replayDeadLetters } from '../../bus/dead-letters.ts'
import { defineEventKind, type IngestEvent, RetryLaterError } from '../../bus/ingest-event.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import type { IngestStatus } from '../../bus/queue/status.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { queueConsumer } from './consume.ts'

const path = '/ingest/v1/status'
// Names an organization in a field of its own, so that no database is needed to count its id.
const namedKind = defineEventKind({
  type: 'probe.named',
  version: 1,
  summary: 'An event of a test.',
  payload: Type.Object({}),
  normalize: (payload) => payload,
  listOrganizations: () => [],
})

let database: TestDatabase
let tenant: Tenant
let made: TestBus
let service: TestService
let unused: Pool
let worker: RunningTask | undefined

before(async () => {
  ;[database, made] = await Promise.all([createDatabase(), createBus()])
  tenant = await createTenant(database)
  unused = connect({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'worker', connections: 1 })
  service = startService(database, ingestSettings(made), [], [namedKind])
  await publishRevoked(made.bus, [])
  const { value } = createSender()
  await waitFor('the service is connected', async () => (await get(value)).status === 200)
})
after(async () => {
  await worker?.stop()
  await Promise.all([service.stop(), tenant.close(), made.drop(), unused.end()])
  await database.drop()
})

const createSender = () => createCredential(tenant.ring, tenant.workspace.root)
const get = (key: string): Promise<TestResponse> => service.call(path, { key })

async function send(key: string, events: readonly IngestEvent[]): Promise<void> {
  const { status, text } = await service.call('/ingest/v1/events', { key, method: 'POST', body: events })
  assert.equal(status, 202, text)
}

async function read(key: string): Promise<IngestStatus> {
  const { status, text, body } = await get(key)
  assert.equal(status, 200, text)
  assert.deepEqual(Object.keys(body).toSorted(), ['dead_letters', 'lag_seconds', 'last_event_at', 'waiting'])
  return body as unknown as IngestStatus
}

const named = (organization: string, repository?: string) =>
  createEvent({
    type: 'probe.named',
    payload: {
      organization: { provider: 'github', host: 'github.com', id: organization },
      ...(repository !== undefined && { repository: { id: repository } }),
    },
  })

type Behaviour = 'store' | 'defer' | 'postponed'
let behaviour: Behaviour = 'defer'

async function startWorker(retryDelaysMs: readonly number[]): Promise<void> {
  await worker?.stop()
  const family = probeFamily(
    ({ events }) => {
      if (behaviour === 'postponed') return Promise.reject(new RetryLaterError('Not now.'))
      return Promise.resolve(
        behaviour === 'store' ? [] : events.map((event) => ({ event, reason: 'Unknown.' })),
      )
    },
    [namedKind],
  )
  const consumer = queueConsumer([family], { retryDelaysMs, retryLaterDelaysMs: [50, 100] })
  worker = startQueueConsumer(createWorkerContext(unused, made.bus), consumer)
}

test('a credential without events has an empty status; API keys and unknown parameters are refused', async () => {
  const { value } = createSender()
  assert.deepEqual(await read(value), { last_event_at: null, waiting: [], dead_letters: 0, lag_seconds: 0 })
  const user = await tenant.createKey('user')
  const refused = await get(user.value)
  assert.deepEqual([refused.status, refused.body.error?.code], [401, 'UNAUTHORIZED'])
  assert.match(refused.text, /user key; events need an ingest credential/)
  const unknown = await service.call(`${path}?limit=1`, { key: value })
  assert.deepEqual([unknown.status, unknown.body.error?.code], [400, 'INVALID_REQUEST'])
  assert.equal((await service.call(path, { key: value, method: 'POST' })).status, 405)
})

test('waiting events are counted by what they name, for their own credential only', async () => {
  const [sender, other] = [createSender(), createSender()]
  behaviour = 'defer'
  await startWorker([60_000])
  const sentAt = Date.now()
  await send(sender.value, [named('1'), named('1'), named('1', 'r')])
  await send(sender.value, [named('1'), createEvent({ type: 'probe.named', payload: {} })])
  const total = (status: IngestStatus) => status.waiting.reduce((sum, { count }) => sum + count, 0)
  await waitFor('all wait', async () => total(await read(sender.value)) === 5)
  await waitFor('all are handled', async () => (await read(sender.value)).lag_seconds === 0)
  const { waiting, last_event_at, dead_letters } = await read(sender.value)
  const groups = waiting.map(({ since: _since, ...group }) => group)
  const common = { provider: 'github', organization: '1', type: 'probe.named' }
  assert.deepEqual(
    new Set(groups),
    new Set([
      { ...common, repository: null, count: 3 },
      { ...common, repository: 'r', count: 1 },
      { provider: null, organization: null, repository: null, type: 'probe.named', count: 1 },
    ]),
  )
  for (const { since } of waiting)
    assert.ok(Date.parse(since) >= sentAt - 5000 && Date.parse(since) <= Date.now())
  assert.ok(Date.parse(last_event_at ?? '') >= sentAt)
  assert.equal(dead_letters, 0)
  assert.deepEqual(await read(other.value), {
    last_event_at: null,
    waiting: [],
    dead_letters: 0,
    lag_seconds: 0,
  })
})

test('events that are given up are dead letters of their credential, and none after a replay', async () => {
  const [sender, other] = [createSender(), createSender()]
  behaviour = 'defer'
  await startWorker([20, 20])
  await send(sender.value, [named('2')])
  await waitFor('it is a dead letter', async () => (await read(sender.value)).dead_letters === 1)
  await waitFor('it does not wait', async () => (await read(sender.value)).waiting.length === 0)
  assert.equal((await read(other.value)).dead_letters, 0)
  const { root } = tenant.workspace
  assert.equal(await countDeadLetters(made.bus, { root }), 1)
  behaviour = 'store'
  assert.equal(await replayDeadLetters(made.bus, { root }), 1)
  await waitFor('there is none', async () => (await read(sender.value)).dead_letters === 0)
})

test('the lag grows while events are not handled, and ends when they are', async () => {
  const sender = createSender()
  await worker?.stop()
  worker = undefined
  await send(sender.value, [named('3')])
  await waitFor('nobody handles it', async () => (await read(sender.value)).lag_seconds >= 1)
  behaviour = 'postponed'
  await startWorker([20])
  await waitFor('it is still postponed', async () => (await read(sender.value)).lag_seconds >= 2)
  assert.deepEqual((await read(sender.value)).waiting, [])
  behaviour = 'store'
  await waitFor('it is handled', async () => (await read(sender.value)).lag_seconds === 0)
})

test('a status request is counted like the others of its credential', async () => {
  const limited = startService(
    database,
    { ...ingestSettings(made), INGEST_REQUESTS_PER_SECOND: '1' },
    [],
    [namedKind],
  )
  const { value } = createSender()
  await waitFor(
    'the service is connected',
    async () => (await limited.call(path, { key: value })).status === 200,
  )
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await limited.call(path, { key: value })).status),
  )
  await limited.stop()
  assert.ok(statuses.includes(429))
})

test('an unknown root has nothing to read of another', async () => {
  const stranger = createCredential(tenant.ring, randomUUID() as typeof tenant.workspace.root)
  assert.deepEqual(await read(stranger.value), {
    last_event_at: null,
    waiting: [],
    dead_letters: 0,
    lag_seconds: 0,
  })
})
