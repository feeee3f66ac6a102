import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBus, createWorkerContext } from '../../../test/bus.ts'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import {
  createCredential,
  createEvent,
  ingestSettings,
  probeFamily,
  probeKind,
  publishRevoked,
} from '../../../test/ingest.ts'
import { waitFor } from '../../../test/wait.ts'
import { replayDeadLetters } from '../../bus/dead-letters.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import { sweepEventStatuses } from '../../bus/queue/event-status.ts'
import { connect } from '../../db/connect.ts'
import { queueConsumer } from './consume.ts'

let isKnown = false

const ask = (ids: readonly string[]) =>
  service.call('/ingest/v1/events/status', { key, method: 'POST', body: { ids } })

const { database, tenant, use } = await openTenant()
const made = use(await createBus())
const key = createCredential(tenant.ring, tenant.workspace.root).value
const pool = use(connect({ url: database.urls.worker, name: 'worker', connections: 2 }))
const service = use(startService(database, ingestSettings(made), [], [probeKind]))
const family = probeFamily(({ events }) =>
  Promise.resolve(isKnown ? [] : events.map((event) => ({ event, reason: 'Unknown.' }))),
)
const consumer = queueConsumer([family], { retryDelaysMs: [300, 300] })
use(startQueueConsumer(createWorkerContext(pool, made.bus), consumer))
await publishRevoked(made.bus, [])
await waitFor('the service is connected', async () => (await ask(['a'])).status === 200)

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

test('a dead letter is refused, and stored once it was replayed [P16-events-status-3]', async () => {
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
