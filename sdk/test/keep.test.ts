import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { IngestEvent } from '@scholiast/sdk'
import { openEventFile } from '@scholiast/sdk/event-file'
import { connect, first, home, startProxy } from './service.ts'

function used(id: string = randomUUID(), extra: object = {}): IngestEvent {
  return {
    id,
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

async function createPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scholiast-events-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'events.jsonl')
}

const isEventsPath = ({ url }: { readonly url: string }) => url === '/ingest/v1/events'
/** What the service answers, from a queue that loses the events. */
const lost = (accepted: number) => ({
  status: 202,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ accepted, rejected: [], warnings: [] }),
})

const unavailable = { status: 503, headers: { 'content-type': 'application/json' }, body: '{}' }

test('events are kept until they are stored, and the file is empty then', async (t) => {
  const keep = await openEventFile(await createPath(t))
  const events = connect().ingest({ keep })
  for (let count = 0; count < 30; count += 1) await events.add(used())
  assert.ok(keep.bytes > 30 * 100)
  assert.equal(await events.settle(), 0)
  assert.equal(keep.bytes, 0)
  assert.deepEqual(await events.close(), { accepted: 30, rejected: [] })
  await keep.close()
})

test('an event that was accepted and lost is sent again; without keep it stays lost', async (t) => {
  const proxy = await startProxy(t)
  const client = connect({ baseUrl: proxy.url })
  const status = (id: string) =>
    connect()
      .post('/ingest/v1/events/status', { body: { ids: [id] } })
      .then(({ data }) => data[0]?.status)
  proxy.faults.push(lost(1), lost(1))
  const forgotten = used()
  const plain = client.ingest()
  await plain.add(forgotten)
  assert.deepEqual(await plain.close(), { accepted: 1, rejected: [] })

  const keep = await openEventFile(await createPath(t))
  const events = client.ingest({ keep, resendAfterMs: 200 })
  const kept = used()
  await events.add(kept)
  assert.equal((await events.flush()).accepted, 1)
  assert.equal(await events.settle(), 0)
  assert.equal(await status(kept.id), 'stored')
  assert.equal(await status(forgotten.id), 'unknown')
  assert.equal(proxy.requests.filter(isEventsPath).length, 3)
  await keep.close()
})

test('what a process could not send is sent by the next one, also after a line that was cut off', async (t) => {
  const path = await createPath(t)
  const before = await openEventFile(path)
  const ended = connect({ baseUrl: 'http://127.0.0.1:1', retry: false }).ingest({ keep: before })
  const events = [used(), used()]
  for (const event of events) await ended.add(event)
  await assert.rejects(ended.flush())
  await before.close()
  await appendFile(path, '{"id":"cut of')

  const keep = await openEventFile(path)
  assert.deepEqual(keep.events, events)
  const next = connect().ingest({ keep })
  assert.equal(await next.settle(), 0)
  assert.deepEqual(await next.close(), { accepted: 2, rejected: [] })
  await keep.close()
  assert.deepEqual((await openEventFile(path)).events, [])
})

test('rejected and refused events are kept no longer, and are reported', async (t) => {
  const keep = await openEventFile(await createPath(t))
  const refused: string[] = []
  const events = connect().ingest({ keep, onRefused: ({ id }) => refused.push(id) })
  const id = randomUUID()
  await events.add(used(id))
  assert.equal(await events.settle(), 0)
  await events.add(used(id))
  await events.add({ ...used(), type: 'unknown.kind' } as unknown as IngestEvent)
  const { accepted, rejected } = await events.flush()
  assert.deepEqual([accepted, rejected.length], [2, 1])
  // The first event with the id is stored, so its status changes when the second one is handled.
  assert.equal(await events.settle(), 0)
  assert.equal(keep.bytes, 0)
  await keep.close()
})

test('a full file takes no more events, and keeps its size while events come and go', async (t) => {
  const path = await createPath(t)
  const large = () => used(randomUUID(), { note: 'x'.repeat(100_000) })
  const keep = await openEventFile(path, { maxBytes: 1_500_000 })
  const cut = connect({ baseUrl: 'http://127.0.0.1:1', retry: false }).ingest({ keep })
  await assert.rejects(async () => {
    for (let count = 0; count < 30; count += 1) await cut.add(large())
  }, /no room to keep another event/)
  assert.ok(keep.bytes > 1_300_000 && keep.bytes <= 1_500_000)
  await keep.close()

  const again = await openEventFile(path, { maxBytes: 1_500_000 })
  const events = connect().ingest({ keep: again })
  for (let round = 0; round < 6; round += 1) {
    assert.equal(await events.settle(), 0)
    for (let count = 0; count < 10; count += 1) await events.add(large())
    assert.ok((await stat(path)).size <= 3_000_000, `round ${round}`)
  }
  assert.equal(await events.settle(), 0)
  assert.ok((await readFile(path, 'utf8')).split('\n').length < 100)
  await again.close()
})

test('settle outlasts a service that is away, and reports at once what will not pass', async (t) => {
  const proxy = await startProxy(t)
  const keep = await openEventFile(await createPath(t))
  const events = connect({ baseUrl: proxy.url, retry: false }).ingest({ keep })
  await events.add(used())
  proxy.faults.push(unavailable, unavailable)
  assert.equal(await events.settle(), 0)
  assert.equal(proxy.faults.length, 0)
  await keep.close()

  const other = await openEventFile(await createPath(t))
  const refused = connect({ ingestKey: 'sch_ing_revoked' }).ingest({ keep: other })
  await refused.add(used())
  const started = Date.now()
  await assert.rejects(refused.settle(), { status: 401 })
  assert.ok(Date.now() - started < 30_000)
  await other.close()
})

test('without keep, nothing can be settled', async () => {
  await assert.rejects(connect().ingest().settle(), /"keep"/)
})
