import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createBus, createUnusedPool, createWorkerContext } from '../../../test/bus.ts'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import {
  createEvent,
  ingestSettings,
  namedProbeKind,
  probeFamily,
  publishRevoked,
} from '../../../test/ingest.ts'
import { limitsOff } from '../../../test/limits-off.ts'
import type { TestOrganization } from '../../../test/tenant.ts'
import { waitFor } from '../../../test/wait.ts'
import type { RunningTask } from '../../bus/context.ts'
import { startQueueConsumer } from '../../bus/queue/consume-queue.ts'
import { queueConsumer } from './consume.ts'
import { tenantIngestStatus } from './route.ts'

const path = '/v1/ingest/status'

interface Status {
  readonly last_event_at: string | null
  readonly queued: number | null
  readonly lag_seconds: number | null
  readonly parked: number
  readonly dead_letters: number | null
}

let worker: RunningTask | undefined
let isStored: (index: number) => boolean = () => true

const { database, tenant, use, defer } = await openTenant()
const made = use(await createBus())
const unused = use(createUnusedPool())
const settings = { ...limitsOff, ...ingestSettings(made) }
const service = use(startService(database, settings, [tenantIngestStatus], [namedProbeKind]))
await publishRevoked(made.bus, [])
const reader = (await tenant.createKey('workspace')).value
await waitFor(
  'the service is connected',
  async () => (await service.call(path, { key: reader })).status === 200,
)
defer(() => worker?.stop())

async function startWorker(retryDelaysMs: readonly number[]): Promise<void> {
  await worker?.stop()
  const family = probeFamily(
    ({ events }) =>
      Promise.resolve(
        events.filter((_, index) => !isStored(index)).map((event) => ({ event, reason: 'Unknown.' })),
      ),
    [namedProbeKind],
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

test('a workspace token sees the root, other keys their organization, and nobody another tenant [P12-ingest-status-1]', async () => {
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

test('parked messages count for the organizations whose events wait [P12-ingest-status-2]', async () => {
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

test('dead letters belong to an organization if their credential sends for it alone; otherwise they are unknown [P12-ingest-status-2]', async () => {
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

test('without a bus the response is 503, not zeros [P12-ingest-status-1]', async () => {
  const without = startService(database, limitsOff, [tenantIngestStatus])
  const { value } = await tenant.createKey('user')
  const { status, body } = await without.call(path, { key: value })
  await without.stop()
  assert.deepEqual([status, body.error?.code], [503, 'OVERLOADED'])
})
