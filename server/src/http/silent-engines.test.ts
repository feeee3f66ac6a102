import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { busUrl, createBus } from '../../test/bus.ts'
import { startTcpProxy } from '../../test/engines/tcp-proxy.ts'
import { openTenant } from '../../test/fixture.ts'
import { createEvent, ingestSettings, sendEvents } from '../../test/ingest.ts'
import { startApi, startWorker } from '../../test/process.ts'
import { waitFor } from '../../test/wait.ts'

// The contract allows 5 s; the machine that runs the tests may be slow. Waiting twice would take more than 9 s.
const MAX_MS = 5000 + 3000

const { database, tenant, use, defer } = await openTenant()
const testBus = use(await createBus())
const postgres = await startTcpProxy(database.urls.api)
const nats = await startTcpProxy(busUrl)
const [workspace, ingest] = await Promise.all([tenant.createKey('workspace'), tenant.createKey('ingest')])
const { host } = new URL(postgres.url)
const viaProxy = (url: string) => Object.assign(new URL(url), { host }).href
const urls = {
  ...database.urls,
  api: viaProxy(database.urls.api),
  auth: viaProxy(database.urls.auth),
}
const settings = { ...ingestSettings(testBus), LIMIT_ORGANIZATIONS: 'off', LIMIT_LEARNINGS_WRITES: 'off' }
const worker = await startWorker(database, settings)
const api = await startApi({ ...database, urls }, { ...settings, NATS_URL: nats.url })
await waitFor(
  'events are accepted',
  async () => (await sendEvents(api.url, ingest.value, [{}])).status === 202,
)
await worker.stop()
defer(async () => {
  await api.stop('SIGKILL')
  await Promise.all([postgres.disconnect(), nats.disconnect()])
})

async function timed(request: () => Promise<Response>) {
  const startedAt = performance.now()
  const response = await request()
  await response.text()
  return { status: response.status, headers: response.headers, ms: performance.now() - startedAt }
}

const list = () => fetch(`${api.url}/v1/organizations`, { headers: { 'x-service-api-key': workspace.value } })
const learn = (idempotencyKey: string) =>
  fetch(`${api.url}/v1/learnings`, {
    method: 'POST',
    headers: {
      'x-service-api-key': workspace.value,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({
      org_id: tenant.workspace.organizations[0].orgId,
      repository_id: 'x',
      learnings: [{ learning: 'Close what you open.' }],
    }),
  })
const tag = () => {
  const organization = { provider: 'github', id: '1' }
  const event = createEvent({ type: 'reviewer.tagged', payload: { organization, author: { id: '1' } } })
  return sendEvents(api.url, ingest.value, [event])
}
const ready = (path: string) => fetch(`${api.url}${path}`)

function assertPromptRefusals(answers: readonly Awaited<ReturnType<typeof timed>>[]): void {
  for (const { status, headers, ms } of answers) {
    assert.equal(status, 503)
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.ok(ms < MAX_MS, `answered after ${ms} ms`)
  }
}

/** Requests that begin together and one after another, so that some wait for those before them. */
async function sendStaggered(...requests: readonly (() => Promise<Response>)[]) {
  return Promise.all(
    requests.map(async (request, index) => {
      await sleep(index * 250)
      return timed(request)
    }),
  )
}

describe('a silent PostgreSQL', { timeout: 60_000 }, () => {
  before(async () => {
    assert.equal((await list()).status, 200)
    postgres.silence()
  })
  after(async () => {
    postgres.restore()
    await waitFor('it serves again', async () => (await list()).status === 200)
    assert.equal((await ready('/readyz')).status, 200)
  })

  test('every request is refused within 5 seconds, also those that wait for others', async () => {
    const requests = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? () => learn('same') : list))
    assertPromptRefusals(await sendStaggered(...requests))
  })

  test('readiness fails within its own limit, however often it is asked', async () => {
    const answers = await sendStaggered(...Array.from({ length: 8 }, () => () => ready('/readyz')))
    for (const { status, ms } of answers) {
      assert.equal(status, 503)
      assert.ok(ms < MAX_MS, `answered after ${ms} ms`)
    }
    assert.equal((await ready('/healthz')).status, 200)
  })

  test('events are still accepted', async () => {
    assert.equal((await tag()).status, 202)
    assert.equal((await ready('/readyz/ingest')).status, 200)
  })
})

describe('a silent bus', { timeout: 60_000 }, () => {
  before(() => nats.silence())
  after(() => nats.restore())

  test('every event is refused within 5 seconds, also those that wait for others', async () => {
    const requests = Array.from({ length: 8 }, () => tag)
    assertPromptRefusals(await sendStaggered(...requests))
    assert.equal((await ready('/readyz/ingest')).status, 503)
    assert.equal((await ready('/readyz')).status, 200)
  })
})
