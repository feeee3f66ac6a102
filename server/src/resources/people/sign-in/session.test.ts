import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { type CallOptions, startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { plantSession } from '../../../../test/planted/sessions.ts'
import { addMember } from '../../../../test/seats/test-seats.ts'
import { deactivatePerson, demotePerson, promotePerson, setRole } from '../manage.ts'

const origin = 'https://scholiast.example.com'

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, { ...limitsOff, PUBLIC_URL: origin }))

interface SessionCall extends CallOptions {
  readonly organization?: string
}

function call(cookie: string, path: string, { organization, headers = {}, ...options }: SessionCall = {}) {
  return service.call(path, {
    ...options,
    headers: {
      cookie: `__Host-scholiast=${cookie}`,
      ...(organization !== undefined && { 'x-scholiast-organization': organization }),
      ...headers,
    },
  })
}

async function refuses(
  expected: readonly [number, string],
  cookie: string,
  path: string,
  options: SessionCall = {},
): Promise<void> {
  const { status, body, text } = await call(cookie, path, options)
  assert.deepEqual([status, body.error?.code], expected, text)
}

const ownPage = { 'sec-fetch-site': 'same-origin' }

test('a session acts as a user key of the organization that the header names [P13-session-3]', async () => {
  const { admin, organizations } = tenant.workspace
  const [first] = organizations
  const { cookie } = await plantSession(superuser, tenant.workspace.root, admin)
  const { status, body } = await call(cookie, '/v1/keys/self', { organization: first.id })
  assert.equal(status, 200)
  const self = body as unknown as {
    kind: string
    owner: { cr_user_id: string }
    organizations: { count: number }
  }
  assert.deepEqual([self.kind, self.owner.cr_user_id, self.organizations.count], ['user', admin, 1])
  await refuses([400, 'ORG_ID_REQUIRED'], cookie, '/v1/keys/self')
  await refuses([404, 'ORGANIZATION_NOT_FOUND'], cookie, '/v1/keys/self', { organization: randomUUID() })
  await refuses([404, 'ORGANIZATION_NOT_FOUND'], cookie, '/v1/keys/self', { organization: 'none' })
  const foreign = tenant.alone.organizations[0].id
  await refuses([404, 'ORGANIZATION_NOT_FOUND'], cookie, '/v1/keys/self', { organization: foreign })
})

test('membership and roles are read at every request [P13-session-3]', async () => {
  const { root, organizations } = tenant.workspace
  const [first, second] = organizations
  const { person } = await addMember(tenant, [first])
  const { cookie } = await plantSession(superuser, root, person)
  const users = (organization: string) => call(cookie, '/v1/users', { organization })
  assert.equal((await users(first.id)).body.error?.code, 'NOT_ADMIN')
  assert.equal((await users(second?.id ?? '')).body.error?.code, 'ORGANIZATION_NOT_FOUND')
  await tenant.change(root, (change) =>
    setRole(change, { person, organization: first.id, role: { system: 'cr_admin' } }),
  )
  assert.equal((await users(first.id)).status, 200)
  await tenant.change(root, (change) => promotePerson(change, person))
  assert.equal((await users(second?.id ?? '')).status, 200)
  assert.equal((await users('all')).status, 200)
  await tenant.change(root, (change) => demotePerson(change, person))
  assert.equal((await users('all')).body.error?.code, 'ORGANIZATION_NOT_FOUND')
  await tenant.change(root, (change) => deactivatePerson(change, person))
  assert.equal((await users(first.id)).status, 401)
})

test('`all` is refused outside an Enterprise workspace with SSO [P13-session-4]', async () => {
  const { root, admin } = tenant.workspace
  const { cookie } = await plantSession(superuser, root, admin)
  const refusesAll = async (reason: RegExp) => {
    const { status, body } = await call(cookie, '/v1/organizations', { organization: 'all' })
    assert.deepEqual([status, body.error?.code], [403, 'KEY_KIND_NOT_ALLOWED'])
    assert.match(body.error?.message ?? '', reason)
  }
  await superuser.query('update root set sso = false where id = $1', [root])
  await refusesAll(/require SSO/)
  await superuser.query('update root set sso = true where id = $1', [root])
  await superuser.query(`update subscription set plan = 'pro' where root_id = $1`, [root])
  await refusesAll(/require the Enterprise plan/)
  await superuser.query(`update subscription set plan = 'enterprise' where root_id = $1`, [root])
  assert.equal((await call(cookie, '/v1/organizations', { organization: 'all' })).status, 200)
})

test('a session ends by time, by idleness and by sign-out, and a request has a key or a session [P13-session-1]', async () => {
  const { root, admin, organizations } = tenant.workspace
  const organization = organizations[0].id
  const refused = [401, 'UNAUTHORIZED'] as const
  for (const times of [{ ended: '1 second' }, { idle: '481 minutes' }, { age: '1441 minutes' }]) {
    const { cookie } = await plantSession(superuser, root, admin, times)
    await refuses(refused, cookie, '/v1/keys/self', { organization })
  }
  const living = await plantSession(superuser, root, admin, { idle: '479 minutes', age: '1439 minutes' })
  assert.equal((await call(living.cookie, '/v1/keys/self', { organization })).status, 200)
  await refuses(refused, 'sch_ses_x', '/v1/keys/self', { organization })
  const { value: key } = await tenant.createKey('user')
  await refuses([400, 'INVALID_REQUEST'], living.cookie, '/v1/keys/self', { organization, key })
  assert.equal((await service.call('/v1/keys/self', {})).status, 401)
  await refuses([403, 'CROSS_SITE_REQUEST'], living.cookie, '/auth/logout', { method: 'POST' })
  assert.equal((await call(living.cookie, '/auth/logout', { method: 'POST', headers: ownPage })).status, 204)
  await refuses(refused, living.cookie, '/v1/keys/self', { organization })
})

test('a change must come from a page of the service [P13-session-8]', async () => {
  const { root, admin, organizations } = tenant.workspace
  const { cookie } = await plantSession(superuser, root, admin)
  const post = (headers: Record<string, string>) =>
    call(cookie, '/v1/roles', {
      method: 'POST',
      organization: organizations[0].id,
      body: { name: randomUUID() },
      headers,
    })
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example.com' },
    { 'sec-fetch-site': 'cross-site', origin },
  ])
    assert.equal(
      (await post(headers as Record<string, string>)).body.error?.code,
      'CROSS_SITE_REQUEST',
      JSON.stringify(headers),
    )
  assert.equal((await post(ownPage)).status, 201)
  assert.equal((await post({ origin })).status, 201)
})

test('refusals of a person who is signed in are audited, also those before the request is admitted [P13-session-8]', async () => {
  const { root, admin, organizations } = tenant.workspace
  const organization = organizations[0].id
  const { cookie, id } = await plantSession(superuser, root, admin, { authenticated: '11 minutes' })
  const change = { method: 'POST', organization, body: { name: randomUUID() } } as const
  await refuses([403, 'CROSS_SITE_REQUEST'], cookie, '/v1/roles', change)
  await refuses([404, 'ORGANIZATION_NOT_FOUND'], cookie, '/v1/users', { organization: randomUUID() })
  const registration = '/auth/passkeys/registration/options'
  const stale = { method: 'POST', body: {}, headers: ownPage } as const
  await refuses([403, 'REAUTHENTICATION_REQUIRED'], cookie, registration, stale)
  await refuses([403, 'CROSS_SITE_REQUEST'], cookie, '/auth/logout', { method: 'POST' })
  await refuses([403, 'CROSS_SITE_REQUEST'], 'sch_ses_x', '/auth/logout', { method: 'POST' })
  const { rows } = await superuser.query(
    `select resource_id as route, metadata ->> 'code' as code, actor_id as person from audit_log
     where action = 'request_refused' and metadata ->> 'actor_session_id' = $1 order by position`,
    [id],
  )
  assert.deepEqual(rows, [
    { route: 'POST /v1/roles', code: 'CROSS_SITE_REQUEST', person: admin },
    { route: 'GET /v1/users', code: 'ORGANIZATION_NOT_FOUND', person: admin },
    { route: `POST ${registration}`, code: 'REAUTHENTICATION_REQUIRED', person: admin },
    { route: 'POST /auth/logout', code: 'CROSS_SITE_REQUEST', person: admin },
  ])
})

test('dangerous acts need a sign-in of the last 10 minutes [P11-sessions-1 P13-session-7]', async () => {
  const { root, admin, organizations } = tenant.workspace
  const organization = organizations[0].id
  const old = await plantSession(superuser, root, admin, { authenticated: '11 minutes' })
  const fresh = await plantSession(superuser, root, admin, { authenticated: '9 minutes' })
  const { person } = await addMember(tenant, [organizations[0]])
  const { id: key } = await tenant.createKey('user')
  const acts = [
    ['POST', '/v1/keys', { kind: 'user', name: 'Made in a session' }],
    ['POST', '/v1/users/roles', { role: 'cr_member', user_ids: ['nobody'] }],
    ['POST', '/v1/roles', { name: randomUUID() }],
    ['POST', '/v1/roles/cr_member/members', { user_ids: ['nobody'] }],
    ['POST', `/v1/keys/${key}/rotate`, {}],
    ['POST', '/v1/users/offboarding', { member: { cr_user_id: person } }],
    ['DELETE', `/v1/users/${person}/sessions`, undefined],
  ] as const
  for (const [method, path, body] of acts) {
    const options = { method, body, organization, headers: ownPage }
    await refuses([403, 'REAUTHENTICATION_REQUIRED'], old.cookie, path, options)
    const { status, text } = await call(fresh.cookie, path, options)
    assert.ok(status < 300, `${path}: ${text}`)
  }
})

test('reads of a session count in a window of the person, not of the organization [P13-session-5]', async () => {
  const { root, admin, organizations } = tenant.workspace
  const organization = organizations[0].id
  const narrow = startService(database, {
    ...limitsOff,
    PUBLIC_URL: origin,
    LIMIT_USERS: '3/60',
    LIMIT_SESSION_READS: '5/60',
  })
  const { cookie } = await plantSession(superuser, root, admin)
  const headers = { cookie: `__Host-scholiast=${cookie}`, 'x-scholiast-organization': organization }
  const statuses = []
  for (let request = 0; request < 7; request++)
    statuses.push((await narrow.call('/v1/users', { headers })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
  const { value: key } = await tenant.createKey('user')
  assert.equal((await narrow.call('/v1/users', { key })).status, 200)
  await narrow.stop()
})

test('writes of a session count in the windows of keys [P13-session-5]', async () => {
  const { root, admin, organizations } = tenant.workspace
  const organization = organizations[0].id
  const narrow = startService(database, { ...limitsOff, PUBLIC_URL: origin, LIMIT_ROLES: '2/60' })
  const { cookie } = await plantSession(superuser, root, admin)
  const session = {
    cookie: `__Host-scholiast=${cookie}`,
    'x-scholiast-organization': organization,
    ...ownPage,
  }
  const write = { method: 'POST', body: { role: 'cr_member', user_ids: ['nobody'] } } as const
  const { value: key } = await tenant.createKey('user')
  assert.equal((await narrow.call('/v1/users/roles', { ...write, headers: session })).status, 200)
  assert.equal((await narrow.call('/v1/users/roles', { ...write, key })).status, 200)
  assert.equal((await narrow.call('/v1/users/roles', { ...write, headers: session })).status, 429)
  assert.equal((await narrow.call('/v1/users/roles', { ...write, key })).status, 429)
  await narrow.stop()
})

test('workspace admins create, list and delete workspace tokens in a session', async () => {
  const { root, admin } = tenant.workspace
  const { cookie } = await plantSession(superuser, root, admin)
  const inAll = (path: string, options: CallOptions = {}) =>
    call(cookie, path, { organization: 'all', headers: ownPage, ...options })
  const expires_at = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const post = { method: 'POST', body: { kind: 'workspace', name: 'Nightly export', expires_at } } as const
  const inOne = { organization: tenant.workspace.organizations[0].id, headers: ownPage, ...post }
  const refused = await call(cookie, '/v1/keys', inOne)
  assert.equal(refused.body.error?.code, 'KEY_KIND_NOT_ALLOWED')
  assert.match(refused.text, /x-scholiast-organization: all/)
  const created = await inAll('/v1/keys', post)
  assert.equal(created.status, 201, created.text)
  const { id, value } = created.body as unknown as { id: string; value: string }
  assert.equal((await service.call('/v1/organizations', { key: value })).status, 200)
  const { data } = (await inAll('/v1/keys')).body as unknown as { data: { id: string }[] }
  assert.ok(data.some((key) => key.id === id))
  assert.equal((await inAll(`/v1/keys/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await service.call('/v1/organizations', { key: value })).status, 401)
})

test('a person sees who they are, lists their sessions and ends one', async () => {
  const { root, admin, organizations } = tenant.workspace
  const [one, other] = [
    await plantSession(superuser, root, admin),
    await plantSession(superuser, root, admin),
  ]
  const stranger = await plantSession(superuser, tenant.alone.root, tenant.alone.admin)
  const { status, body, text } = await call(one.cookie, '/v1/session')
  assert.equal(status, 200, text)
  const session = body as unknown as {
    person: { cr_user_id: string }
    organizations: { id: string }[]
    workspace_admin: boolean
  }
  assert.deepEqual([session.person.cr_user_id, session.workspace_admin], [admin, true])
  assert.deepEqual(
    session.organizations.map(({ id }) => id).toSorted(),
    organizations.map(({ id }) => id as string).toSorted(),
  )
  const listed = (await call(one.cookie, '/v1/sessions')).body as unknown as {
    data: { id: string; current: boolean }[]
  }
  assert.ok(listed.data.some(({ id, current }) => id === one.id && current))
  assert.ok(listed.data.some(({ id, current }) => id === other.id && !current))
  const remove = (id: string) =>
    call(one.cookie, `/v1/sessions/${id}`, { method: 'DELETE', headers: ownPage })
  assert.equal((await remove(stranger.id)).status, 404)
  assert.equal((await remove(other.id)).status, 204)
  assert.equal((await call(other.cookie, '/v1/session')).status, 401)
  const { value: key } = await tenant.createKey('user')
  assert.equal((await service.call('/v1/session', { key })).body.error?.code, 'KEY_KIND_NOT_ALLOWED')
  const { rows } = await superuser.query<{ actor_kind: string; actor_id: string }>(
    `select actor_kind, actor_id from audit_log where action = 'session_ended' and resource_id = $1`,
    [other.id],
  )
  assert.deepEqual(rows, [{ actor_kind: 'person', actor_id: admin }])
})

test('where browsers use HTTPS, every response forbids plain HTTP [P13-session-14]', async () => {
  const readHeader = async (path: string, method: 'GET' | 'PATCH' = 'GET') =>
    (await service.call(path, { method })).headers['strict-transport-security']
  for (const path of [
    '/healthz',
    '/v1/organizations',
    '/v1/users/',
    '/app',
    '/auth/sign-in',
    '/none',
    '/%ff',
  ])
    assert.equal(await readHeader(path), 'max-age=31536000', path)
  assert.equal(await readHeader('/v1/organizations', 'PATCH'), 'max-age=31536000')
  const { port } = new URL(await service.listen())
  const socket = connect(Number(port), '127.0.0.1', () => socket.write('no HTTP\r\n\r\n'))
  const answer = await readText(socket)
  assert.match(answer, /^HTTP\/1\.1 400 [^]*\r\nstrict-transport-security: max-age=31536000\r\n/)
  const local = startService(database, { ...limitsOff, PUBLIC_URL: 'http://localhost:8420' })
  const { headers } = await local.call('/auth/sign-in')
  await local.stop()
  assert.equal(headers['strict-transport-security'], undefined)
})

test('windows of other sites get no handle on dashboard and sign-in pages [P13-session-14]', async () => {
  for (const path of [
    '/app',
    '/app/keys',
    '/auth/sign-in',
    '/auth/login?provider=none',
    '/auth/links/none',
  ]) {
    const { headers } = await service.call(path)
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin', path)
  }
})
