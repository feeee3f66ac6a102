import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { createBus } from '../../../test/bus.ts'
import { type CallOptions, startService, type TestResponse } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import {
  createCredential,
  createEvent,
  ingestSettings,
  probeKind,
  publishRevoked,
} from '../../../test/ingest.ts'
import { waitFor } from '../../../test/wait.ts'
import { keyKinds } from '../../access/key-format.ts'
import type { EventBatch } from '../../bus/ingest-event.ts'

const MIB = 1024 ** 2
const path = '/ingest/v1/events'
const json = { 'content-type': 'application/json' }
const lines = { 'content-type': 'application/x-ndjson' }

const post = (options: CallOptions): Promise<TestResponse> =>
  service.call(path, { key, method: 'POST', ...options })
const send = (events: unknown, options: CallOptions = {}) => post({ body: events, ...options })

const { database, tenant, use } = await openTenant()
const made = use(await createBus())
// Nobody takes the events, and large ones must not use up the share of the root for the tests after them.
await made.bus.manager.streams.update(made.bus.streamName('QUEUE'), { max_bytes: 256 * MIB })
const key = createCredential(tenant.ring, tenant.workspace.root).value
const service = use(
  startService(database, { ...ingestSettings(made), KEY_HEADER_ALIASES: 'x-alias' }, [], [probeKind]),
)
await publishRevoked(made.bus, [])
await waitFor('the endpoint accepts events', async () => (await send([createEvent()])).status === 202)

interface Receipt {
  readonly accepted: number
  readonly rejected: readonly { readonly index: number; readonly code: string; readonly message: string }[]
  readonly warnings: readonly { readonly index: number; readonly path: string; readonly message: string }[]
}

function receiptOf(answer: TestResponse): Receipt {
  assert.equal(answer.status, 202, answer.text)
  return answer.body as unknown as Receipt
}

async function refuses(status: number, code: string, options: CallOptions, about = ''): Promise<void> {
  const answer = await post(options)
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code], `${about} ${answer.text}`)
}

async function batches(): Promise<(EventBatch & { readonly subject: string })[]> {
  return (await made.messages('QUEUE')).map((message) => ({
    ...message.json<EventBatch>(),
    subject: message.subject,
  }))
}

const lastBatch = async () => (await batches()).at(-1) ?? assert.fail('the queue is empty')

test('an accepted event is in the queue under its root, reduced to what its kind keeps', async () => {
  const event = createEvent({ payload: { number: 7, level: 'unheard-of', more: { deep: [1] } } })
  const { accepted, rejected } = receiptOf(await send([{ ...event, comment: 'dropped' }]))
  assert.deepEqual({ accepted, rejected }, { accepted: 1, rejected: [] })
  const { subject, root, organizations, events } = await lastBatch()
  assert.match(subject, new RegExp(`^${made.prefix}\\.queue\\.${tenant.workspace.root}\\.\\d+$`))
  assert.deepEqual([root, organizations], [tenant.workspace.root, null])
  assert.deepEqual(events, [{ ...event, payload: { number: 7, level: null } }])
})

test('the message names the credential and the organizations it is for', async () => {
  const [{ id }] = tenant.instance.organizations
  const narrow = createCredential(tenant.ring, tenant.instance.root, { organizations: [id] })
  receiptOf(await send([createEvent()], { key: narrow.value }))
  const { root, credential, organizations } = await lastBatch()
  assert.deepEqual([root, credential, organizations], [tenant.instance.root, narrow.id, [id]])
})

test('anything but a valid ingest credential is the same 401, but the prefix of an API key names its kind', async () => {
  const expired = createCredential(tenant.ring, tenant.workspace.root, {
    expiresAt: new Date(Date.now() - 1000),
  })
  const stranger = [{ id: 'test', secret: createSecretKey(Buffer.alloc(32, 9)) }]
  const forged = createCredential(stranger, tenant.workspace.root)
  const none = await service.call(path, { method: 'POST', body: [createEvent()] })
  const values = ['', 'x', `${key}0`, key.slice(0, -1), expired.value, forged.value]
  for (const value of values) {
    const answer = await send([createEvent()], { key: value })
    assert.deepEqual([answer.status, answer.text], [401, none.text])
  }
  for (const kind of keyKinds) {
    const { value } = await tenant.createKey(kind)
    const answer = await send([createEvent()], { key: value })
    const mistyped = await send([createEvent()], { key: `${value}0` })
    assert.deepEqual([answer.status, answer.body.error?.code], [401, 'UNAUTHORIZED'])
    assert.match(answer.body.error?.message ?? '', new RegExp(`${kind}.+events need an ingest credential`))
    assert.equal(mistyped.text, answer.text)
  }
  assert.equal(none.body.error?.code, 'UNAUTHORIZED')
})

test('a credential counts in the alias of the key header too', async () => {
  const answer = await service.call(path, {
    method: 'POST',
    body: [createEvent()],
    headers: { 'x-alias': key },
  })
  assert.equal(receiptOf(answer).accepted, 1)
})

test('the credential is looked at first, then its end, then the query, then the body', async () => {
  const revoked = createCredential(tenant.ring, tenant.workspace.root)
  await publishRevoked(made.bus, [revoked.id])
  const isRefused = async () => (await send([createEvent()], { key: revoked.value })).status === 401
  await waitFor('the end is known', isRefused)
  const bad = { headers: { 'content-type': 'text/plain' }, payload: '{' }
  await refuses(401, 'UNAUTHORIZED', { ...bad, key: 'x' })
  await refuses(401, 'UNAUTHORIZED', { ...bad, key: revoked.value })
  const withQuery = await service.call(`${path}?dry_run=1`, { key, method: 'POST', ...bad })
  assert.deepEqual([withQuery.status, withQuery.body.error?.code], [400, 'INVALID_REQUEST'])
  await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', { ...bad, payload: 'x'.repeat(5 * MIB) })
  await refuses(413, 'PAYLOAD_TOO_LARGE', { headers: json, payload: `[${'x'.repeat(5 * MIB)}` })
})

test('a body is an array of JSON or one event a line, plain or gzip; anything else is 415', async () => {
  const events = [createEvent(), createEvent()]
  const text = events.map((event) => JSON.stringify(event)).join('\n')
  for (const options of [
    { headers: json, payload: JSON.stringify(events) },
    { headers: lines, payload: text },
    { headers: lines, payload: `${text.replace('\n', '\r\n\r\n')}\r\n` },
    { headers: { ...json, 'content-encoding': 'gzip' }, payload: gzipSync(JSON.stringify(events)) },
    { headers: { ...lines, 'content-encoding': 'gzip' }, payload: gzipSync(text) },
  ]) {
    assert.deepEqual(receiptOf(await post(options)), { accepted: 2, rejected: [], warnings: [] })
    assert.deepEqual(
      (await lastBatch()).events.map(({ id }) => id),
      events.map(({ id }) => id),
    )
  }
  for (const type of ['text/plain', 'application/jsonl', 'application/x-www-form-urlencoded', '']) {
    await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': type }, payload: text }, type)
  }
  await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', {
    headers: { ...json, 'content-encoding': 'br' },
    payload: '[]',
  })
})

test('a body that is malformed or cut off is 400, and nothing of it is taken', async () => {
  const whole = JSON.stringify(createEvent())
  const earlier = (await batches()).length
  for (const payload of ['', '[', '{}', 'null', `[${whole}`, `[${whole},]`, whole]) {
    await refuses(400, 'INVALID_REQUEST', { headers: json, payload }, payload)
  }
  for (const payload of [`${whole}\n{"id":`, `${whole}${whole}`, `[\n${whole}\n]`]) {
    await refuses(400, 'INVALID_REQUEST', { headers: lines, payload }, payload)
  }
  await refuses(400, 'INVALID_REQUEST', { headers: json, payload: Buffer.of(0x5b, 0x22, 0xff, 0x22, 0x5d) })
  assert.equal((await batches()).length, earlier)
})

test('1 to 500 events are taken, and 4 MiB after inflating', async () => {
  const many = Array.from({ length: 501 }, () => createEvent())
  const text = (events: unknown[]) => events.map((event) => JSON.stringify(event)).join('\n')
  assert.equal(receiptOf(await send(many.slice(0, 500))).accepted, 500)
  await refuses(400, 'BATCH_SIZE_EXCEEDED', { body: many })
  await refuses(400, 'BATCH_SIZE_EXCEEDED', { headers: lines, payload: text(many) })
  await refuses(400, 'INVALID_REQUEST', { body: [] })
  await refuses(400, 'INVALID_REQUEST', { headers: lines, payload: '\n \n' })
  const large = gzipSync(
    JSON.stringify(Array.from({ length: 9 }, () => createEvent({ payload: longer(MIB / 2) }))),
  )
  await refuses(413, 'PAYLOAD_TOO_LARGE', {
    headers: { ...json, 'content-encoding': 'gzip' },
    payload: large,
  })
})

const longer = (length: number) => ({ number: 1, text: 'x'.repeat(length) })

test('an event of 512 KiB is taken, one of a byte more is rejected, whatever is in it', async () => {
  const minLength = JSON.stringify(createEvent({ payload: longer(0) })).length
  const largest = createEvent({ payload: longer(512 * 1024 - minLength) })
  const larger = createEvent({ payload: longer(512 * 1024 - minLength + 1) })
  const padded = createEvent({ payload: { number: 1, unknown: 'é'.repeat(256 * 1024) } })
  const { accepted, rejected } = receiptOf(await send([largest, larger, padded]))
  assert.equal(accepted, 1)
  assert.deepEqual(
    rejected.map(({ index, code }) => [index, code]),
    [
      [1, 'PAYLOAD_TOO_LARGE'],
      [2, 'PAYLOAD_TOO_LARGE'],
    ],
  )
  for (const { message } of rejected) {
    assert.match(message, /at most 512 KiB.+The largest field is payload\.(?:text|unknown) with 5\d\d KiB/)
    assert.match(message, /Leave out.+cannot be sent in parts/)
  }
  assert.deepEqual((await lastBatch()).events, [
    { ...largest, payload: { ...longer(512 * 1024 - minLength), level: null } },
  ])
})

test('a message carries 512 KiB of events at most, and none is lost between two', async () => {
  const earlier = (await batches()).length
  const events = Array.from({ length: 40 }, () => createEvent({ payload: longer(100_000) }))
  assert.equal(receiptOf(await send(events)).accepted, 40)
  const stored = await made.messages('QUEUE')
  const added = (await batches()).slice(earlier)
  assert.ok(added.length >= 8)
  assert.ok(stored.every(({ data }) => data.length <= 513 * 1024 + 300))
  assert.deepEqual(
    added.flatMap((batch) => batch.events.map(({ id }) => id)),
    events.map(({ id }) => id),
  )
})

test('each event is checked on its own, and the valid ones are accepted', async () => {
  const good = createEvent()
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [null, /object/],
    ['text', /object/],
    [[good], /object/],
    [{}, /has no type\. Send, for example, "type": "probe\.done"/],
    [{ ...good, type: 'probe.undone' }, /event type is unknown\. Did you mean probe\.done\?/],
    [{ ...good, type: 'elsewhere' }, /event type is unknown\. GET/],
    [{ ...good, type: 5 }, /type must be a text/],
    [{ ...good, version: 2 }, /version is unknown\. Known versions of probe\.done: 1\./],
    [{ ...good, version: '1' }, /version must be a number, not a text\. Send "version": 1\./],
    [{ ...good, version: null }, /version must be a number/],
    [{ ...good, version: undefined }, /has no version\. Send "version": 1\./],
    [{ ...good, id: '' }, /id must be one line of text of 1 to 128/],
    [{ ...good, id: 'x'.repeat(129) }, /id must be one line of text of 1 to 128/],
    [{ ...good, id: undefined }, /id is required/],
    [{ ...good, occurred_at: undefined, occurredAt: good.occurred_at }, /Did you mean occurred_at\?/],
    [{ ...good, occurred_at: '2026-02-30T00:00:00Z' }, /occurred_at/],
    [{ ...good, occurred_at: '1969-12-31T23:59:59Z' }, /1970/],
    [{ ...good, payload: { number: 'secret' } }, /payload\.number must be an integer/],
    [{ ...good, payload: null }, /payload/],
    [{ ...good, more: 'a\0b' }, /NUL/],
    [{ ...good, payload: { number: 1, '\ud800': 1 } }, /surrogate/],
    [{ ...good, more: nested(65) }, /nested/],
  ]
  const { accepted, rejected } = receiptOf(await send([good, ...bad.map(([event]) => event), good]))
  assert.equal(accepted, 2)
  assert.deepEqual(
    rejected.map(({ index }) => index),
    bad.map((_, index) => index + 1),
  )
  for (const [index, [, message]] of bad.entries()) {
    assert.equal(rejected[index]?.code, 'INVALID_REQUEST')
    assert.match(rejected[index]?.message ?? '', message)
    assert.doesNotMatch(rejected[index]?.message ?? '', /secret/)
  }
})

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)]
}

test('an accepted event has warnings for ignored fields that look like known ones', async () => {
  const events = [
    createEvent({ payload: { number: 1, Level: 'high', texts: 'a', unrelated: 1 } }),
    { ...createEvent(), occured_at: 'an extra, because the field itself is there' },
    createEvent({
      payload: { number: 1, ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`leve${i}`, 1])) },
    }),
  ]
  const { accepted, warnings } = receiptOf(await send(events))
  assert.equal(accepted, 3)
  assert.deepEqual(
    warnings.slice(0, 3).map((warning) => [warning.index, warning.path]),
    [
      [0, 'payload.Level'],
      [0, 'payload.texts'],
      [2, 'payload.leve0'],
    ],
  )
  assert.match(warnings[0]?.message ?? '', /"Level" is not in the schema.+Did you mean level\?/)
})

test('warnings are limited, whatever is sent', async () => {
  const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`level${i % 10}${i}`, 1]))
  const misspelled = Object.fromEntries(
    ['levels', 'Level', 'le_vel', 'lvel', 'leevel'].map((name) => [name, 1]),
  )
  const events = Array.from({ length: 60 }, () =>
    createEvent({ payload: { number: 1, ...misspelled, ...fields } }),
  )
  const { accepted, warnings } = receiptOf(await send(events.slice(0, 40)))
  assert.deepEqual([accepted, warnings.length], [40, 100])
})

test('a request without a valid event is 202 too', async () => {
  const earlier = (await batches()).length
  const { accepted, rejected } = receiptOf(await send([{}, { ...createEvent(), version: 9 }]))
  assert.deepEqual([accepted, rejected.length], [0, 2])
  assert.equal((await batches()).length, earlier)
})

test('a time that is more than 5 minutes ahead is cut to now, any other is kept in UTC', async () => {
  const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const times = ['2025-03-01T12:00:00+02:00', ahead(4), ahead(6), '9999-12-31T23:59:59-12:00']
  receiptOf(await send(times.map((occurred_at) => createEvent({ occurred_at }))))
  const storedTimes = (await lastBatch()).events.map((event) => event.occurred_at)
  assert.deepEqual(storedTimes.slice(0, 2), ['2025-03-01T10:00:00.000Z', times[1]])
  for (const time of storedTimes.slice(2)) assert.ok(Math.abs(Date.parse(time) - Date.now()) < 10_000)
})

test('another method is 405, and every answer has its request id', async () => {
  const answer = await service.call(path, { key })
  assert.deepEqual([answer.status, answer.headers['allow']], [405, 'POST'])
  const taken = await send([createEvent()], { headers: { 'x-request-id': 'mine' } })
  assert.equal(taken.headers['x-request-id'], 'mine')
})

test('accepting or rejecting an event sends no statement to PostgreSQL [P2-ingest-2]', async () => {
  const superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  // With every connection ended and no other allowed, a statement could only fail.
  await superuser.query(`alter database ${database.name} connection limit 0`)
  await superuser.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  for (let turn = 0; turn < 20; turn++) {
    assert.equal(receiptOf(await send([createEvent(), {}])).accepted, 1)
    await refuses(401, 'UNAUTHORIZED', { key: 'x', body: [] })
    await refuses(400, 'INVALID_REQUEST', { body: [] })
  }
  await superuser.query(`alter database ${database.name} connection limit -1`)
  await superuser.end()
})
