import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { Type } from 'typebox'
import { type CallOptions, startService, type TestResponse, type TestService } from '../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { freePort } from '../../test/free-port.ts'
import { createTenant, type Tenant, type TestKey } from '../../test/tenant.ts'
import { waitFor } from '../../test/wait.ts'
import { type ErrorCode, getHttpStatus, refuse } from '../errors.ts'
import { organizations } from '../resources/organizations/route.ts'
import { closed } from '../shape.ts'
import type { Endpoint } from './endpoint.ts'
import { ok } from './reply.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** An endpoint of the test's own: it takes every key, asks for all that an endpoint can ask for, and says done. */
function probe(path: `/${string}`, over: Partial<Endpoint> = {}): Endpoint {
  return {
    ...organizations,
    method: 'POST',
    path,
    operationId: path,
    organization: 'required',
    limit: 'seats',
    query: Type.Object({ org_id: Type.Optional(Type.String()) }, closed),
    paging: null,
    replies: {},
    run: () => Promise.resolve(ok({ done: true })),
    ...over,
  }
}

interface Fault {
  readonly code: ErrorCode
  /** What is wrong with the endpoint, the request or the tenant. */
  readonly endpoint?: Partial<Endpoint>
  readonly request?: { key?: string; unknown?: string; orgId?: string; idempotencyKey?: string }
  readonly state?: string
}

/** One fault for each check, in the contract's order. */
const faults: readonly Fault[] = [
  { code: 'UNAUTHORIZED', request: { key: 'x' } },
  {
    code: 'KEY_KIND_NOT_ALLOWED',
    endpoint: { keys: { ...organizations.keys, workspace: 'KEY_KIND_NOT_ALLOWED' } },
  },
  { code: 'OWNER_NOT_ADMIN', state: 'update person set workspace_admin = false where root_id = $1' },
  { code: 'INVALID_REQUEST', request: { unknown: '1' } },
  { code: 'ORGANIZATION_NOT_FOUND', request: { orgId: 'nobody' } },
  { code: 'ENTERPRISE_REQUIRED', state: `update subscription set plan = 'pro' where root_id = $1` },
  {
    code: 'NO_ACTIVE_SUBSCRIPTION',
    endpoint: { refusals: ['NO_ACTIVE_SUBSCRIPTION'] },
    state: 'update subscription set active = false where root_id = $1',
  },
  { code: 'PERMISSION_DENIED', state: `update api_key set permissions = '{}' where root_id = $1` },
  { code: 'IDEMPOTENCY_KEY_REUSED', request: { idempotencyKey: 'used before' } },
  { code: 'RATE_LIMIT_EXCEEDED', endpoint: { limit: 'keys' } },
  { code: 'ROLE_IN_USE', endpoint: { run: () => Promise.resolve(refuse('ROLE_IN_USE', 'no')) } },
  { code: 'RESPONSE_TOO_LARGE', endpoint: { maxReplyBytes: 5 } },
]
const pairs = faults.flatMap((first, index) =>
  faults.slice(index + 1).map((second) => [first, second] as const),
)
const pathOf = (chosen: readonly Fault[]) =>
  `/v1/${chosen.map(({ code }) => code).join('-') || 'none'}` as const
const probeOf = (chosen: readonly Fault[]) =>
  probe(pathOf(chosen), Object.assign({}, ...chosen.toReversed().map(({ endpoint }) => endpoint ?? {})))

let database: TestDatabase
let superuser: pg.Client
let tenant: Tenant
let service: TestService
let workspace: TestKey
let user: TestKey

before(async () => {
  database = await createDatabase()
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  tenant = await createTenant(database)
  ;[workspace, user] = await Promise.all([
    tenant.createKey('workspace'),
    tenant.createKey('user', { of: 'alone' }),
  ])
  const chosen = [[], ...faults.map((fault) => [fault]), ...pairs]
  service = startService(
    database,
    { LIMIT_SEATS: 'off', LIMIT_KEYS: '1/3600', LIMIT_ORGANIZATIONS: '2/60', LIMIT_USERS: '2/60' },
    [
      organizations,
      ...chosen.map(probeOf),
      probe('/v1/broken', { run: () => Promise.reject(new Error('the password is hunter2')) }),
      probe('/v1/broken-learnings', { errorBody: 'errors', run: () => Promise.reject(new Error('hunter2')) }),
      probe('/v1/learnings', { errorBody: 'errors' }),
      probe('/v1/large', {
        query: Type.Object({ text: Type.String() }, closed),
        maxReplyBytes: 40,
        run: (_, { query }) => Promise.resolve(ok(query)),
      }),
      probe('/v1/preparing', { run: () => Promise.resolve(refuse('METRICS_PREPARING', 'soon')) }),
      probe('/v1/crowded', { run: () => Promise.resolve(refuse('RATE_LIMIT_EXCEEDED', 'later')) }),
      probe('/v1/thrown', {
        method: 'GET',
        limit: 'organizations',
        run: () => refuse('NOT_FOUND', 'at once'),
      }),
      probe('/v1/thrown-write', { limit: 'users', run: () => refuse('NOT_FOUND', 'at once') }),
    ],
  )
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), superuser.end()])
  await database.drop()
})

const post = (url: string, call: CallOptions = {}) =>
  service.call(url, { key: user.value, method: 'POST', ...call })
const codeOf = (answer: TestResponse) => answer.body.error?.code ?? 'none'

async function callWith(chosen: readonly Fault[]): Promise<TestResponse> {
  const [organization] = tenant.workspace.organizations
  const request: NonNullable<Fault['request']> = Object.assign(
    {},
    ...chosen.map((fault) => fault.request ?? {}),
  )
  const { key = workspace.value, orgId = organization.orgId, unknown, idempotencyKey } = request
  const search = new URLSearchParams({ org_id: orgId, ...(unknown && { unknown }) })
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const states = chosen.flatMap(({ state }) => state ?? [])
  for (const state of states) await superuser.query(state, [workspace.root])
  const answer = await service.call(`${pathOf(chosen)}?${search.toString()}`, {
    key,
    method: 'POST',
    headers,
  })
  if (states.length > 0) await repair()
  return answer
}

async function repair(): Promise<void> {
  const { root, owner, id } = workspace
  await superuser.query('update person set workspace_admin = true where root_id = $1 and id = $2', [
    root,
    owner,
  ])
  await superuser.query(`update subscription set plan = 'enterprise', active = true where root_id = $1`, [
    root,
  ])
  await superuser.query('update api_key set permissions = $2 where id = $1', [
    id,
    ['organization_management:read'],
  ])
}

test('each check refuses with its own code, and a request without a fault passes', async () => {
  const [organization] = tenant.workspace.organizations
  await superuser.query(`insert into limit_window values ($1, 'keys', $2, array[now()])`, [
    workspace.root,
    organization.id,
  ])
  assert.equal((await callWith([])).status, 200)
  const used = await post(`/v1/none?org_id=${organization.orgId}`, {
    key: workspace.value,
    headers: { 'idempotency-key': 'used before' },
    body: undefined,
  })
  assert.equal(used.status, 200)
  for (const fault of faults) {
    const answer = await callWith([fault])
    assert.deepEqual([answer.status, codeOf(answer)], [getHttpStatus(fault.code), fault.code])
  }
})

test('a request with two faults is answered by the earlier check, for every pair of checks [P1-order-1 P1-order-2 P1-order-3 P1-order-4 P1-order-5 P1-order-6 P1-order-7 P1-order-8 P1-order-9]', async () => {
  assert.equal(pairs.length, 66)
  for (const [first, second] of pairs) {
    const answer = await callWith([first, second])
    assert.equal(codeOf(answer), first.code, `${first.code} before ${second.code}`)
  }
})

test('a request id that the caller gives is taken over; any other is replaced by a UUID', async () => {
  const idOf = async (given: string) =>
    (await service.call('/healthz', { headers: { 'x-request-id': given } })).headers['x-request-id'] ?? ''
  for (const given of ['a', 'A-b_c.9', 'x'.repeat(128)]) assert.equal(await idOf(given), given)
  for (const given of ['', 'x'.repeat(129), 'a b', 'ä', 'a/b', '<script>', 'a,b'])
    assert.match(await idOf(given), uuid)
  assert.notEqual(await idOf(''), await idOf(''))
})

test('every answer has a request id and is not to be stored, whatever it says', async () => {
  const answers = await Promise.all([
    service.call('/healthz'),
    service.call('/v1/organizations'),
    service.call('/v1/organizations', { method: 'PUT' }),
    service.call('/no/such/path'),
    post('/v1/none'),
    post('/v1/none?x=1'),
    post('/v1/broken'),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401, 405, 404, 200, 400, 500],
  )
  for (const { headers } of answers) {
    assert.match(headers['x-request-id'] ?? '', uuid)
    assert.equal(headers['cache-control'], 'no-store')
  }
})

test('a 500 shows its request id and nothing else [S-err-7 P1-errors-3 P1-code-27]', async () => {
  const answer = await post('/v1/broken', { headers: { 'x-request-id': 'mine-7' } })
  assert.equal(answer.status, 500)
  const message = answer.body.error?.message ?? ''
  assert.deepEqual(answer.body, { error: { code: 'INTERNAL_ERROR', message } })
  assert.match(message, /mine-7/)
  assert.doesNotMatch(answer.text + JSON.stringify(answer.headers), /hunter2|password|at .*\.ts/)
})

test('errors have one body, and those of Learnings the other, at every check', async () => {
  for (const [url, call, code] of [
    ['/v1/learnings', { key: 'x' }, 'UNAUTHORIZED'],
    ['/v1/learnings?x=1', {}, 'INVALID_REQUEST'],
    ['/v1/broken-learnings', {}, 'INTERNAL_ERROR'],
    ['/v1/learnings', { method: 'PUT' }, 'METHOD_NOT_ALLOWED'],
  ] as const) {
    const { body } = await post(url, call)
    const { errors = [] } = body as unknown as { errors?: { code: string; message: string }[] }
    assert.deepEqual([Object.keys(body), errors.length, errors[0]?.code], [['errors'], 1, code])
    assert.deepEqual(Object.keys(errors[0] ?? {}), ['code', 'message'])
  }
  const plain = await post('/v1/none?x=1')
  assert.deepEqual(
    [Object.keys(plain.body), Object.keys(plain.body.error ?? {})],
    [['error'], ['code', 'message']],
  )
})

test('a path that does not exist is 404, and a method that a path does not take is 405 and says which it takes', async () => {
  for (const url of [
    '/',
    '/v1',
    '/v1/organizations/',
    '/V1/organizations',
    '/v1/organizations/x/y',
    '//v1/none',
  ]) {
    const answer = await service.call(url, { key: user.value })
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'NOT_FOUND'], url)
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const answer = await service.call('/v1/organizations', { key: user.value, method })
    assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET, HEAD'], method)
  }
})

test('a path, a query or a content type that is not even one gets an error of ours', async () => {
  const wrong: [string, CallOptions][] = [
    ['/v1/%zz', {}],
    ['/v1/organizations/%ff/repositories', {}],
    [`/v1/${'x'.repeat(3000)}`, {}],
    ['/v1/none?%ff', {}],
    ['/v1/none', { headers: { 'content-type': 'nonsense' }, payload: '{}' }],
    ['/v1/none', { headers: { 'content-type': 'application/json; charset="' }, payload: '{}' }],
  ]
  for (const [url, call] of wrong) {
    const answer = await post(url, call)
    assert.ok(answer.status < 500, url)
    if (answer.status === 200) continue
    assert.deepEqual(
      Object.keys(answer.body.error ?? {}),
      ['code', 'message'],
      `${url.slice(0, 40)} ${answer.text}`,
    )
    assert.match(answer.headers['x-request-id'] ?? '', uuid)
  }
})

test('a limited endpoint returns its limit, when it admits and when it refuses', async () => {
  const sendRequest = () => service.call('/v1/organizations', { key: user.value })
  const [first, second, third] = [await sendRequest(), await sendRequest(), await sendRequest()]
  assert.deepEqual([first.status, second.status, third.status], [200, 200, 429])
  for (const { headers } of [first, second, third]) {
    assert.equal(headers['ratelimit-policy'], '"organizations";q=2;w=60')
    assert.match(headers['ratelimit'] ?? '', /^"organizations";r=\d;t=\d{1,2}$/)
  }
  assert.match(third.headers['retry-after'] ?? '', /^[1-9]\d?$/)
  assert.equal((await post('/v1/none')).headers['ratelimit'], undefined)
})

test('every 429 and 503 has Retry-After, also where a handler has not thought of it [P1-limit-7]', async () => {
  for (const [url, status] of [
    ['/v1/preparing', 503],
    ['/v1/crowded', 429],
  ] as const) {
    const answer = await post(url)
    assert.equal(answer.status, status)
    assert.match(answer.headers['retry-after'] ?? 'none', /^[1-9]\d*$/, url)
  }
})

test('a request that its handler refuses counts against the limit, a read and a write', async () => {
  const { value: key } = await tenant.createKey('user')
  for (const [url, method] of [
    ['/v1/thrown', 'GET'],
    ['/v1/thrown-write', 'POST'],
  ] as const) {
    const sendRequest = async () => codeOf(await service.call(url, { key, method }))
    assert.deepEqual(
      [await sendRequest(), await sendRequest(), await sendRequest()],
      ['NOT_FOUND', 'NOT_FOUND', 'RATE_LIMIT_EXCEEDED'],
      url,
    )
  }
})

test('an answer may have as many bytes as its endpoint allows, counted in bytes [P1-order-10]', async () => {
  const answer = async (text: string) => codeOf(await post(`/v1/large?text=${encodeURIComponent(text)}`))
  const room = 40 - Buffer.byteLength(JSON.stringify({ text: '' }))
  assert.equal(await answer('x'.repeat(room)), 'none')
  assert.equal(await answer('x'.repeat(room + 1)), 'RESPONSE_TOO_LARGE')
  assert.equal(await answer('é'.repeat(room / 2 + 1)), 'RESPONSE_TOO_LARGE')
})

test('a setting adds alias names of the key header [P1-header-2]', async () => {
  const aliased = startService(database, { KEY_HEADER_ALIASES: 'X-Other-Api-Key, x-third' })
  for (const name of ['x-service-api-key', 'x-other-api-key', 'x-third']) {
    const { value } = await tenant.createKey('workspace')
    assert.equal((await aliased.call('/v1/organizations', { headers: { [name]: value } })).status, 200, name)
  }
  const both = { 'x-service-api-key': 'x', 'x-third': workspace.value }
  assert.equal((await aliased.call('/v1/organizations', { headers: both })).status, 401)
  await aliased.stop()
  assert.equal(
    (await service.call('/v1/organizations', { headers: { 'x-third': workspace.value } })).status,
    401,
  )
})

test('the address of a caller is the socket’s, or the one that a trusted proxy sends [P4-12]', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
  const auditedAddresses = async (settings: Record<string, string>) => {
    const node = startService(database, settings)
    const key = await tenant.createKey('legacy')
    await node.call('/v1/organizations', { key: key.value, headers: forwarded })
    await node.stop()
    const { rows } = await superuser.query<{ address: string }>(
      `select c.clear->'ip_address'->>'value' as address from audit_clear c join audit_log l using (root_id, position)
       where l.actor_id = $1`,
      [key.id],
    )
    return rows.map(({ address }) => address)
  }
  assert.deepEqual(await auditedAddresses({}), ['127.0.0.1'])
  assert.deepEqual(await auditedAddresses({ TRUSTED_PROXIES: '127.0.0.1' }), ['198.51.100.7'])
  assert.deepEqual(await auditedAddresses({ TRUSTED_PROXIES: '127.0.0.0/8, 198.51.100.7' }), ['203.0.113.9'])
  assert.deepEqual(await auditedAddresses({ TRUSTED_PROXIES: '192.0.2.1' }), ['127.0.0.1'])
})

test('while the database is unavailable every request is 503 with Retry-After, and a refusal that needs none stays one [P1-code-29]', async () => {
  const port = await freePort()
  const unavailable = (url: string) => Object.assign(new URL(url), { port: String(port) }).href
  const { urls } = database
  const noKeys = startService({ ...database, urls: { ...urls, auth: unavailable(urls.auth) } })
  const noData = startService({ ...database, urls: { ...urls, api: unavailable(urls.api) } })
  for (const [node, url] of [
    [noKeys, '/v1/organizations'],
    [noData, '/v1/organizations'],
    [noData, `/v1/organizations/${randomUUID()}/repositories`],
  ] as const) {
    const answer = await node.call(url, { key: workspace.value })
    assert.deepEqual([answer.status, codeOf(answer)], [503, 'OVERLOADED'], url)
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  }
  assert.equal((await noData.call('/readyz')).status, 503)
  assert.equal((await noKeys.call('/healthz')).status, 200)
  assert.equal((await noKeys.call('/v1/organizations', { key: 'x' })).status, 401)
  // What cannot be audited right now is refused all the same: the audit of refusals is best effort.
  const legacy = await tenant.createKey('legacy')
  assert.equal(codeOf(await noData.call('/v1/organizations', { key: legacy.value })), 'LEGACY_API_KEY')
  await Promise.all([noKeys.stop(), noData.stop()])
})

test('above MAX_IN_FLIGHT requests are 503 at once with Retry-After, and one tenant cannot take every place [P1-code-29]', async (t) => {
  const held = Promise.withResolvers<void>()
  let running = 0
  const run = () => {
    running += 1
    return held.promise.then(() => ok({}))
  }
  const slow = probe('/v1/slow', { plan: 'any', run })
  const node = startService(
    database,
    { MAX_IN_FLIGHT: '8', DATABASE_CONNECTIONS: '12', LIMIT_SEATS: 'off' },
    [slow],
  )
  const others = await createTenant(database)
  t.after(() => others.close())
  const createKeys = (from: Tenant, of: 'workspace' | 'alone') =>
    Promise.all([1, 2, 3].map(async () => (await from.createKey('user', { of })).value))
  const [one, two, three, four] = await Promise.all([
    createKeys(tenant, 'workspace'),
    createKeys(tenant, 'alone'),
    createKeys(others, 'workspace'),
    createKeys(others, 'alone'),
  ])
  const fifth = (await others.createKey('user', { of: 'lower' })).value
  const sendRequest = (key: string | undefined) => node.call('/v1/slow', { key, method: 'POST' })
  const countServed = (responses: readonly TestResponse[]) =>
    responses.filter(({ status }) => status === 200).length
  const greedy = [...one].map(sendRequest)
  const waiting = [two, three, four].flatMap((keys) => keys.slice(0, 2).map(sendRequest))
  const isRefused = ({ status, headers }: TestResponse) => {
    assert.equal(status, 503)
    assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/)
  }
  isRefused(await Promise.race(greedy))
  await waitFor('every slot is taken', () => running === 8)
  for (const key of [fifth, two[2]]) isRefused(await sendRequest(key))
  assert.equal((await node.call('/healthz')).status, 200)
  held.resolve()
  assert.equal(countServed(await Promise.all([...greedy, ...waiting])), 8)
  assert.equal((await sendRequest(fifth)).status, 200)
  await node.stop()
})
