import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { calendarOf, eventually, finalized, mergedOn, outcomeOf, send } from './metrics-data.ts'
import { call, demo } from './service.ts'
import { assertWindow, strict } from './windows.ts'

const path = '/ingest/v1/events/status'
const nextDay = calendarOf(2008)

function ask(body: unknown, key = demo.keys.ingest, base?: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  return call(path, { method: 'POST', key, headers, body: JSON.stringify(body), ...(base && { base }) })
}

async function statusesOf(ids: readonly string[], key = demo.keys.ingest): Promise<string[]> {
  const reply = await ask({ ids }, key)
  assert.equal(reply.status, 200, reply.text)
  const { data } = reply.body as { data: { id: string; status: string }[] }
  assert.deepEqual(Object.keys(reply.body as object), ['data'])
  assert.deepEqual(
    data.map(({ id }) => id),
    ids,
  )
  return data.map(({ status }) => status)
}

const becomes = (id: string, status: string) =>
  eventually(`${id} is ${status}`, async () => (await statusesOf([id]))[0] === status)

test('an event is stored once what it changes can be read; an id that never arrived is unknown [P16-events-status-2]', async () => {
  const pullRequest = mergedOn(nextDay())
  const events = [finalized(pullRequest), outcomeOf(pullRequest, 0, true)]
  const ids = events.map(({ id }) => id)
  await send(events)
  await eventually('both are stored', async () => (await statusesOf(ids)).every((one) => one === 'stored'))
  const never = randomUUID()
  assert.deepEqual(await statusesOf([never, ...ids, never]), ['unknown', 'stored', 'stored', 'unknown'])
})

test('an event whose id stands for another event is refused; sent again, the first is stored as before [P16-events-status-3]', async () => {
  const first = finalized(mergedOn(nextDay()))
  await send([first])
  await becomes(first.id, 'stored')
  await send([{ ...finalized(mergedOn(nextDay())), id: first.id }])
  await becomes(first.id, 'refused')
  await send([first])
  await becomes(first.id, 'stored')
})

test('an event of an unknown organization is parked [P16-events-status-4]', async () => {
  const stranger = finalized(
    mergedOn(nextDay(), { organization: { provider: 'github', id: `no-${randomUUID()}` } }),
  )
  await send([stranger])
  await becomes(stranger.id, 'parked')
})

test('a credential sees the events that were sent with it, and no others [P16-events-status-1]', async () => {
  const event = finalized(mergedOn(nextDay()))
  await send([event])
  await becomes(event.id, 'stored')
  for (const other of [demo.keys.ingest_instance, demo.keys.ingest_other_tenant])
    assert.deepEqual(await statusesOf([event.id], other), ['unknown'])
})

test('1 to 500 ids are asked for; API keys are 401, and other methods and bodies are refused [P16-events-status-1]', async () => {
  assert.equal((await statusesOf(Array.from({ length: 500 }, () => randomUUID()))).length, 500)
  const ids = Array.from({ length: 501 }, () => randomUUID())
  for (const body of [{ ids }, { ids: [] }, { ids: [''] }, { ids: [1] }, {}, [], { ids: ['a'], more: 1 }])
    assertError(await ask(body), 400, 'INVALID_REQUEST')
  assertError(await ask({ ids: ['a'] }, demo.keys.workspace), 401, 'UNAUTHORIZED')
  assertError(await ask({ ids: ['a'] }, 'x'), 401, 'UNAUTHORIZED')
  const text = await call(path, { method: 'POST', key: demo.keys.ingest, body: '{}' })
  assertError(text, 415, 'UNSUPPORTED_MEDIA_TYPE')
  assertError(await call(path, { key: demo.keys.ingest }), 405, 'METHOD_NOT_ALLOWED')
})

test('a credential may ask 600 times in 60 s [P16-events-status-5]', async () => {
  await assertWindow('"event-status";q=600;w=60', () => ask({ ids: ['a'] }, demo.keys.ingest, strict()))
})
