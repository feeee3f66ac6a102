import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBus, createWorkerContext, type TestBus, waitFor } from '../../../test/bus.ts'
import { startService, type TestService } from '../../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import {
  createCredential,
  createEvent,
  ingestSettings,
  probeFamily,
  probeKind,
  publishRevoked,
} from '../../../test/ingest.ts'
import { createTenant, type Tenant } from '../../../test/tenant.ts'
import type { RunningTask } from '../../bus/context.ts'
import { replayDeadLetters } from '../../bus/dead-letters.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import { sweepEventStatuses } from '../../bus/queue/event-status.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { queueConsumer } from './consume.ts'

let database: TestDatabase
let tenant: Tenant
let made: TestBus
let service: TestService
let pool: Pool
let worker: RunningTask
let key: string
let isKnown = false

before(async () => {
  ;[database, made] = await Promise.all([createDatabase(), createBus()])
  tenant = await createTenant(database)
  key = createCredential(tenant.ring, tenant.workspace.root).value
  pool = connect({ url: database.urls.worker, name: 'worker', connections: 2 })
  service = startService(database, ingestSettings(made), [], [probeKind])
  const family = probeFamily(({ events }) =>
    Promise.resolve(isKnown ? [] : events.map((event) => ({ event, reason: 'Unknown.' }))),
  )
  const consumer = queueConsumer([family], { retryDelaysMs: [300, 300] })
  worker = startQueueConsumer(createWorkerContext(pool, made.bus), consumer)
  await publishRevoked(made.bus, [])
  await waitFor('the service is connected', async () => (await ask(['a'])).status === 200)
})
after(async () => {
  await worker.stop()
  await Promise.all([service.stop(), tenant.close(), made.drop(), pool.end()])
  await database.drop()
})

const ask = (ids: readonly string[]) =>
  service.call('/ingest/v1/events/status', { key, method: 'POST', body: { ids } })

async function statusOf(id: string): Promise<string | undefined> {
  const { status, text, body } = await ask([id])
  assert.equal(status, 200, text)
  return (body as unknown as { data: { status: string }[] }).data[0]?.status
}

async function send(): Promise<string> {
  const event = createEvent()
  const { status, text } = await service.call('/ingest/v1/events', { key, method: 'POST', body: [event] })
  assert.equal(status, 202, text)
  return event.id
}

test('a dead letter is refused, and stored once it was replayed', async () => {
  isKnown = false
  const id = await send()
  await waitFor('it waits for a retry', async () => (await statusOf(id)) === 'parked')
  await waitFor('it was given up', async () => (await statusOf(id)) === 'refused')
  isKnown = true
  await replayDeadLetters(made.bus, { consumer: 'ingest' })
  await waitFor('it is stored', async () => (await statusOf(id)) === 'stored')
})

test('what was recorded is deleted after 7 days, and not before', async () => {
  isKnown = true
  const id = await send()
  await waitFor('it is stored', async () => (await statusOf(id)) === 'stored')
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  await sweepEventStatuses(pool, inDays(6.9))
  assert.equal(await statusOf(id), 'stored')
  assert.ok((await sweepEventStatuses(pool, inDays(7.1))) >= 1)
  assert.equal(await statusOf(id), 'unknown')
})

test('without the table of statuses, events are stored as before', async () => {
  const superuser = database.superuser()
  await superuser.query('revoke insert on event_status from scholiast_worker')
  isKnown = true
  const id = await send()
  await waitFor('the queue is empty', async () => (await made.messages('QUEUE')).length === 0)
  assert.equal(await statusOf(id), 'unknown')
  assert.equal((await made.messages('DEAD')).length, 0)
  await superuser.query('grant insert on event_status to scholiast_worker')
  await superuser.end()
})
