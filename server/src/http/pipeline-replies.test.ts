import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { startService, type TestResponse, type TestService } from '../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { createTenant, type Tenant, type TestOrganization } from '../../test/tenant.ts'
import { statement } from '../db/connect.ts'
import { refuse } from '../errors.ts'
import { deactivateOrganization } from '../resources/organizations/manage.ts'
import { organizations } from '../resources/organizations/route.ts'
import { closed } from '../shape.ts'
import type { Endpoint, RequestContext } from './endpoint.ts'
import { JSON_TYPE, ok, type Reply } from './reply.ts'

const limited = (maximum: number) =>
  Type.Object(
    {
      org_id: Type.Optional(Type.String()),
      first: Type.Optional(Type.String()),
      last: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer({ maximum })),
    },
    closed,
  )

const { readsWithAdmission: _, ...plainRead } = organizations
const selectOne = statement('test.one', 'select 1')

/** A read of the test's own. The tests lift the limit "seats", so it has none unless it names another. */
function probe(path: `/${string}`, over: Partial<Endpoint>): Endpoint {
  return {
    ...plainRead,
    path,
    operationId: path,
    organization: 'optional',
    limit: 'seats',
    query: limited(10),
    paging: null,
    replies: {},
    ...over,
  }
}

const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text))
const inChunks = (...texts: string[]): Reply => ({
  status: 200,
  body: { chunks: bytes(...texts), type: 'text/x' },
})

async function* streamChunks(
  texts: readonly string[],
  end: () => void = () => {},
): AsyncGenerator<Buffer, void> {
  for (const text of texts) {
    await new Promise(setImmediate)
    yield Buffer.from(text)
  }
  end()
}
const inStream = (texts: readonly string[], end?: () => void): Reply => ({
  status: 200,
  body: { stream: streamChunks(texts, end), type: 'text/x' },
})

/** Work that is done outside of the request's transaction, so that nothing undoes it. */
let doneOutside = 0
const batches = { first: 0, second: 0 }
const contexts: RequestContext[] = []
const zippedTexts = Array.from({ length: 50 }, (__, index) => `${index}`.repeat(40_000))
let released = 0

const probes = [
  probe('/v1/refined', {
    checks: {
      input: ({ query }) => {
        const { first = '', last = '' } = query as { first?: string; last?: string }
        if (last < first) refuse('INVALID_REQUEST', 'last is before first')
      },
    },
    run: () => Promise.resolve(ok({})),
  }),
  probe('/v1/lines', {
    paging: { defaultLimit: 10, limitInCursor: false, boundBy: [], maxNdjsonLimit: 1000 },
    run: ({ ndjson }) => Promise.resolve(ok({ lines: ndjson })),
  }),
  probe('/v1/plain', { run: ({ ndjson }) => Promise.resolve(ok({ lines: ndjson })) }),
  probe('/v1/waiting', {
    limit: 'keys',
    run: () => {
      doneOutside += 1
      return Promise.resolve(ok({}))
    },
  }),
  probe('/v1/not-waiting', {
    limit: 'keys',
    readsWithAdmission: true,
    async run({ tx }) {
      await tx.query(selectOne, [])
      batches.first += 1
      await tx.query(selectOne, [])
      batches.second += 1
      return ok({})
    },
  }),
  probe('/v1/written', { method: 'POST', limit: 'keys', run: () => Promise.resolve(ok({})) }),
  ...([true, undefined] as const).map((metrics) =>
    probe(metrics ? '/v1/measured' : '/v1/unmeasured', {
      ...(metrics && { readsMetrics: metrics }),
      run(context) {
        contexts.push(context)
        return Promise.resolve(ok({}))
      },
    }),
  ),
  probe('/v1/chunks', { limit: 'organizations', run: () => Promise.resolve(inChunks('a', '', 'é', 'z')) }),
  probe('/v1/no-chunks', { run: () => Promise.resolve(inChunks()) }),
  probe('/v1/many-chunks', {
    run: () => Promise.resolve(inChunks(...Array.from({ length: 200 }, () => 'x'.repeat(64 * 1024)))),
  }),
  probe('/v1/full', { maxReplyBytes: 4, run: () => Promise.resolve(inChunks('éé')) }),
  probe('/v1/too-full', { maxReplyBytes: 4, run: () => Promise.resolve(inChunks('éé', 'x')) }),
  probe('/v1/stream', {
    limit: 'organizations',
    maxReplyBytes: 4,
    run: () => Promise.resolve(inStream(['one\n', 'two\n', 'é\n'])),
  }),
  probe('/v1/empty-stream', { run: () => Promise.resolve(inStream([])) }),
  probe('/v1/refused-stream', {
    run: () =>
      Promise.resolve(inStream([], () => refuse('METRICS_PREPARING', 'wait', { 'retry-after': '7' }))),
  }),
  probe('/v1/broken-stream', {
    run: () =>
      Promise.resolve(
        inStream([], () => {
          throw new Error('the password is hunter2')
        }),
      ),
  }),
  probe('/v1/zipped', {
    run: () =>
      Promise.resolve({
        status: 200,
        body: { chunks: bytes(...zippedTexts), type: JSON_TYPE, release: () => void released++ },
      }),
  }),
  probe('/v1/cut-zipped', {
    run: () =>
      Promise.resolve({
        status: 200,
        body: {
          stream: streamChunks(zippedTexts, () => refuse('METRICS_PREPARING', 'too late')),
          type: JSON_TYPE,
        },
      }),
  }),
  probe('/v1/cut-stream', {
    run: () => Promise.resolve(inStream(['half of '], () => refuse('METRICS_PREPARING', 'too late'))),
  }),
]

let database: TestDatabase
let tenant: Tenant
let service: TestService
let key: string

before(async () => {
  database = await createDatabase()
  tenant = await createTenant(database)
  key = (await tenant.createKey('workspace')).value
  const settings = { LIMIT_SEATS: 'off', LIMIT_KEYS: '1/3600', LIMIT_ORGANIZATIONS: '1000/60' }
  service = startService(database, settings, probes)
})
after(async () => {
  await Promise.all([service.stop(), tenant.close()])
  await database.drop()
})

const get = (url: string, headers: Record<string, string> = {}) => service.call(url, { key, headers })
const codeOf = ({ status, body }: TestResponse) => `${status} ${body.error?.code ?? 'none'}`

function twoOrganizations(): [TestOrganization, TestOrganization] {
  const [first, second] = tenant.workspace.organizations
  return [first, second ?? assert.fail('there is no second organization')]
}

test('what an endpoint says beyond its shapes is refused with them, before the organization is selected', async () => {
  assert.equal(codeOf(await get('/v1/refined?first=1&last=2')), '200 none')
  assert.equal(codeOf(await get('/v1/refined?first=2&last=1')), '400 INVALID_REQUEST')
  assert.equal(codeOf(await get('/v1/refined?first=2&last=1&org_id=nobody')), '400 INVALID_REQUEST')
  assert.equal(codeOf(await get('/v1/refined?first=1&last=2&org_id=nobody')), '404 ORGANIZATION_NOT_FOUND')
})

test('a caller who names application/x-ndjson before application/json is answered in lines', async () => {
  const linesFor = async (accept: string) => (await get('/v1/lines', { accept })).body['lines']
  for (const accept of [
    'application/x-ndjson',
    'Application/X-NDJSON',
    'application/x-ndjson; charset=utf-8',
    'text/html, application/x-ndjson;q=0.9, application/json',
    ' application/x-ndjson ,*/*',
  ]) {
    assert.equal(await linesFor(accept), true, accept)
  }
  for (const accept of [
    '',
    '*/*',
    'application/*',
    'application/json',
    'application/json, application/x-ndjson',
    'application/x-ndjson-seq',
    'text/plain;x="application/x-ndjson"',
  ]) {
    assert.equal(await linesFor(accept), false, accept)
  }
  assert.equal((await get('/v1/lines')).body['lines'], false)
})

test('lines have a query of their own, and an endpoint that has none is not asked for lines', async () => {
  const accept = { accept: 'application/x-ndjson' }
  const getCode = async (url: string, headers?: Record<string, string>) => codeOf(await get(url, headers))
  assert.equal(await getCode('/v1/lines?limit=11'), '400 INVALID_REQUEST')
  assert.equal(await getCode('/v1/lines?limit=1000', accept), '200 none')
  assert.equal(await getCode('/v1/lines?limit=1001', accept), '400 INVALID_REQUEST')
  assert.equal(await getCode('/v1/lines?unknown=1', accept), '400 INVALID_REQUEST')
  assert.equal(await getCode('/v1/plain?limit=11', accept), '400 INVALID_REQUEST')
  assert.equal((await get('/v1/plain', accept)).body['lines'], false)
})

test('a handler runs after admission, and not for a request over the rate limit', async () => {
  const { value } = await tenant.createKey('user')
  const sendRequest = async () => codeOf(await service.call('/v1/waiting', { key: value }))
  assert.equal(await sendRequest(), '200 none')
  assert.equal(doneOutside, 1)
  // The database rejects the second request; the node's cache rejects the third.
  for (const time of ['second', 'third']) {
    assert.equal(await sendRequest(), '429 RATE_LIMIT_EXCEEDED', time)
    assert.equal(doneOutside, 1, time)
  }
})

test('a handler that reads with admission sends its first batch at once and no later one over the limit', async () => {
  const [, { id: organization }] = twoOrganizations()
  const { value } = await tenant.createKey('user', { organization })
  const sendRequest = async () => codeOf(await service.call('/v1/not-waiting', { key: value }))
  assert.deepEqual([await sendRequest(), await sendRequest()], ['200 none', '429 RATE_LIMIT_EXCEEDED'])
  assert.deepEqual(batches, { first: 2, second: 1 })
})

test('the handler of a change runs after admission', async () => {
  const { value } = await tenant.createKey('user', { of: 'alone' })
  const sendRequest = async () => codeOf(await service.call('/v1/written', { key: value, method: 'POST' }))
  assert.deepEqual([await sendRequest(), await sendRequest()], ['200 none', '429 RATE_LIMIT_EXCEEDED'])
})

test('a handler gets the placement of metrics when its endpoint reads them, and only then', async () => {
  const [, { id }] = twoOrganizations()
  await tenant.change(tenant.workspace.root, (change) => deactivateOrganization(change, id))
  await get('/v1/measured')
  await get('/v1/unmeasured')
  const [measured, unmeasured] = contexts
  assert.deepEqual(measured?.metrics?.placement, {
    store: 'shared',
    preparing: false,
    inactive: [id],
  })
  assert.ok(measured.metrics.stores.names.includes('shared'))
  assert.equal(unmeasured?.metrics, null)
})

test('chunks are sent one after the other, with their length in bytes and every header of an answer', async () => {
  const { status, text, headers } = await get('/v1/chunks', { 'x-request-id': 'mine-8' })
  assert.deepEqual([status, text], [200, 'aéz'])
  assert.equal(headers['content-length'], '4')
  assert.equal(headers['content-type'], 'text/x')
  assert.equal(headers['x-request-id'], 'mine-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(headers['ratelimit'] ?? '', /^"organizations";r=\d{1,3};t=\d{1,2}$/)
  const nothing = await get('/v1/no-chunks')
  assert.deepEqual([nothing.status, nothing.text, nothing.headers['content-length']], [200, '', '0'])
})

test('many chunks arrive whole', async () => {
  const { text, headers } = await get('/v1/many-chunks')
  assert.equal(headers['content-length'], String(200 * 64 * 1024))
  assert.equal(text, 'x'.repeat(200 * 64 * 1024))
})

test('the bytes of chunks are counted against the most that an endpoint answers', async () => {
  assert.equal((await get('/v1/full')).text, 'éé')
  const refused = await get('/v1/too-full')
  assert.equal(codeOf(refused), '413 RESPONSE_TOO_LARGE')
  assert.match(refused.headers['content-type'] ?? '', /^application\/json\b/)
})

test('a stream is sent as it arrives, without a length and without a maximum', async () => {
  const { status, text, headers } = await get('/v1/stream', { 'x-request-id': 'mine-9' })
  assert.deepEqual([status, text], [200, 'one\ntwo\né\n'])
  assert.equal(headers['content-length'], undefined)
  assert.equal(headers['content-type'], 'text/x')
  assert.equal(headers['x-request-id'], 'mine-9')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(headers['ratelimit'] ?? '', /^"organizations";/)
  assert.deepEqual([(await get('/v1/empty-stream')).status, (await get('/v1/empty-stream')).text], [200, ''])
})

test('a stream that fails before its first byte is refused like anything else [S-err-7]', async () => {
  const refused = await get('/v1/refused-stream')
  assert.equal(codeOf(refused), '503 METRICS_PREPARING')
  assert.equal(refused.headers['retry-after'], '7')
  assert.match(refused.headers['content-type'] ?? '', /^application\/json\b/)
  const broken = await get('/v1/broken-stream', { 'x-request-id': 'mine-10' })
  assert.equal(codeOf(broken), '500 INTERNAL_ERROR')
  assert.match(broken.text, /mine-10/)
  assert.doesNotMatch(broken.text + JSON.stringify(broken.headers), /hunter2/)
})

test('a stream that fails later is cut off: nobody takes it for whole', async () => {
  await assert.rejects(get('/v1/cut-stream'))
})

test('compressed chunks arrive whole and are released, and a compressed stream that fails is cut off', async () => {
  const base = await service.listen()
  const fetchZipped = (path: string, method = 'GET') =>
    fetch(base + path, { method, headers: { 'x-service-api-key': key, 'accept-encoding': 'gzip' } })
  const whole = await fetchZipped('/v1/zipped')
  assert.equal(whole.headers.get('content-encoding'), 'gzip')
  assert.equal(await whole.text(), zippedTexts.join(''))
  assert.equal(released, 1)
  await assert.rejects(async () => (await fetchZipped('/v1/cut-zipped')).text())
  const head = await fetchZipped('/v1/zipped', 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-encoding'), await head.text()], [200, 'gzip', ''])
  assert.equal(released, 2)
  assert.equal((await fetchZipped('/v1/cut-zipped', 'HEAD')).status, 200)
})
