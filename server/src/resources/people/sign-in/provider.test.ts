import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createVisits, type Visits } from '../../../../test/browser-visits.ts'
import { startService, type TestResponse, type TestService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import {
  type AccountClaims,
  startIdentityProvider,
  type TestProvider,
} from '../../../../test/identity-provider.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { createScimCaller, makeScimCredential } from '../../../../test/scim.ts'
import { addMember } from '../../../../test/seats/test-seats.ts'
import { waitForLocks } from '../../../../test/wait.ts'
import type { PersonId, RootId } from '../../../ids.ts'
import { addPerson, deactivatePerson, promotePerson } from '../manage.ts'
import { linkUser } from '../scim/link-user.ts'

const origin = 'https://scholiast.example.com'
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const providersFile = `${folder}/providers.json`

const { database, superuser, tenant, use, defer } = await openTenant()
const start = async (id: string) =>
  use(
    await startIdentityProvider(`client-of-${id}`, {
      redirect_uris: [`${origin}/auth/callback/${id}`],
      backchannel_logout_uri: `${origin}/auth/backchannel-logout/${id}`,
      backchannel_logout_session_required: true,
    }),
  )
const [ours, theirs] = await Promise.all([start('ours'), start('theirs')])
writeProviders()
const nodeSettings = { ...limitsOff, PUBLIC_URL: origin, IDENTITY_PROVIDERS_FILE: providersFile }
const nodes = Array.from({ length: 3 }, () => use(startService(database, nodeSettings)))
defer(() => rmSync(folder, { recursive: true }))

interface BoundProvider {
  readonly id: string
  readonly provider: TestProvider
  readonly roots: readonly RootId[]
  readonly domains: readonly string[]
  readonly kind?: 'entra' | 'google'
  readonly fresh_without_auth_time?: 'accept' | 'refuse'
}

function writeProviders(
  providers: readonly BoundProvider[] = [
    { id: 'ours', provider: ours, roots: [tenant.workspace.root], domains: ['ours.example.com'] },
    { id: 'theirs', provider: theirs, roots: [tenant.alone.root], domains: ['theirs.example.com'] },
  ],
): void {
  const entries = providers.map(({ id, provider, kind = 'oidc', ...binding }) => {
    const { issuer, clientId: client_id, clientSecret: client_secret } = provider
    return { id, name: id, kind, issuer, client_id, client_secret, ...binding }
  })
  writeFileSync(providersFile, JSON.stringify({ providers: entries }))
}

const onNode = (index = 0): TestService => nodes[index] ?? assert.fail()
/** Every request goes to the next node. */
function onAllNodes(): Pick<TestService, 'call'> {
  let next = 0
  return { call: (url, options) => onNode(next++ % nodes.length).call(url, options) }
}
const newBrowser = (service: Pick<TestService, 'call'> = onAllNodes()) => createVisits(service, origin)

async function newPerson(email: string, root: RootId = tenant.workspace.root): Promise<PersonId> {
  return tenant.change(root, (change) =>
    addPerson(change, { email, name: email, accounts: [], memberships: [] }),
  )
}

async function signIn(
  browser: Visits,
  account: string,
  claims: AccountClaims,
  query = '',
): Promise<TestResponse> {
  ours.signInAs(account, claims)
  return browser.open(`/auth/login?provider=ours${query}`)
}

const verified = (email: string) => ({ email, email_verified: true })

async function whoIs(browser: Visits): Promise<string | null> {
  const { status, body } = await browser.send('/v1/session')
  return status === 200 ? (body as unknown as { person: { cr_user_id: string } }).person.cr_user_id : null
}

async function refusesSignIn(browser: Visits, response: TestResponse, message: RegExp): Promise<void> {
  assert.ok(response.status >= 400 && response.status < 500, `${response.status} ${response.text}`)
  assert.match(response.text, message)
  assert.equal(await whoIs(browser), null)
}

test('a person signs in with a verified e-mail of a bound domain, on any node, and is known by the identity afterwards [P13-identity-2]', async () => {
  const person = await newPerson('ada@ours.example.com')
  const browser = newBrowser()
  const page = await signIn(
    browser,
    'ada',
    verified('Ada@ours.example.com'),
    '&return_to=/app/findings?week=3',
  )
  assert.equal(page.status, 200, page.text)
  assert.match(page.text, /url=\/app\/findings\?week=3/)
  assert.equal(await whoIs(browser), person)
  const cookie = page.headers['set-cookie'] ?? ''
  for (const part of ['__Host-scholiast=', 'Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict'])
    assert.ok(cookie.includes(part), part)
  // The address has changed since; the identity stays.
  const again = newBrowser()
  await signIn(again, 'ada', verified('renamed@ours.example.com'))
  assert.equal(await whoIs(again), person)
  const { rows } = await superuser.query(
    `select action from audit_log where root_id = $1 and metadata->>'person_id' = $2 order by position`,
    [tenant.workspace.root, person],
  )
  assert.deepEqual(
    rows.map(({ action }: { action: string }) => action),
    ['session_started', 'session_started'],
  )
})

test('a provider of one tenant cannot assert an admin of another tenant [P13-identity-1]', async () => {
  const [victim] = (
    await superuser.query<{ email: string }>('select email from person where id = $1', [
      tenant.workspace.admin,
    ])
  ).rows
  for (const email of [victim?.email ?? '', 'ada@ours.example.com']) {
    theirs.signInAs('attacker', verified(email))
    const browser = newBrowser()
    await refusesSignIn(browser, await browser.open('/auth/login?provider=theirs'), /Nobody here is linked/)
  }
  // The subject of another issuer is another identity.
  theirs.signInAs('ada', verified('nobody@theirs.example.com'))
  const browser = newBrowser()
  await refusesSignIn(browser, await browser.open('/auth/login?provider=theirs'), /Nobody here is linked/)
})

test('an e-mail that is not verified, or of another domain, links nobody [P13-identity-2]', async () => {
  await newPerson('grace@ours.example.com')
  await newPerson('grace@elsewhere.example.com')
  const attempts: readonly AccountClaims[] = [
    { email: 'grace@ours.example.com' },
    { email: 'grace@ours.example.com', email_verified: false },
    { email: 'grace@ours.example.com', email_verified: 'true' },
    verified('grace@elsewhere.example.com'),
    verified('grace@ours.example.com.evil.example'),
    {},
  ]
  for (const claims of attempts) {
    const browser = newBrowser()
    await refusesSignIn(browser, await signIn(browser, randomUUID(), claims), /Nobody here is linked/)
  }
})

test('an address that was given to somebody else does not open the account of its former holder [P13-identity-2]', async () => {
  const person = await newPerson('joan@ours.example.com')
  const first = newBrowser()
  await signIn(first, 'joan-1', verified('joan@ours.example.com'))
  assert.equal(await whoIs(first), person)
  const second = newBrowser()
  const page = await signIn(second, 'joan-2', verified('joan@ours.example.com'))
  await refusesSignIn(second, page, /Another account of your identity provider/)
})

test('a deactivated person is refused, and their session ends', async () => {
  const person = await newPerson('kay@ours.example.com')
  const browser = newBrowser()
  await signIn(browser, 'kay', verified('kay@ours.example.com'))
  assert.equal(await whoIs(browser), person)
  await tenant.change(tenant.workspace.root, (change) => deactivatePerson(change, person))
  assert.equal(await whoIs(browser), null)
  const again = newBrowser()
  await refusesSignIn(again, await signIn(again, 'kay', verified('kay@ours.example.com')), /deactivated/)
})

test('every sign-in has a new session value and ends the one that the browser had [P13-identity-4]', async () => {
  await newPerson('fixed@ours.example.com')
  const browser = newBrowser()
  // Session fixation: a value that somebody planted in the browser is never adopted.
  browser.cookies.set('__Host-scholiast', `sch_ses_${'A'.repeat(36)}`)
  await signIn(browser, 'fixed', verified('fixed@ours.example.com'))
  const first = browser.cookies.get('__Host-scholiast') ?? ''
  assert.notEqual(first, `sch_ses_${'A'.repeat(36)}`)
  await signIn(browser, 'fixed', verified('fixed@ours.example.com'))
  assert.notEqual(browser.cookies.get('__Host-scholiast'), first)
  const thief = newBrowser()
  thief.cookies.set('__Host-scholiast', first)
  assert.equal(await whoIs(thief), null)
})

test('a callback that was started in another browser, or by another provider, is refused [P13-identity-4]', async () => {
  await newPerson('lin@ours.example.com')
  ours.signInAs('lin', verified('lin@ours.example.com'))
  // Login CSRF: the attacker sends the victim's browser to the end of the attacker's own sign-in.
  const attacker = newBrowser()
  const callback = await attacker.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
  const victim = newBrowser()
  await refusesSignIn(
    victim,
    await victim.open(`${callback.pathname}${callback.search}`),
    /not started in this browser/,
  )
  await victim.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
  await refusesSignIn(
    victim,
    await victim.open(`${callback.pathname}${callback.search}`),
    /not started in this browser/,
  )
  // Mix-up: the code of one issuer at the callback of another.
  const mixed = `/auth/callback/theirs${callback.search}`
  await refusesSignIn(attacker, await attacker.open(mixed), /another provider/)
  const foreignIssuer = new URL(callback)
  foreignIssuer.searchParams.set('iss', theirs.issuer)
  await refusesSignIn(
    attacker,
    await attacker.open(`${foreignIssuer.pathname}${foreignIssuer.search}`),
    /did not confirm/,
  )
})

test('a code and a state work once [P13-identity-4]', async () => {
  await newPerson('max@ours.example.com')
  ours.signInAs('max', verified('max@ours.example.com'))
  const browser = newBrowser()
  const callback = await browser.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
  const transaction = browser.cookies.get('__Host-scholiast-sign-in') ?? ''
  assert.equal((await browser.open(`${callback.pathname}${callback.search}`)).status, 200)
  const replay = newBrowser()
  replay.cookies.set('__Host-scholiast-sign-in', transaction)
  await refusesSignIn(replay, await replay.open(`${callback.pathname}${callback.search}`), /used already/)
  // The same code with a state of the thief's own.
  const thief = newBrowser()
  const own = await thief.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
  own.searchParams.set('code', callback.searchParams.get('code') ?? '')
  await refusesSignIn(thief, await thief.open(`${own.pathname}${own.search}`), /did not confirm/)
})

test('a callback with a code that the provider does not know writes nothing, and the sign-in can go on [P13-session-13]', async () => {
  await newPerson('mia@ours.example.com')
  ours.signInAs('mia', verified('mia@ours.example.com'))
  const browser = newBrowser()
  const callback = await browser.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
  const countNonces = async () => (await superuser.query('select from used_nonce')).rowCount
  const stored = await countNonces()
  const invented = new URL(callback)
  invented.searchParams.set('code', 'invented')
  const path = ({ pathname, search }: URL) => `${pathname}${search}`
  await refusesSignIn(browser, await browser.open(path(invented)), /did not confirm/)
  assert.equal(await countNonces(), stored)
  assert.equal((await browser.open(path(callback))).status, 200)
})

test('refused sign-ins are in the audit log of the tenant that they are meant for [P13-session-13]', async () => {
  const readRefusals = async (root: RootId) => {
    const { rows } = await superuser.query<{ metadata: Record<string, unknown> }>(
      `select metadata from audit_log where root_id = $1 and action = 'session_refused' order by position`,
      [root],
    )
    return rows.map(({ metadata: { reason, method, issuer, person_id } }) => [
      reason,
      method,
      issuer,
      person_id,
    ])
  }
  const { root } = tenant.workspace
  const node = startService(database, {
    ...limitsOff,
    PUBLIC_URL: origin,
    IDENTITY_PROVIDERS_FILE: providersFile,
  })
  const visit = (account: string, email: string) => signIn(newBrowser(node), account, verified(email))
  const [gone, taken] = [await newPerson('gone@ours.example.com'), await newPerson('taken@ours.example.com')]
  await visit('gone', 'gone@ours.example.com')
  await visit('taken-1', 'taken@ours.example.com')
  await tenant.change(root, (change) => deactivatePerson(change, gone))
  await superuser.query(`delete from refusal_count where root_id = $1`, [root])
  const earlier = await readRefusals(root)
  await visit('gone', 'gone@ours.example.com')
  await visit('taken-2', 'taken@ours.example.com')
  await visit('stranger', 'stranger@ours.example.com')
  const issuer = ours.issuer
  assert.deepEqual((await readRefusals(root)).slice(earlier.length), [
    ['inactive', 'provider', issuer, gone],
    ['account_not_linked', 'provider', issuer, taken],
    ['unknown_account', 'provider', issuer, undefined],
  ])
  // With several tenants, an unknown account belongs to none of them.
  const roots = [root, tenant.alone.root]
  writeProviders([{ id: 'ours', provider: ours, roots, domains: ['ours.example.com'] }])
  const known = [await readRefusals(root), await readRefusals(tenant.alone.root)]
  await visit('stranger', 'stranger@ours.example.com')
  assert.deepEqual([await readRefusals(root), await readRefusals(tenant.alone.root)], known)
  assert.match(
    await node.readMetrics(),
    /scholiast_sign_in_refusals_total\{reason="unknown_account",method="provider"\} 2/,
  )
  writeProviders()
  await node.stop()
})

test('return_to never leaves the service [P13-session-9]', async () => {
  const browser = newBrowser()
  for (const target of [
    'https://evil.example.com',
    '//evil.example.com',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    '/\t/evil.example.com',
    '/.//evil.example.com',
    '/app/../\\evil.example.com',
    'javascript:alert(1)',
    'app',
    '',
  ]) {
    for (const path of [
      '/auth/login?provider=ours',
      '/auth/sign-in?',
      '/auth/passkeys/new?',
      '/auth/links/any?',
    ]) {
      const page = await browser.send(`${path}&return_to=${encodeURIComponent(target)}`)
      const location = page.headers['location']
      assert.ok(
        page.status === 400 && location === undefined,
        `${path} ${target}: ${page.status} ${location}`,
      )
    }
  }
})

test('redirects use PUBLIC_URL, whatever the request says its host is [P13-session-9]', async () => {
  const { headers } = await newBrowser().send('/auth/login?provider=ours', {
    headers: { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' },
  })
  const redirect = new URL(headers['location'] ?? '').searchParams.get('redirect_uri')
  assert.equal(redirect, `${origin}/auth/callback/ours`)
})

test('a cookie that was stolen does not work after the person signed out [P13-identity-4]', async () => {
  await newPerson('mae@ours.example.com')
  const browser = newBrowser()
  await signIn(browser, 'mae', verified('mae@ours.example.com'))
  const thief = newBrowser()
  thief.cookies.set('__Host-scholiast', browser.cookies.get('__Host-scholiast') ?? '')
  assert.notEqual(await whoIs(thief), null)
  await browser.send('/auth/logout', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
  assert.equal(browser.cookies.get('__Host-scholiast'), undefined)
  assert.equal(await whoIs(thief), null)
})

test('the provider ends the sessions of a person by back-channel logout, and only its own [P13-session-11]', async () => {
  const person = await newPerson('ned@ours.example.com')
  const browser = newBrowser()
  await signIn(browser, 'ned', verified('ned@ours.example.com'))
  assert.equal(await whoIs(browser), person)
  const send = sendLogoutToken
  const sign = signLogoutToken
  assert.equal((await send('x.y.z')).status, 400)
  assert.equal((await send(await sign(theirs, 'ned'), 'ours')).status, 400)
  assert.equal((await send(await sign(theirs, 'ned'), 'theirs')).status, 200)
  assert.equal(await whoIs(browser), person)
  const token = await sign(ours, 'ned')
  assert.equal((await send(token)).status, 200)
  assert.equal(await whoIs(browser), null)
  assert.equal((await send(token)).status, 400)
})

function sendLogoutToken(token: string, id = 'ours', node = onNode(1)): Promise<TestResponse> {
  return node.call(`/auth/backchannel-logout/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  })
}

/** As the provider itself signs them, with its own keys. */
async function signLogoutToken({ provider, clientId }: TestProvider, account: string): Promise<string> {
  const client = (await provider.Client.find(clientId)) ?? assert.fail('The client is not registered.')
  const { IdToken } = provider as unknown as {
    readonly IdToken: new (
      claims: object,
      options: object,
    ) => {
      mask: object
      set(name: string, value: unknown): void
      issue(options: { use: string }): Promise<string>
    }
  }
  const token = new IdToken({ sub: account }, { client, ctx: undefined })
  token.mask = { sub: null }
  token.set('events', { 'http://schemas.openid.net/event/backchannel-logout': {} })
  token.set('jti', randomUUID())
  return token.issue({ use: 'logout' })
}

test('a logout token that could not be handled can be sent again [P13-session-11]', async () => {
  const person = await newPerson('nia@ours.example.com')
  const browser = newBrowser()
  await signIn(browser, 'nia', verified('nia@ours.example.com'))
  assert.equal(await whoIs(browser), person)
  const token = await signLogoutToken(ours, 'nia')
  // Sessions cannot be ended while the log of the root cannot be written.
  await superuser.query('revoke insert on audit_log from scholiast_api')
  const failed = await sendLogoutToken(token)
  await superuser.query('grant insert on audit_log to scholiast_api')
  assert.ok(failed.status >= 500, failed.text)
  assert.equal(await whoIs(browser), person)
  assert.equal((await sendLogoutToken(token)).status, 200)
  assert.equal(await whoIs(browser), null)
  assert.equal((await sendLogoutToken(token)).status, 400)
})

test('a provider that is unavailable is 503, for a logout token and as a page at the callback [P13-session-11]', async () => {
  // A node that starts knows nothing about the provider yet.
  const settings = { ...limitsOff, PUBLIC_URL: origin, IDENTITY_PROVIDERS_FILE: providersFile }
  for (const [path, failure] of [
    ['/.well-known/openid-configuration', 500],
    ['/token', 503],
    ['/token', 'hang up'],
    ['/me', 502],
  ] as const) {
    ours.signInAs('otto')
    const browser = newBrowser()
    const callback = await browser.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
    const node = startService(database, settings)
    const later = newBrowser(node)
    for (const [name, value] of browser.cookies) later.cookies.set(name, value)
    ours.fail(path, failure)
    const page = await later.open(`${callback.pathname}${callback.search}`)
    ours.fail(null)
    await node.stop()
    assert.equal(page.status, 503, `${path}: ${page.text}`)
    assert.match(page.text, /ours is unavailable/)
    assert.match(page.headers['content-type'] ?? '', /text\/html/)
  }
  const token = await signLogoutToken(ours, 'otto')
  for (const path of ['/.well-known/openid-configuration', '/jwks']) {
    const node = startService(database, settings)
    ours.fail(path)
    const refused = await sendLogoutToken(token, 'ours', node)
    ours.fail(null)
    await node.stop()
    assert.equal(refused.status, 503, `${path}: ${refused.text}`)
  }
  assert.equal((await sendLogoutToken(token)).status, 200)
})

async function createScimUser(user: Readonly<Record<string, unknown>>): Promise<string> {
  const { value } = await makeScimCredential(tenant, tenant.workspace)
  const created = await onNode().call('/scim/v2/Users', {
    method: 'POST',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/scim+json' },
    payload: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...user }),
  })
  assert.equal(created.status, 201, created.text)
  return (JSON.parse(created.text) as { readonly id: string }).id
}

test('a second issuer of a root signs in nobody of the first by an external id [P13-identity-1]', async () => {
  const shared = [tenant.workspace.root]
  writeProviders([
    { id: 'ours', provider: ours, roots: shared, domains: ['ours.example.com'] },
    { id: 'theirs', provider: theirs, roots: shared, domains: ['theirs.example.com'] },
  ])
  const id = await createScimUser({
    userName: 'chief',
    externalId: 'scim-chief',
    emails: [{ value: 'chief@ours.example.com', primary: true }],
  })
  await createScimUser({ userName: 'no-address', externalId: 'scim-no-address' })
  for (const account of ['scim-chief', 'scim-no-address']) {
    theirs.signInAs(account, verified('mallory@theirs.example.com'))
    const browser = newBrowser()
    await refusesSignIn(browser, await browser.open('/auth/login?provider=theirs'), /Nobody here is linked/)
  }
  const browser = newBrowser()
  await signIn(browser, 'scim-chief', {})
  assert.equal(await whoIs(browser), id)
  writeProviders()
})

test('a person whom SCIM created signs in by the id of the provider, without an e-mail [P13-identity-2]', async () => {
  const { value } = await makeScimCredential(tenant, tenant.workspace)
  const id = await createScimUser({
    userName: 'tess@elsewhere.example.com',
    externalId: 'scim-tess',
    name: { formatted: 'Tess' },
    active: true,
  })
  const browser = newBrowser()
  await signIn(browser, 'scim-tess', {})
  assert.equal(await whoIs(browser), id)
  const deactivated = await onNode(1).call(`/scim/v2/Users/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/scim+json' },
    payload: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    }),
  })
  assert.equal(deactivated.status, 200, deactivated.text)
  assert.equal(await whoIs(browser), null)
  await refusesSignIn(newBrowser(), await signIn(newBrowser(), 'scim-tess', {}), /deactivated/)
})

test('an account that SCIM names for an active workspace admin does not sign in as the admin [P13-scim-10]', async () => {
  const email = 'head@ours.example.com'
  const { root } = tenant.workspace
  const chief = await newPerson(email)
  await tenant.change(root, (change) => promotePerson(change, chief))
  const { value } = await makeScimCredential(tenant, tenant.workspace)
  const call = createScimCaller(onNode(), value)
  const thief = { userName: 'thief', externalId: 'account-of-thief', emails: [{ value: email }] }
  assert.equal((await call('POST', '/Users', thief)).status, 409)
  await refusesSignIn(
    newBrowser(),
    await signIn(newBrowser(), 'account-of-thief', {}),
    /Nobody here is linked/,
  )

  const account = { userName: email, externalId: 'account-of-chief' }
  await tenant.change(root, (change) => linkUser(change, chief, account))
  const browser = newBrowser()
  await signIn(browser, 'account-of-chief', {})
  assert.equal(await whoIs(browser), chief, 'the operator linked the account')
  const address = 'thief@ours.example.com'
  for (const change of [{ externalId: 'account-of-thief' }, { emails: [{ value: address }] }]) {
    const operation = { op: 'replace', value: change }
    assert.equal((await call('PATCH', `/Users/${chief}`, { Operations: [operation] })).status, 400)
  }
  const refused = newBrowser()
  await refusesSignIn(refused, await signIn(refused, 'account-of-thief', verified(address)), /Nobody here/)
  assert.equal(await whoIs(browser), chief)
})

test('a changed external id ends the sign-ins of the former account [P13-scim-9]', async () => {
  const id = await createScimUser({ userName: 'vera@ours.example.com', externalId: 'vera-1' })
  const browser = newBrowser()
  await signIn(browser, 'vera-1', {})
  assert.equal(await whoIs(browser), id)
  const { value } = await makeScimCredential(tenant, tenant.workspace)
  const operation = { op: 'replace', path: 'externalId', value: 'vera-2' }
  const call = createScimCaller(onNode(1), value)
  assert.equal((await call('PATCH', `/Users/${id}`, { Operations: [operation] })).status, 200)
  assert.equal(await whoIs(browser), null)
  await refusesSignIn(newBrowser(), await signIn(newBrowser(), 'vera-1', {}), /Nobody here is linked/)
  const next = newBrowser()
  await signIn(next, 'vera-2', {})
  assert.equal(await whoIs(next), id)
})

test('an account that is changed while it signs in is refused [P13-scim-9]', async () => {
  const id = await createScimUser({ userName: 'race@ours.example.com', externalId: 'race-1' })
  const client = await superuser.connect()
  try {
    await client.query('begin')
    await client.query('select from person where id = $1 for update', [id])
    const browser = newBrowser()
    const signedIn = signIn(browser, 'race-1', {})
    await waitForLocks(superuser)
    await client.query(`update scim_user set external_id = 'race-2' where person_id = $1`, [id])
    await client.query('commit')
    await refusesSignIn(browser, await signedIn, /changed while you signed in/)
  } finally {
    client.release()
  }
})

test('a fresh sign-in asks the provider for the password again [P13-session-7]', async () => {
  const { headers } = await newBrowser().send('/auth/login?provider=ours&fresh=1')
  const parameters = new URL(headers['location'] ?? '').searchParams
  assert.deepEqual([parameters.get('prompt'), parameters.get('max_age')], ['login', '0'])
  assert.deepEqual(
    [parameters.get('code_challenge_method'), parameters.get('response_type')],
    ['S256', 'code'],
  )
})

/** Seconds until the session is no longer fresh; null if nothing says when the person signed in. */
async function readFreshness(browser: Visits): Promise<number | null> {
  const { status, body, text } = await browser.send('/v1/session')
  assert.equal(status, 200, text)
  const until = body['fresh_until'] as unknown as string | null
  return until === null ? null : Math.round((Date.parse(until) - Date.now()) / 1000)
}

async function needsFreshSignIn(browser: Visits): Promise<boolean> {
  const { status, body } = await browser.send('/auth/passkeys/registration/options', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(status, 403)
  return body.error?.code === 'REAUTHENTICATION_REQUIRED'
}

async function readLastSignIn(person: PersonId): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await superuser.query<{ metadata: Record<string, unknown> }>(
    `select metadata from audit_log where root_id = $1 and action = 'session_started' and metadata->>'person_id' = $2
     order by position desc limit 1`,
    [tenant.workspace.root, person],
  )
  return rows[0]?.metadata ?? assert.fail('The sign-in was not audited.')
}

test('auth_time decides whether a sign-in is fresh, and a future one counts from now [P13-session-12]', async (context) => {
  context.after(() => ours.sendAuthTime('true time'))
  const person = await newPerson('fay@ours.example.com')
  const account = ['fay', verified('fay@ours.example.com')] as const
  const proven = newBrowser()
  await signIn(proven, ...account)
  assert.equal(await needsFreshSignIn(proven), false)
  assert.equal((await readLastSignIn(person))['fresh'], undefined)
  ours.sendAuthTime({ later: 3600 })
  const ahead = newBrowser()
  await signIn(ahead, ...account)
  const left = (await readFreshness(ahead)) ?? assert.fail()
  assert.ok(left > 590 && left <= 600, `${left}`)
  // The provider ignored prompt=login: the person signed in an hour ago.
  ours.sendAuthTime({ later: -3600 })
  const old = newBrowser()
  await signIn(old, ...account, '&fresh=1')
  assert.equal(await needsFreshSignIn(old), true)
  assert.ok(((await readFreshness(old)) ?? 0) < 0)
})

test('without auth_time, a redirect that did not request a fresh sign-in is not fresh [P13-session-12]', async (context) => {
  context.after(() => ours.sendAuthTime('true time'))
  ours.sendAuthTime('none')
  const person = await newPerson('gus@ours.example.com')
  ours.signInAs('gus', verified('gus@ours.example.com'))
  const silent = newBrowser()
  const callback = await silent.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
  // Only what was signed when the sign-in started counts.
  assert.equal((await silent.open(`${callback.pathname}${callback.search}&fresh=1`)).status, 200)
  assert.equal(await whoIs(silent), person)
  assert.equal(await readFreshness(silent), null)
  assert.equal(await needsFreshSignIn(silent), true)
})

test('auth_time of userinfo does not count', async (context) => {
  context.after(() => ours.sendAuthTime('true time'))
  ours.sendAuthTime('none')
  await newPerson('ida@ours.example.com')
  const browser = newBrowser()
  await signIn(browser, 'ida', {
    ...verified('ida@ours.example.com'),
    auth_time: Math.floor(Date.now() / 1000),
  })
  assert.equal(await readFreshness(browser), null)
})

test('without auth_time, a setting of the provider decides on a sign-in that was to be fresh [P13-session-12]', async (context) => {
  context.after(() => {
    ours.sendAuthTime('true time')
    writeProviders()
  })
  ours.sendAuthTime('none')
  const person = await newPerson('hal@ours.example.com')
  const account = ['hal', verified('hal@ours.example.com')] as const
  const accepted = newBrowser()
  await signIn(accepted, ...account, '&fresh=1')
  assert.equal(await needsFreshSignIn(accepted), false)
  assert.equal((await readLastSignIn(person))['fresh'], 'unproven')
  const bound = { roots: [tenant.workspace.root], domains: ['ours.example.com'] } as const
  writeProviders([{ id: 'ours', provider: ours, ...bound, fresh_without_auth_time: 'refuse' }])
  const browser = newBrowser()
  await signIn(browser, ...account)
  assert.equal(await readFreshness(browser), null)
  const page = await signIn(browser, ...account, '&fresh=1')
  assert.equal(page.status, 403)
  assert.match(page.text, /does not say when you signed in/)
  assert.equal(await whoIs(browser), person, 'the session that the browser had goes on')
  ours.sendAuthTime('true time')
  await signIn(browser, ...account, '&fresh=1')
  assert.equal(await needsFreshSignIn(browser), false)
})

test('a person of several tenants who signs in again is fresh after the choice of one [P13-session-12]', async (context) => {
  context.after(() => {
    ours.sendAuthTime('true time')
    writeProviders()
  })
  ours.sendAuthTime('none')
  const roots = [tenant.workspace.root, tenant.alone.root]
  writeProviders([{ id: 'ours', provider: ours, roots, domains: ['ours.example.com'] }])
  for (const root of roots) await newPerson('ivy@ours.example.com', root)
  const browser = newBrowser()
  const choices = await signIn(browser, 'ivy', verified('ivy@ours.example.com'), '&fresh=1')
  const [, link = ''] = /href="(\/auth\/login[^"]*)"/.exec(choices.text) ?? assert.fail(choices.text)
  await browser.open(link.replaceAll('&amp;', '&'))
  assert.equal(await needsFreshSignIn(browser), false)
})

test('Entra is identified by directory and object, Google by the company [P13-identity-3]', async () => {
  const person = await newPerson('olga@ours.example.com')
  const bound = { roots: [tenant.workspace.root], domains: ['ours.example.com'] } as const
  writeProviders([{ id: 'ours', provider: ours, kind: 'entra', ...bound }])
  const entra = newBrowser()
  await signIn(entra, 'pairwise-1', { ...verified('olga@ours.example.com'), tid: 'directory', oid: 'object' })
  assert.equal(await whoIs(entra), person)
  const otherSubject = newBrowser()
  await signIn(otherSubject, 'pairwise-2', { tid: 'directory', oid: 'object' })
  assert.equal(await whoIs(otherSubject), person)
  const otherDirectory = newBrowser()
  const page = await signIn(otherDirectory, 'pairwise-1', { tid: 'another', oid: 'object' })
  await refusesSignIn(otherDirectory, page, /Nobody here is linked/)
  await refusesSignIn(newBrowser(), await signIn(newBrowser(), 'pairwise-1', {}), /tid and oid/)

  writeProviders([{ id: 'ours', provider: ours, kind: 'google', ...bound }])
  const own = await newPerson('pia@ours.example.com')
  for (const hd of [undefined, 'gmail.com']) {
    const browser = newBrowser()
    const claims = { ...verified('pia@ours.example.com'), ...(hd !== undefined && { hd }) }
    await refusesSignIn(browser, await signIn(browser, 'pia', claims), /work account/)
  }
  const google = newBrowser()
  await signIn(google, 'pia', { ...verified('pia@ours.example.com'), hd: 'ours.example.com' })
  assert.equal(await whoIs(google), own)
  writeProviders()
})

test('a person of several tenants chooses one, and the session belongs to it [P13-session-2]', async () => {
  writeProviders([
    {
      id: 'ours',
      provider: ours,
      roots: [tenant.workspace.root, tenant.alone.root],
      domains: ['ours.example.com'],
    },
  ])
  await newPerson('quinn@ours.example.com')
  const there = await newPerson('quinn@ours.example.com', tenant.alone.root)
  const browser = newBrowser()
  const claims = verified('quinn@ours.example.com')
  const choices = await signIn(browser, 'quinn', claims, '&return_to=/app/keys')
  assert.equal(choices.status, 200, choices.text)
  assert.match(choices.text, /several workspaces/)
  assert.equal(await whoIs(browser), null)
  const links = [...choices.text.matchAll(/href="(\/auth\/login[^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  )
  assert.equal(links.length, 2)
  const page = await browser.open(links.find((link) => link.includes(tenant.alone.root)) ?? assert.fail())
  assert.match(page.text, /url=\/app\/keys/)
  assert.equal(await whoIs(browser), there)
  const organization = tenant.workspace.organizations[0].id
  const { status } = await browser.send('/v1/keys/self', {
    headers: { 'x-scholiast-organization': organization },
  })
  assert.equal(status, 404)
  await refusesSignIn(
    newBrowser(),
    await signIn(newBrowser(), 'quinn', claims, `&root=${randomUUID()}`),
    /do not belong/,
  )
  writeProviders()
})

test('an address that is taken in one tenant does not keep a person out of another [P13-session-2]', async () => {
  const roots = [tenant.workspace.root, tenant.alone.root]
  await newPerson('rosa@ours.example.com')
  const first = newBrowser()
  await signIn(first, 'rosa-1', verified('rosa@ours.example.com'))
  const there = await newPerson('rosa@ours.example.com', tenant.alone.root)
  writeProviders([{ id: 'ours', provider: ours, roots, domains: ['ours.example.com'] }])
  const browser = newBrowser()
  await signIn(browser, 'rosa-2', verified('rosa@ours.example.com'))
  assert.equal(await whoIs(browser), there)
  writeProviders()
})

test('root ids of the providers file may be in upper case [P13-identity-1]', async () => {
  const person = await newPerson('uma@ours.example.com')
  const roots = [tenant.workspace.root.toUpperCase() as RootId]
  writeProviders([{ id: 'ours', provider: ours, roots, domains: ['ours.example.com'] }])
  const browser = newBrowser()
  await signIn(browser, 'uma', verified('uma@ours.example.com'))
  assert.equal(await whoIs(browser), person)
  assert.equal((await sendLogoutToken(await signLogoutToken(ours, 'uma'))).status, 200)
  assert.equal(await whoIs(browser), null)
  writeProviders()
})

test('a rolling restart of the nodes ends no session and no sign-in', async () => {
  const { person } = await addMember(tenant, [tenant.workspace.organizations[0]])
  await superuser.query('update person set email = $2 where id = $1', [person, 'rolling@ours.example.com'])
  const settings = { ...limitsOff, PUBLIC_URL: origin, IDENTITY_PROVIDERS_FILE: providersFile }
  let current = startService(database, settings)
  const browser = newBrowser({ call: (url, options) => current.call(url, options) })
  const restart = async () => {
    const old = current
    current = startService(database, settings)
    await old.stop()
  }
  ours.signInAs('rolling', verified('rolling@ours.example.com'))
  const callback = await browser.openUntil('/auth/login?provider=ours', '/auth/callback/ours')
  await restart()
  assert.equal((await browser.open(`${callback.pathname}${callback.search}`)).status, 200)
  await restart()
  assert.equal(await whoIs(browser), person)
  await current.stop()
})
