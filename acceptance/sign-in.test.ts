import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, assertErrors, type Reply } from '../cli/src/conformance/http.ts'
import { call, demo } from './service.ts'
import { strict } from './windows.ts'

/** A tenant of its own: addresses of one-time links, the ids of its organizations, and a user key of another tenant. */
interface SignInData {
  readonly publicUrl: string
  readonly adminLink: string
  readonly memberLink: string
  readonly colleagueLink: string
  readonly spareLink: string
  readonly organization: string
  readonly otherOrganization: string
  readonly foreignOrganization: string
  readonly key: string
}

const data = JSON.parse(process.env['SCHOLIAST_SIGN_IN'] ?? 'null') as SignInData
const ownPage = { 'sec-fetch-site': 'same-origin' }
let admin: string
let member: string

before(async () => {
  admin = await signIn(data.adminLink)
  member = await signIn(data.memberLink)
})

function pathOf(address: string): string {
  return new URL(address).pathname
}

function redeem(address: string): Promise<Reply> {
  return call(pathOf(address), { method: 'POST', headers: ownPage })
}

/** Returns the header `cookie` of the session. */
async function signIn(address: string): Promise<string> {
  const reply = await redeem(address)
  assert.equal(reply.status, 303, reply.text)
  return readCookie(reply)
}

function readCookie({ headers }: Reply): string {
  const [pair = ''] = (headers.get('set-cookie') ?? '').split(';')
  return pair
}

interface InSession {
  readonly organization?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly key?: string
}

function inSession(
  cookie: string,
  path: string,
  { organization, headers, body, ...options }: InSession = {},
): Promise<Reply> {
  return call(path, {
    ...options,
    headers: {
      cookie,
      ...(organization !== undefined && { 'x-scholiast-organization': organization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

test('a one-time link is redeemed by POST: opening it changes nothing, and a second use is refused [P13-links-1]', async () => {
  for (let visit = 0; visit < 2; visit++) {
    const page = await call(pathOf(data.spareLink))
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('set-cookie'), null)
  }
  assertError(await call(pathOf(data.spareLink), { method: 'POST' }), 403, 'CROSS_SITE_REQUEST')
  const reply = await redeem(data.spareLink)
  assert.equal(reply.status, 303)
  for (const part of [/^__Host-scholiast=/, /; Path=\//, /; Secure/, /; HttpOnly/, /; SameSite=Strict/])
    assert.match(reply.headers.get('set-cookie') ?? '', part)
  assert.equal((await redeem(data.spareLink)).status, 404)
})

test('a request with neither a key nor a session is 401, with both 400 [P13-session-1]', async () => {
  assertError(await call('/v1/session'), 401, 'UNAUTHORIZED')
  const { organization, key } = data
  assertError(await inSession(admin, '/v1/organizations', { organization, key }), 400, 'INVALID_REQUEST')
})

test('a session names its organization in a header: missing is 400, not a member 404, and it is checked on every request [P13-session-3]', async () => {
  assertError(await inSession(member, '/v1/organizations'), 400, 'ORG_ID_REQUIRED')
  for (const organization of [data.foreignOrganization, data.otherOrganization, 'nothing'])
    assertError(
      await inSession(member, '/v1/organizations', { organization }),
      404,
      'ORGANIZATION_NOT_FOUND',
      organization,
    )
  const own = await inSession(member, '/v1/organizations', { organization: data.organization })
  assert.deepEqual(
    (own.body as { organizations: { id: string }[] }).organizations.map(({ id }) => id),
    [data.organization],
  )
})

test('a workspace admin acts in every organization, and with `all` as a workspace token [P13-session-4]', async () => {
  for (const organization of [data.organization, data.otherOrganization])
    assert.equal((await inSession(admin, '/v1/users', { organization })).status, 200)
  const all = await inSession(admin, '/v1/organizations', { organization: 'all' })
  assert.ok((all.body as { organizations: unknown[] }).organizations.length > 1)
  for (const path of ['/v1/roles', '/v1/roles/permissions'])
    assertError(await inSession(admin, path, { organization: 'all' }), 400, 'ORG_ID_REQUIRED')
  assertError(
    await inSession(member, '/v1/organizations', { organization: 'all' }),
    404,
    'ORGANIZATION_NOT_FOUND',
  )
})

test('with `all` a workspace admin sees the events and the people of the whole root [P12-offboarding-4 P12-ingest-status-1]', async () => {
  const status = await inSession(admin, '/v1/ingest/status', { organization: 'all' })
  assert.equal(status.status, 200, status.text)
  const { queued, lag_seconds } = status.body as { queued: number | null; lag_seconds: number | null }
  assert.ok(Number.isInteger(queued) && Number.isInteger(lag_seconds), status.text)
  const who = (await inSession(member, '/v1/session')).body as { person: { cr_user_id: string } }
  const preview = (organization: string) =>
    inSession(admin, '/v1/users/offboarding', {
      organization,
      method: 'POST',
      headers: ownPage,
      body: { member: { cr_user_id: who.person.cr_user_id } },
    })
  // Sessions belong to the root, so only an offboarding from the whole root ends them.
  const everywhere = await preview('all')
  assert.equal(everywhere.status, 200, everywhere.text)
  const { sessions, executed } = everywhere.body as { sessions: number; executed: boolean }
  assert.deepEqual([sessions > 0, executed], [true, false])
  const here = await preview(data.organization)
  assert.equal((here.body as { sessions: number }).sessions, 0, here.text)
})

test('what is for Admins only is NOT_ADMIN in the session of a member [P12-pending-1 P12-settings-1 P12-ingest-status-1]', async () => {
  const { organization } = data
  for (const path of ['/v1/ingest/status', '/v1/settings', '/v1/users'])
    assertError(await inSession(member, path, { organization }), 403, 'NOT_ADMIN', path)
  assertErrors(await inSession(member, '/v1/learnings/pending', { organization }), 403, 'NOT_ADMIN')
})

test('a session belongs to /v1: /mcp and the ingest endpoints do not know it [P13-session-2]', async () => {
  const headers = { cookie: admin, 'content-type': 'application/json' }
  const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  assert.equal((await call('/mcp', { method: 'POST', headers, body: rpc })).status, 401)
  assert.equal((await call('/ingest/v1/events', { method: 'POST', headers, body: '[]' })).status, 401)
})

test('requests that change something must come from a page of the service [P13-session-8]', async () => {
  const { organization, publicUrl } = data
  const create = (headers: Record<string, string>) =>
    inSession(admin, '/v1/roles', {
      organization,
      method: 'POST',
      headers,
      body: { name: `Acceptance ${Math.random()}` },
    })
  assertError(await create({}), 403, 'CROSS_SITE_REQUEST')
  assertError(await create({ 'sec-fetch-site': 'cross-site' }), 403, 'CROSS_SITE_REQUEST')
  assertError(await create({ 'sec-fetch-site': 'same-site', origin: publicUrl }), 403, 'CROSS_SITE_REQUEST')
  assertError(await create({ origin: 'https://elsewhere.example.com' }), 403, 'CROSS_SITE_REQUEST')
  assert.equal((await create({ origin: publicUrl })).status, 201)
  assert.equal((await create(ownPage)).status, 201)
})

test('GET /v1/session says who is signed in, where, and until when [P13-session-10]', async () => {
  const reply = await inSession(member, '/v1/session')
  assert.equal(reply.status, 200, reply.text)
  const session = reply.body as Record<string, unknown> & { organizations: { id: string }[] }
  assert.deepEqual(Object.keys(session).toSorted(), [
    'expires_at',
    'fresh_until',
    'organizations',
    'person',
    'workspace_admin',
  ])
  assert.equal(session['workspace_admin'], false)
  assert.deepEqual(
    session.organizations.map(({ id }) => id),
    [data.organization],
  )
  const untilFresh = Date.parse(String(session['fresh_until'])) - Date.now()
  assert.ok(untilFresh > 0 && untilFresh <= 10 * 60_000)
  assertError(await call('/v1/session', { key: data.key }), 403, 'KEY_KIND_NOT_ALLOWED')
})

test('workspace admins create, list and delete workspace tokens in a session [P13-session-6]', async () => {
  const expires_at = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const create = (organization: string) =>
    inSession(admin, '/v1/keys', {
      organization,
      method: 'POST',
      headers: ownPage,
      body: { kind: 'workspace', name: 'Made in a session', expires_at },
    })
  const refused = await create(data.organization)
  assertError(refused, 403, 'KEY_KIND_NOT_ALLOWED')
  assert.match(refused.text, /x-scholiast-organization: all/)
  const created = await create('all')
  assert.equal(created.status, 201, created.text)
  const { id, value } = created.body as { id: string; value: string }
  assert.equal((await call('/v1/organizations', { key: value })).status, 200)
  const listed = await inSession(admin, '/v1/keys', { organization: 'all' })
  assert.ok((listed.body as { data: { id: string }[] }).data.some((key) => key.id === id))
  const removed = await inSession(admin, `/v1/keys/${id}`, {
    organization: 'all',
    method: 'DELETE',
    headers: ownPage,
  })
  assert.equal(removed.status, 204, removed.text)
  assertError(await call('/v1/organizations', { key: value }), 401, 'UNAUTHORIZED')
})

test('providers are listed without a key, and a login without one is refused with a page [P13-session-11]', async () => {
  const { status, body } = await call('/auth/providers')
  assert.deepEqual([status, body], [200, { providers: [] }])
  const login = await call('/auth/login?provider=nobody')
  assert.equal(login.status, 404)
  assert.match(login.headers.get('content-type') ?? '', /^text\/html/)
})

test('attempts to sign in are limited for a network, and pages that anybody may read are not [P13-session-13]', async () => {
  const attempt = () =>
    call('/auth/passkeys/authentication/options', { method: 'POST', headers: ownPage, base: strict() })
  const replies = await Promise.all(Array.from({ length: 80 }, attempt))
  const refused = replies.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0 && refused.length <= 20, `${refused.length} of 80 were refused`)
  for (const reply of refused) {
    assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
    assert.ok(Number(reply.headers.get('retry-after')) >= 1)
  }
  assert.equal((await call('/auth/providers', { base: strict() })).status, 200)
})

test('every response forbids plain HTTP, and windows of other sites have no handle on the dashboard and the sign-in [P13-session-14]', async () => {
  for (const path of ['/v1/organizations', '/none', '/healthz', '/app', '/auth/sign-in'])
    assert.match((await call(path)).headers.get('strict-transport-security') ?? '', /^max-age=\d{8}/, path)
  for (const path of ['/app', '/auth/sign-in'])
    assert.equal((await call(path)).headers.get('cross-origin-opener-policy'), 'same-origin', path)
})

test('an admin ends all sessions of a person, who must sign in again; people of other tenants are 404 [P11-sessions-1]', async () => {
  const colleague = await signIn(data.colleagueLink)
  const { person } = (await inSession(colleague, '/v1/session')).body as { person: { cr_user_id: string } }
  const organization = data.organization
  const end = (cookie: string, id: string) =>
    inSession(cookie, `/v1/users/${id}/sessions`, { organization, method: 'DELETE', headers: ownPage })
  assertError(await end(member, person.cr_user_id), 403, 'NOT_ADMIN')
  const unknown = '0197a000-0000-7000-8000-000000000000'
  assertError(await end(admin, unknown), 404, 'NOT_FOUND')
  const stranger = await call(`/v1/users/${person.cr_user_id}/sessions`, {
    method: 'DELETE',
    key: demo.keys.other_tenant,
  })
  assertError(stranger, 404, 'NOT_FOUND')
  assert.equal((await inSession(colleague, '/v1/session')).status, 200)
  const ended = await end(admin, person.cr_user_id)
  assert.equal(ended.status, 200, ended.text)
  assert.deepEqual(ended.body, { ended: 1 })
  assertError(await inSession(colleague, '/v1/session'), 401, 'UNAUTHORIZED')
})

test('a person lists their sessions, ends one, and signs out [P13-session-11]', async () => {
  const listed = await inSession(member, '/v1/sessions')
  const { data: own } = listed.body as { data: { id: string; current: boolean }[] }
  const current = own.find((session) => session.current)
  assert.ok(current !== undefined)
  const unknown = '/v1/sessions/0197a000-0000-7000-8000-000000000000'
  assertError(await inSession(member, unknown, { method: 'DELETE', headers: ownPage }), 404, 'NOT_FOUND')
  const path = `/v1/sessions/${current.id}`
  assert.equal((await inSession(member, path, { method: 'DELETE', headers: ownPage })).status, 204)
  assertError(await inSession(member, '/v1/session'), 401, 'UNAUTHORIZED')
  const out = await call('/auth/logout', { method: 'POST', headers: { cookie: admin, ...ownPage } })
  assert.equal(out.status, 204)
  assert.match(out.headers.get('set-cookie') ?? '', /^__Host-scholiast=;.*Max-Age=0/)
  assertError(await inSession(admin, '/v1/session'), 401, 'UNAUTHORIZED')
})
