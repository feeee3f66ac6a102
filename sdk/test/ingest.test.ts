import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { EventWarning, IngestEvent, RejectedEvent } from '@scholiast/sdk'
import { connect, first, home, type Proxy, startProxy } from './service.ts'

/** Accepted by the service, and of no effect: nobody can see the use of a Learning that does not exist. */
function used(extra: object = {}): IngestEvent {
  return {
    id: randomUUID(),
    type: 'learning.used',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: {
      organization: { provider: 'github', id: home.org_id },
      repository: { id: first(home.repositories).repository_id },
      learning_ids: [randomUUID()],
      ...extra,
    },
  } as IngestEvent
}

function sentEvents({ requests }: Proxy): { id: string }[][] {
  return requests.map(({ headers, body }) => {
    assert.equal(headers['content-encoding'], 'gzip')
    return JSON.parse(gunzipSync(body).toString()) as { id: string }[]
  })
}

test('events are sent in compressed batches by number', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url }).ingest()
  const events = Array.from({ length: 1200 }, () => used())
  for (const event of events) await client.add(event)
  assert.deepEqual(await client.close(), { accepted: 1200, rejected: [] })
  const batches = sentEvents(proxy)
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [500, 500, 200],
  )
  assert.deepEqual(
    batches.flat().map(({ id }) => id),
    events.map(({ id }) => id),
  )
  await assert.rejects(client.add(used()), /closed/)
})

test('events are sent in batches by size, also if nobody waits', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url }).ingest()
  const added = Array.from({ length: 25 }, () => client.add(used({ note: 'x'.repeat(400_000) })))
  await Promise.all(added)
  assert.equal((await client.flush()).accepted, 25)
  assert.ok(proxy.requests.length >= 3)
  for (const { body } of proxy.requests) assert.ok(gunzipSync(body).length <= 4 * 1024 * 1024)
})

test('rejected events are reported with their number, and others are accepted', async () => {
  const reported: RejectedEvent[] = []
  const client = connect().ingest({ maxEvents: 2, onRejected: (rejected) => reported.push(rejected) })
  const invalid = { ...used(), type: 'unknown.kind' } as unknown as IngestEvent
  const large = used({ note: 'x'.repeat(5_000_000) })
  for (const event of [used(), used(), used(), invalid, large, used()]) await client.add(event)
  const { accepted, rejected } = await client.flush()
  assert.equal(accepted, 4)
  const byIndex = [...rejected].sort((a, b) => a.index - b.index)
  assert.deepEqual(
    byIndex.map(({ index, event, errors }) => [index, event, errors[0]?.code]),
    [
      [3, invalid, 'INVALID_REQUEST'],
      [4, large, 'PAYLOAD_TOO_LARGE'],
    ],
  )
  assert.equal(reported.length, 2)
  assert.deepEqual(await client.close(), { accepted: 0, rejected: [] }, 'a result is returned once')
})

test('warnings name the event', async () => {
  const warnings: EventWarning[] = []
  const client = connect().ingest({ onWarning: (warning) => warnings.push(warning) })
  const event = used()
  Object.assign(event.payload, { organization: { provider: 'GitHub', id: home.org_id } })
  await client.add(event)
  await client.close()
  assert.equal(warnings[0]?.event.id, event.id)
  assert.match(warnings[0]?.path ?? '', /provider/)
})

test('events survive a failure and are sent by the next flush', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url, retry: false }).ingest({ maxEvents: 2 })
  const events = Array.from({ length: 4 }, () => used())
  proxy.faults.push({ status: 503 })
  for (const event of events) await client.add(event)
  await assert.rejects(
    (async () => {
      proxy.faults.push({ status: 503 })
      await client.flush()
      await client.flush()
    })(),
    { status: 503 },
  )
  proxy.faults.splice(0)
  const { accepted } = await client.close()
  assert.equal(accepted, 4)
})

test('a batch whose response is lost is sent again', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push({ cut: 'after' }, { status: 503, headers: { 'retry-after': '1' } })
  const client = connect({ baseUrl: proxy.url }).ingest()
  await client.add(used())
  assert.equal((await client.close()).accepted, 1)
  const batches = sentEvents(proxy)
  assert.equal(batches.length, 3)
  assert.deepEqual(batches[0], batches[2])
})
