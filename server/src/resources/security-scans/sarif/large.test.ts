import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBus } from '../../../../test/bus.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { createCredential, ingestSettings, publishRevoked, sendEvents } from '../../../../test/ingest.ts'
import { startApi } from '../../../../test/process.ts'
import { createLargeEvent, createLargeSarif } from '../../../../test/security/large.ts'
import { waitFor } from '../../../../test/wait.ts'

const MIB = 1024 ** 2
// As in the upload pipeline: one tenant root may use a quarter of all concurrent uploads.
const MAX_UPLOADS_PER_ROOT = 4

const headersOf = (key: string) => ({ 'x-service-api-key': key, 'content-type': 'application/sarif+json' })
const newKey = () => createCredential(tenant.ring, tenant.workspace.root).value
const send = (key: string, text: string) =>
  fetch(uploadUrl(), { method: 'POST', headers: headersOf(key), body: text })

const { database, tenant, use } = await openTenant()
const made = use(await createBus())
await publishRevoked(made.bus, [])
// A slow machine must not make a slow sender one that is ended.
const api = use(await startApi(database, { ...ingestSettings(made), MIN_BYTES_PER_SECOND: '0' }))
await waitFor(
  'the upload endpoint is ready',
  async () => (await send(newKey(), createLargeSarif(1000, 1))).status === 202,
)

function uploadUrl(): string {
  const { orgId, repositories } = tenant.workspace.organizations[0]
  const query = { provider: 'github', org_id: orgId, repo_id: repositories[0]?.repositoryId ?? '' }
  return `${api.url}/ingest/v1/sarif?${new URLSearchParams(query).toString()}`
}

/** Sends a request and measures its duration and the latency of other requests meanwhile. */
async function sendMeanwhile(sent: () => Promise<Response>) {
  const waits: number[] = []
  const reading = { isDone: false }
  const polling = (async () => {
    while (!reading.isDone) {
      const requestedAt = performance.now()
      assert.equal((await fetch(`${api.url}/readyz`)).status, 200)
      waits.push(performance.now() - requestedAt)
      await sleep(10)
    }
  })()
  const started = performance.now()
  const response = await sent()
  const took = performance.now() - started
  reading.isDone = true
  await polling
  const slowest = Math.max(...waits)
  const timing = `it took ${Math.round(took)} ms; the slowest of ${waits.length} other requests took ${Math.round(slowest)} ms`
  return { response, took, slowest, timing }
}

test('other requests are served while a large file is read', async (t) => {
  const text = createLargeSarif(20 * MIB, 10_000)
  const { response, took, slowest, timing } = await sendMeanwhile(() => send(newKey(), text))
  t.diagnostic(timing)
  assert.equal(response.status, 202)
  assert.ok(took > 1000, timing)
  assert.ok(slowest < took / 4, timing)
})

test('other requests are served while large events are read', async (t) => {
  const events = Array.from({ length: 8 }, (_, number) =>
    createLargeEvent(tenant.workspace.organizations[0], number),
  )
  const { response, took, slowest, timing } = await sendMeanwhile(() => sendEvents(api.url, newKey(), events))
  t.diagnostic(timing)
  assert.deepEqual(await response.json(), { accepted: 8, rejected: [], warnings: [] })
  assert.ok(took > 1000, timing)
  assert.ok(slowest < took / 8, timing)
})

test('slow senders do not block other tenants, and a tenant has a limited number of uploads', async () => {
  const key = newKey()
  const small = createLargeSarif(2000, 2)
  const responses = (status: number) => async () => (await send(key, small)).status === status
  const senders = await startSlowly(key, MAX_UPLOADS_PER_ROOT)
  await waitFor('the tenant has used its uploads', async () => {
    if ((await send(key, small)).status === 503) return true
    // The request came before one of the slow senders and took its slot.
    senders.push(...(await startSlowly(key, 1)))
    return false
  })
  const first = senders.find((sender) => !refusedSenders.has(sender))
  const other = createCredential(tenant.ring, tenant.alone.root).value
  assert.equal((await send(other, small)).status, 202)
  assert.equal((await send(newKey(), small)).status, 503)
  const refused = await send(key, small)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  const completed = once(first as ClientRequest, 'response') as Promise<[IncomingMessage]>
  first?.end(slowFile.slice(SENT))
  assert.equal((await completed)[0].statusCode, 202)
  for (const sender of senders) if (sender !== first) sender.destroy()
  const again = await startSlowly(key, MAX_UPLOADS_PER_ROOT - 1)
  await waitFor('aborted uploads are released', responses(202))
  for (const sender of again) sender.destroy()
})

const SENT = 500
const slowFile = createLargeSarif(1000, 1)
const refusedSenders = new WeakSet<ClientRequest>()

/** Starts uploads that send only the beginning of their files. */
function startSlowly(key: string, count: number): Promise<ClientRequest[]> {
  const headers = { ...headersOf(key), 'content-length': String(slowFile.length) }
  const start = async () => {
    const sender = request(uploadUrl(), { method: 'POST', agent: false, headers })
    sender.on('error', () => {})
    sender.on('response', () => refusedSenders.add(sender))
    await new Promise<void>((resolve) => sender.write(slowFile.slice(0, SENT), () => resolve()))
    return sender
  }
  return Promise.all(Array.from({ length: count }, start))
}
