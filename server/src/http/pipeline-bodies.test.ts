import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { startService, type TestResponse } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { organizations } from '../resources/organizations/route.ts'
import { closed } from '../shape.ts'
import type { Endpoint } from './endpoint.ts'
import { ok } from './reply.ts'

const MIB = 1024 * 1024
const json = { 'content-type': 'application/json' }
const gzip = { ...json, 'content-encoding': 'gzip' }

const Body = Type.Object(
  {
    mode: Type.Optional(Type.Union([Type.Literal('automatic'), Type.Literal('manual')])),
    count: Type.Optional(Type.Integer()),
    flag: Type.Optional(Type.Boolean()),
    text: Type.Optional(Type.String()),
    list: Type.Optional(Type.Array(Type.Object({ id: Type.String() }, closed), { maxItems: 3 })),
    any: Type.Optional(Type.Unknown()),
  },
  closed,
)

function probe(method: 'POST' | 'PATCH' | 'DELETE', body: typeof Body | null): Endpoint {
  return {
    ...organizations,
    method,
    path: body ? '/v1/echo' : '/v1/bodiless',
    operationId: `${method} ${body ? 'echo' : 'bodiless'}`,
    organization: 'whole',
    query: Type.Object({}, closed),
    body,
    paging: null,
    replies: {},
    run: (_, input) => Promise.resolve(ok({ received: input.body ?? null })),
  }
}

const { database, tenant, use } = await openTenant()
const probes = [probe('POST', Body), probe('PATCH', Body), probe('DELETE', null)]
const service = use(startService(database, { LIMIT_ORGANIZATIONS: 'off' }, probes))
const key = (await tenant.createKey('user')).value

function send(
  payload: string | Buffer,
  headers: Record<string, string> = json,
  as = key,
): Promise<TestResponse> {
  return service.call('/v1/echo', { key: as, method: 'POST', headers, payload })
}
const received = (answer: TestResponse) => {
  assert.equal(answer.status, 200, answer.text)
  return (answer.body as unknown as { received: unknown }).received
}
async function refuses(status: number, code: string, ...sent: Parameters<typeof send>): Promise<void> {
  const answer = await send(...sent)
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code], String(sent[0]).slice(0, 80))
}

test('a JSON body is handed on as it was sent', async () => {
  const body = {
    mode: 'manual',
    count: -3,
    flag: false,
    text: ' é\n😀 ',
    list: [{ id: '' }],
    any: { a: [null, 1.5] },
  }
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
  ]) {
    assert.deepEqual(received(await send(JSON.stringify(body), { 'content-type': type })), body)
  }
  const patched = await service.call('/v1/echo', { key, method: 'PATCH', body })
  assert.deepEqual(received(patched), body)
})

test('a content type other than JSON is 415, and so is a body without one [P1-bodies-2 P1-code-25]', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ]) {
    await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', '{}', { 'content-type': type })
  }
  for (const type of ['application/json-patch+json', 'application/jsonx', 'application', 'json', '']) {
    await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', '{}', { 'content-type': type })
  }
  await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', '{}', {})
})

test('a body of which every field is optional may be left out', async () => {
  const without = await service.call('/v1/echo', { key, method: 'POST' })
  assert.deepEqual(received(without), {})
  await refuses(400, 'INVALID_REQUEST', '')
})

test('a body of 4 MiB is taken and one byte more is 413 [P1-bodies-1 P1-code-24]', async () => {
  const room = 4 * MIB - JSON.stringify({ text: '' }).length
  const largest = JSON.stringify({ text: 'x'.repeat(room) })
  assert.equal(Buffer.byteLength(largest), 4 * MIB)
  assert.equal((await send(largest)).status, 200)
  await refuses(413, 'PAYLOAD_TOO_LARGE', `${largest} `)
  await refuses(413, 'PAYLOAD_TOO_LARGE', JSON.stringify({ text: 'é'.repeat(room / 2 + 1) }))
})

test('a gzip body is inflated, and 4 MiB count what it inflates to [P1-bodies-1]', async () => {
  const body = { text: 'x'.repeat(3 * MIB) }
  assert.deepEqual(received(await send(gzipSync(JSON.stringify(body)), gzip)), body)
  await refuses(413, 'PAYLOAD_TOO_LARGE', gzipSync(JSON.stringify({ text: 'x'.repeat(4 * MIB) })), gzip)
})

test('a gzip bomb is 413 before it has grown', async () => {
  const bomb = gzipSync(Buffer.alloc(128 * MIB, 0x20))
  assert.ok(bomb.length < MIB)
  const atFirst = process.memoryUsage().rss
  await refuses(413, 'PAYLOAD_TOO_LARGE', bomb, gzip)
  assert.ok(process.memoryUsage().rss - atFirst < 64 * MIB)
})

test('a body in two gzip members counts as one, and so does its size', async () => {
  const parts = [gzipSync('{"text":"'), gzipSync('x'.repeat(100)), gzipSync('"}')]
  assert.deepEqual(received(await send(Buffer.concat(parts), gzip)), { text: 'x'.repeat(100) })
  const large = Array.from({ length: 5 }, () => gzipSync('x'.repeat(MIB)))
  await refuses(413, 'PAYLOAD_TOO_LARGE', Buffer.concat(large), gzip)
})

test('a body that is not the gzip it says is 400, and any other encoding is 415', async () => {
  const whole = gzipSync('{"count":1}')
  for (const bytes of ['{"count":1}', whole.subarray(0, -4), whole.subarray(0, 5), Buffer.alloc(0)]) {
    await refuses(400, 'INVALID_REQUEST', bytes, gzip)
  }
  for (const [encoding, bytes] of [
    ['br', brotliCompressSync('{}')],
    ['deflate', deflateSync('{}')],
    ['gzip, gzip', gzipSync(gzipSync('{}'))],
    ['zstd', '{}'],
    ['', '{}'],
  ] as const) {
    await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', bytes, { ...json, 'content-encoding': encoding })
  }
  assert.deepEqual(received(await send('{"count":1}', { ...json, 'content-encoding': 'identity' })), {
    count: 1,
  })
})

test('malformed JSON is 400 [P1-bodies-3]', async () => {
  const malformed = [
    '',
    ' ',
    '{',
    '{"count":1',
    '{"count":1}}',
    "{'count':1}",
    '{count:1}',
    '{"count":1,}',
    '{"count":01}',
  ]
  for (const text of [
    ...malformed,
    '{"count":+1}',
    '{"count":NaN}',
    '{"text":"\u0001"}',
    '// c\n{}',
    'undefined',
    '[1,2',
  ]) {
    await refuses(400, 'INVALID_REQUEST', text)
  }
})

test('a body that is not UTF-8 is 400, not read with replacement characters', async () => {
  for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    const payload = Buffer.concat([Buffer.from('{"text":"'), Buffer.from(bytes), Buffer.from('"}')])
    await refuses(400, 'INVALID_REQUEST', payload)
  }
  await refuses(400, 'INVALID_REQUEST', Buffer.from('{"text":"x"}', 'utf16le'))
})

test('unknown body fields are 400, at every level [P1-shape-2]', async () => {
  for (const body of [
    { other: 1 },
    { Mode: 'manual' },
    { list: [{ id: '1', other: 1 }] },
    { '': 1 },
    { 'a.b': 1 },
  ]) {
    await refuses(400, 'INVALID_REQUEST', JSON.stringify(body))
  }
  await refuses(400, 'INVALID_REQUEST', '{"__proto__":{"mode":"manual"}}')
  await refuses(400, 'INVALID_REQUEST', '{"list":[{"id":"1","constructor":null}]}')
  assert.equal(({} as { mode?: unknown }).mode, undefined)
})

test('a value of another type is 400, never coerced [P1-shape-3]', async () => {
  const wrong = [
    { count: '1' },
    { count: 1.5 },
    { count: null },
    { count: true },
    { flag: 'true' },
    { flag: 0 },
    { text: 5 },
    { list: { id: '1' } },
    { list: ['1'] },
    { list: [{ id: 1 }] },
    { list: [{}] },
    { mode: 'MANUAL' },
    { mode: ['manual'] },
  ]
  for (const body of wrong) await refuses(400, 'INVALID_REQUEST', JSON.stringify(body))
  for (const text of ['[]', '"text"', '5', 'null', 'true']) await refuses(400, 'INVALID_REQUEST', text)
})

test('NUL, half a surrogate pair and nesting deeper than 64 are 400, wherever they are [P1-shape-11 P1-shape-12]', async () => {
  for (const text of ['\\u0000', '\\ud800', '\\udc00x', 'a\\u0000b']) {
    await refuses(400, 'INVALID_REQUEST', `{"text":"${text}"}`)
    await refuses(400, 'INVALID_REQUEST', `{"any":{"${text}":[{"a":"b"}]}}`)
    await refuses(400, 'INVALID_REQUEST', `{"any":[["${text}"]]}`)
  }
  const nested = (levels: number) => `{"any":${'['.repeat(levels)}${']'.repeat(levels)}}`
  assert.equal((await send(nested(63))).status, 200)
  await refuses(400, 'INVALID_REQUEST', nested(64))
  await refuses(400, 'INVALID_REQUEST', nested(10_000))
  await refuses(400, 'INVALID_REQUEST', `{"any":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`)
  await refuses(400, 'INVALID_REQUEST', `{"any":${'['.repeat(1_000_000)}`)
})

test('the key, its kind and its owner are looked at before the body [P1-order-4]', async () => {
  const bad = [{ 'content-type': 'text/plain' }, gzip, json]
  const [legacy, demoted, expired] = await Promise.all([
    tenant.createKey('legacy'),
    tenant.createKey('workspace', { demotedOwner: true }),
    tenant.createKey('user', { expired: true }),
  ])
  for (const headers of bad) {
    await refuses(401, 'UNAUTHORIZED', '{', headers, 'x')
    await refuses(401, 'UNAUTHORIZED', '{', headers, expired.value)
    await refuses(410, 'LEGACY_API_KEY', '{', headers, legacy.value)
    await refuses(403, 'OWNER_NOT_ADMIN', '{', headers, demoted.value)
  }
  await refuses(401, 'UNAUTHORIZED', 'x'.repeat(5 * MIB), json, 'x')
  await refuses(401, 'UNAUTHORIZED', '{}', { 'content-type': 'nonsense' }, 'x')
})

test('the shape of a body is 400 before the plan and the permission are 403 [P1-order-4]', async () => {
  const [lower, powerless] = await Promise.all([
    tenant.createKey('user', { of: 'lower' }),
    tenant.createKey('user', { permissions: [] }),
  ])
  for (const { value } of [lower, powerless]) {
    await refuses(400, 'INVALID_REQUEST', '{', json, value)
    await refuses(400, 'INVALID_REQUEST', '{"other":1}', json, value)
    await refuses(415, 'UNSUPPORTED_MEDIA_TYPE', '{}', { 'content-type': 'text/plain' }, value)
    assert.equal((await send('{}', json, value)).status, 403)
  }
})

test('an endpoint without a body does not mind that there is none', async () => {
  assert.equal((await service.call('/v1/bodiless', { key, method: 'DELETE' })).status, 200)
})
