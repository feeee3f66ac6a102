import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createBus, createUnusedPool, createWorkerContext } from '../../../test/bus.ts'
import { startService, type TestResponse } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import {
  createCredential,
  createEvent,
  ingestSettings,
  namedProbeKind,
  probeFamily,
  publishRevoked,
} from '../../../test/ingest.ts'
import { waitFor } from '../../../test/wait.ts'
import type { RunningTask } from '../../bus/context.ts'
import { countDeadLetters, replayDeadLetters } from '../../bus/dead-letters.ts'
import { type IngestEvent, RetryLaterError } from '../../bus/ingest-event.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import type { IngestStatus } from '../../bus/queue/status.ts'
import { queueConsumer } from './consume.ts'

const path = '/ingest/v1/status'

let worker: RunningTask | undefined

const createSender = () => createCredential(tenant.ring, tenant.workspace.root)
const get = (key: string): Promise<TestResponse> => service.call(path, { key })

const { database, tenant, use, defer } = await openTenant()
const made = use(await createBus())
const unused = use(createUnusedPool())
const service = use(startService(database, ingestSettings(made), [], [namedProbeKind]))
await publishRevoked(made.bus, [])
const firstSender = createSender()
await waitFor('the service is connected', async () => (await get(firstSender.value)).status === 200)
defer(() => worker?.stop())

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
    [namedProbeKind],
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

test('events that are given up are dead letters of their credential, and none after a replay [P11-status-1]', async () => {
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

test('the lag grows while events are not handled, and ends when they are [P11-status-1]', async () => {
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
    [namedProbeKind],
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
