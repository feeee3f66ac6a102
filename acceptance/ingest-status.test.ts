import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { eventually, mergedOn, store } from './metrics-data.ts'
import { assertPage, call, demo, home, type KeyName } from './service.ts'
import { strict } from './windows.ts'

const path = '/v1/ingest/status'

type Status = {
  last_event_at: string | null
  queued: number | null
  lag_seconds: number | null
  parked: number
  dead_letters: number | null
}

function ask(key: KeyName, query = '', base?: string): Promise<Reply> {
  return call(path + query, { key: demo.keys[key], ...(base && { base }) })
}

async function read(key: KeyName, query = ''): Promise<Status> {
  const reply = await ask(key, query)
  assertPage(reply)
  const fields = ['last_event_at', 'queued', 'lag_seconds', 'parked', 'dead_letters']
  assert.deepEqual(Object.keys(reply.body as Status), fields)
  return reply.body as Status
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0

test('a workspace token sees the events of the root, and of an organization with org_id [P12-ingest-status-1]', async () => {
  const sentAt = Date.now()
  await store(mergedOn('2010-06-02'))
  const isRecent = async (query: string) => {
    const { last_event_at } = await read('workspace', query)
    return Date.parse(last_event_at ?? '') >= sentAt - 5000
  }
  await eventually('the root has a recent event', () => isRecent(''))
  await eventually('the organization has a recent event', () => isRecent(`?org_id=${home.org_id}`))
  const { queued, lag_seconds, parked, dead_letters } = await read('workspace')
  for (const count of [queued, lag_seconds, parked, dead_letters]) assert.ok(isCount(count), String(count))
  const { queued: hidden, lag_seconds: hiddenLag } = await read('workspace', `?org_id=${home.org_id}`)
  assert.deepEqual([hidden, hiddenLag], [null, null])
})

test('others see their organization, without the queue and the lag; all plans, Admins only [P12-ingest-status-2]', async () => {
  for (const key of ['user', 'organization', 'instance', 'other_tenant', 'lower_plan'] as const) {
    const { queued, lag_seconds, parked, dead_letters } = await read(key)
    assert.deepEqual([queued, lag_seconds], [null, null], key)
    assert.ok(isCount(parked))
    assert.ok(dead_letters === null || isCount(dead_letters))
  }
  assertError(await ask('legacy'), 410, 'LEGACY_API_KEY')
  assertError(await ask('agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await ask('workspace', '?org_id=1'), 404, 'ORGANIZATION_NOT_FOUND')
  assertError(await ask('workspace', '?limit=1'), 400, 'INVALID_REQUEST')
})

test('the event status allows 60 requests in 60 s [P12-ingest-status-2]', async () => {
  const reply = await ask('metrics_off', '', strict())
  assert.equal(reply.headers.get('ratelimit-policy'), '"ingest-status";q=60;w=60')
})
