import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { createBus, createWorkerContext, type TestBus, waitFor } from '../../../test/bus.ts'
import { startService, type TestService } from '../../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { createEvent, ingestSettings, probeFamily, publishRevoked } from '../../../test/ingest.ts'
import { limitsOff } from '../../../test/limits-off.ts'
import { createTenant, type Tenant, type TestOrganization } from '../../../test/tenant.ts'
import type { RunningTask } from '../../bus/context.ts'
import { defineEventKind } from '../../bus/ingest-event.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { queueConsumer } from './consume.ts'
import { tenantIngestStatus } from './route.ts'

const path = '/v1/ingest/status'
// Lists no organizations, so that the worker needs no database.
const namedKind = defineEventKind({
  type: 'probe.named',
  version: 1,
  summary: 'An event of a test.',
  payload: Type.Object({}),
  normalize: (payload) => payload,
  listOrganizations: () => [],
})

interface Status {
  readonly last_event_at: string | null
  readonly queued: number | null
  readonly lag_seconds: number | null
  readonly parked: number
  readonly dead_letters: number | null
}

let database: TestDatabase
let tenant: Tenant
let made: TestBus
let service: TestService
let unused: Pool
let worker: RunningTask | undefined
let isStored: (index: number) => boolean = () => true

before(async () => {
  ;[database, made] = await Promise.all([createDatabase(), createBus()])
  tenant = await createTenant(database)
  unused = connect({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'worker', connections: 1 })
  const settings = { ...limitsOff, ...ingestSettings(made) }
  service = startService(database, settings, [tenantIngestStatus], [namedKind])
  await publishRevoked(made.bus, [])
  const { value } = await tenant.createKey('workspace')
  await waitFor(
    'the service is connected',
    async () => (await service.call(path, { key: value })).status === 200,
  )
})
after(async () => {
  await worker?.stop()
  await Promise.all([service.stop(), tenant.close(), made.drop(), unused.end()])
  await database.drop()
})

async function startWorker(retryDelaysMs: readonly number[]): Promise<void> {
  await worker?.stop()
  const family = probeFamily(
    ({ events }) =>
      Promise.resolve(
        events.filter((_, index) => !isStored(index)).map((event) => ({ event, reason: 'Unknown.' })),
      ),
    [namedKind],
  )
  worker = startQueueConsumer(
    createWorkerContext(unused, made.bus),
    queueConsumer([family], { retryDelaysMs }),
  )
}

async function read(key: string, query = ''): Promise<Status> {
  const { status, text, body } = await service.call(path + query, { key })
  assert.equal(status, 200, text)
  return body as unknown as Status
}

async function send(key: string, organizations: readonly TestOrganization[]): Promise<void> {
  const events = organizations.map(({ orgId }) =>
    createEvent({
      id: randomUUID(),
      type: 'probe.named',
      payload: { organization: { provider: 'github', host: 'github.com', id: orgId } },
    }),
  )
  const { status, text } = await service.call('/ingest/v1/events', { key, method: 'POST', body: events })
  assert.equal(status, 202, text)
}

const nothing = { last_event_at: null, queued: 0, lag_seconds: 0, parked: 0, dead_letters: 0 }
const nothingOfOne = { ...nothing, queued: null, lag_seconds: null }

test('a workspace token sees the root, other keys their organization, and nobody another tenant', async () => {
  const [first, second] = tenant.workspace.organizations
  const [whole, user, stranger, sender] = await Promise.all([
    tenant.createKey('workspace'),
    tenant.createKey('user'),
    tenant.createKey('user', { of: 'alone' }),
    tenant.createKey('ingest'),
  ])
  assert.deepEqual(await read(whole.value), nothing)
  assert.deepEqual(await read(user.value), nothingOfOne)
  await send(sender.value, [first])
  await waitFor('the lag is known', async () => ((await read(whole.value)).lag_seconds ?? 0) >= 1)
  assert.equal((await read(whole.value)).queued, 1)
  await startWorker([60_000])
  await waitFor('it is stored', async () => (await read(user.value)).last_event_at !== null)
  await waitFor('the queue is empty', async () => (await read(whole.value)).queued === 0)
  const { last_event_at, ...rest } = await read(whole.value)
  assert.ok(last_event_at !== null)
  assert.deepEqual(rest, { queued: 0, lag_seconds: 0, parked: 0, dead_letters: 0 })
  assert.ok((await read(whole.value, `?org_id=${first.orgId}`)).last_event_at !== null)
  assert.deepEqual(await read(whole.value, `?org_id=${second?.orgId}`), nothingOfOne)
  assert.deepEqual(await read(stranger.value), nothingOfOne)
})

test('parked messages count for the organizations whose events wait', async () => {
  const [first, second] = tenant.workspace.organizations
  assert.ok(second)
  const whole = await tenant.createKey('workspace')
  const sender = await tenant.createKey('ingest')
  isStored = (index) => index === 0
  await startWorker([60_000])
  await send(sender.value, [second, first])
  await waitFor('it is parked', async () => (await read(whole.value)).parked === 1)
  assert.equal((await read(whole.value)).queued, 1)
  assert.equal((await read(whole.value, `?org_id=${first.orgId}`)).parked, 1)
  const other = await read(whole.value, `?org_id=${second.orgId}`)
  assert.equal(other.parked, 0)
  await waitFor(
    'the stored part is noted',
    async () => (await read(whole.value, `?org_id=${second.orgId}`)).last_event_at !== null,
  )
})

test('dead letters belong to an organization if their credential sends for it alone; otherwise they are unknown', async () => {
  const [first, second] = tenant.workspace.organizations
  assert.ok(second)
  const whole = await tenant.createKey('workspace')
  const bound = await tenant.createKey('ingest', { authorized: [first.id] })
  const wide = await tenant.createKey('ingest')
  const count = async (organization?: TestOrganization) =>
    (await read(whole.value, organization === undefined ? '' : `?org_id=${organization.orgId}`)).dead_letters
  isStored = () => false
  await startWorker([])
  await send(bound.value, [first])
  await waitFor('it is a dead letter', async () => (await count()) === 1)
  assert.deepEqual([await count(first), await count(second)], [1, 0])
  await send(wide.value, [first])
  await waitFor('another one', async () => (await count()) === 2)
  assert.deepEqual([await count(first), await count(second)], [null, null])
  const alone = await tenant.createKey('user', { of: 'alone' })
  const ofAlone = await tenant.createKey('ingest', { of: 'alone' })
  await send(ofAlone.value, tenant.alone.organizations)
  await waitFor('one of the other tenant', async () => (await read(alone.value)).dead_letters === 1)
})

test('without a bus the response is 503, not zeros', async () => {
  const without = startService(database, limitsOff, [tenantIngestStatus])
  const { value } = await tenant.createKey('user')
  const { status, body } = await without.call(path, { key: value })
  await without.stop()
  assert.deepEqual([status, body.error?.code], [503, 'OVERLOADED'])
})
