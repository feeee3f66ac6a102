import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Change, IngestEvent } from '@scholiast/sdk'
import { collect, connect, first, home, startProxy } from './service.ts'

const path = '/v1/metrics/review-comments/changes'

function finalized(number: number): IngestEvent {
  const url = `https://github.com/meridian-platform/booking-api/pull/${number}`
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    type: 'pull_request.finalized',
    version: 1,
    occurred_at: now,
    payload: {
      organization: { provider: 'github', id: home.org_id },
      repository: { id: first(home.repositories).repository_id },
      number,
      url,
      status: 'merged',
      merged_at: now,
      findings: [{ id: randomUUID(), url: `${url}#discussion_r1`, severity: 'minor' }],
    },
  }
}

test('batches are the whole feed, each with the cursor after it', async () => {
  const client = connect()
  const all = await collect(client.items(path))
  const limit = Math.ceil(all.length / 3)
  const batches = await collect(client.changes({ query: { limit } }))
  assert.ok(batches.length >= 3)
  const changes = batches.flatMap((batch) => batch.changes)
  assert.deepEqual(changes.slice(0, all.length), all)

  const resumed = await collect(client.changes({ query: { limit }, cursor: first(batches).cursor }))
  assert.deepEqual(
    resumed.flatMap((batch) => batch.changes).slice(0, all.length - limit),
    all.slice(limit),
    'the cursor of a batch continues after it',
  )
})

test('a follower gets what is written later, and stops with its signal', async () => {
  const client = connect()
  let cursor: string | undefined
  for await (const batch of client.changes()) cursor = batch.cursor
  const number = 1_000_000 + Math.floor(Math.random() * 1_000_000_000)
  const events = client.ingest()
  await events.add(finalized(number))
  assert.deepEqual(await events.close(), { accepted: 1, rejected: [] })

  const reason = new Error('stop')
  const controller = new AbortController()
  const found: Change[] = []
  const follow = async () => {
    for await (const batch of client.changes({ cursor, follow: { pollMs: 50 }, signal: controller.signal })) {
      found.push(...batch.changes.filter((change) => change.number === number))
      if (found.length > 0) controller.abort(reason)
    }
  }
  await assert.rejects(follow(), reason)
  assert.equal(found[0]?.kind, 'written')
})

test('a batch that breaks off is requested again', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push({ cut: 'after' })
  const expected = await collect(connect().changes())
  const batches = await collect(connect({ baseUrl: proxy.url }).changes())
  assert.ok(proxy.requests.length > batches.length)
  const count = first(expected).changes.length
  assert.deepEqual(first(batches).changes.slice(0, count), first(expected).changes)
})
