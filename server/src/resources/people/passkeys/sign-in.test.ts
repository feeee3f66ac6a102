// Sign-in by links and passkeys in a real browser, against three nodes of the service: each request goes to the next one.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBalancer } from '../../../../test/balancer.ts'
import { launchBrowser, openPage, type TestPage } from '../../../../test/browser.ts'
import { startService, type TestService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import type { TestRoot } from '../../../../test/tenant.ts'
import { createLink } from '../links/manage.ts'
import type { LinkPurpose } from '../links/sql.ts'
import { deactivatePerson, reactivatePerson } from '../manage.ts'

const SESSION_COOKIE = '__Host-scholiast'
const CHALLENGE_COOKIE = '__Host-scholiast-challenge'

const { database, superuser, tenant, use, defer } = await openTenant()
const folder = mkdtempSync(join(tmpdir(), 'scholiast-'))
const providersFile = join(folder, 'providers.json')
bindIssuer([])
const balancer = use(await startBalancer())
const url = balancer.url.replace('127.0.0.1', 'localhost')
let nodes: readonly Node[] = await Promise.all([startNode(), startNode(), startNode()])
const browser = use(await launchBrowser())
defer(async () => {
  await Promise.all(nodes.map(({ service }) => service.stop()))
  rmSync(folder, { recursive: true })
})

interface Node {
  readonly service: TestService
  readonly address: string
}

async function startNode(): Promise<Node> {
  const service = startService(database, {
    ...limitsOff,
    PUBLIC_URL: url,
    IDENTITY_PROVIDERS_FILE: providersFile,
  })
  const address = await service.listen()
  await balancer.add(address)
  return { service, address }
}

/** Replaces the nodes one by one, as an operator does for a new version. */
async function restartNodes(): Promise<void> {
  const replaced: Node[] = []
  for (const { service, address } of nodes) {
    replaced.push(await startNode())
    await balancer.takeOut(address)
    await service.stop()
  }
  nodes = replaced
}

/** Lets the roots sign in by a provider. */
function bindIssuer(roots: readonly string[]): void {
  const provider = {
    id: 'acme',
    name: 'Acme',
    issuer: 'http://localhost:9',
    client_id: 'c',
    client_secret: 's',
    domains: [],
  }
  writeFileSync(
    providersFile,
    JSON.stringify({ providers: roots.length === 0 ? [] : [{ ...provider, roots }] }),
  )
}

async function makeLink({ root, admin }: TestRoot, purpose: LinkPurpose, minutes = 10): Promise<string> {
  const { value } = await tenant.change(root, (change) => createLink(change, admin, { purpose, minutes }))
  return `${url}/auth/links/${value}`
}

/** A request that a page of the service would send. */
function send(method: string, path: string, { cookie, body }: { cookie?: string; body?: unknown } = {}) {
  return fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(cookie && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function readCode(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code
}

async function getCookie({ context }: TestPage, name: string): Promise<string> {
  const found = (await context.cookies(url)).find((cookie) => cookie.name === name)
  return `${name}=${found?.value ?? assert.fail(`no cookie ${name}`)}`
}

async function listActions(root: string): Promise<string[]> {
  const { rows } = await superuser.query<{ action: string }>(
    'select action from audit_log where root_id = $1 order by position',
    [root],
  )
  return rows.map(({ action }) => action)
}

const alert = (page: Page) => page.locator('[role="alert"]')

async function signInWithPasskey(page: Page): Promise<void> {
  await page.goto(`${url}/auth/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${url}/auth/sign-in`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

/** Accepts an invitation and adds a passkey. */
async function register(of: TestRoot): Promise<TestPage> {
  const opened = await openPage(browser)
  const { page } = opened
  await page.goto(await makeLink(of, 'invitation', 60))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/auth/passkeys/new')
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor()
  return opened
}

test('a link signs a person in once: opening it uses nothing up, the button does, and a second use is refused [P13-links-1]', async () => {
  const { workspace } = tenant
  const link = await makeLink(workspace, 'sign_in')
  for (const method of ['HEAD', 'GET', 'GET']) {
    const opened = await fetch(link, { method })
    assert.equal(opened.status, 200)
    assert.equal(opened.headers.get('set-cookie'), null)
    assert.equal(opened.headers.get('cache-control'), 'no-store')
  }
  assert.equal(await readCode(await fetch(link, { method: 'POST' })), 'CROSS_SITE_REQUEST')
  const { page, context, problems } = await openPage(browser, { viewport: { width: 400, height: 800 } })
  await page.goto(link)
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth'),
    400,
    'nothing is wider than the screen',
  )
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${url}/app`)
  const cookies = await context.cookies(url)
  assert.deepEqual(
    cookies.map(({ name, httpOnly, secure, sameSite }) => ({ name, httpOnly, secure, sameSite })),
    [{ name: SESSION_COOKIE, httpOnly: true, secure: true, sameSite: 'Strict' }],
  )
  for (const method of ['GET', 'POST']) {
    const again = await send(method, link)
    assert.equal(again.status, 404)
    assert.equal(again.headers.get('set-cookie'), null)
    assert.match(await again.text(), /This link does not work/)
  }
  assert.deepEqual(problems, [])
  const actions = await listActions(workspace.root)
  assert.ok(actions.includes('person_sign_in_link_created') && actions.includes('person_sign_in_link_used'))
  const { rows } = await superuser.query<{ text: string }>(
    'select string_agg(l::text, $1) as text from sign_in_link l',
    [' '],
  )
  assert.doesNotMatch(rows[0]?.text ?? '', /sch_lnk_/, 'only its hash is stored')
  await context.close()
})

test('many requests at once redeem a link once [P13-links-1]', async () => {
  const link = await makeLink(tenant.workspace, 'sign_in')
  const responses = await Promise.all(Array.from({ length: 20 }, () => send('POST', link)))
  assert.equal(responses.filter(({ status }) => status === 303).length, 1)
  assert.equal(responses.filter(({ status }) => status === 404).length, 19)
})

test('a link that expired, was replaced or was mistyped, or whose person is deactivated, does not work [P13-links-1]', async () => {
  const { workspace } = tenant
  const [replaced, mistyped] = [
    await makeLink(workspace, 'sign_in'),
    `${url}/auth/links/sch_lnk_${'0'.repeat(36)}`,
  ]
  const expired = await makeLink(workspace, 'sign_in', -1)
  for (const link of [replaced, expired, mistyped]) assert.equal((await send('POST', link)).status, 404, link)
  const link = await makeLink(workspace, 'sign_in')
  await tenant.change(workspace.root, (change) => deactivatePerson(change, workspace.admin))
  assert.equal((await send('POST', link)).status, 404)
  await tenant.change(workspace.root, (change) => reactivatePerson(change, workspace.admin))
  assert.equal((await send('POST', link)).status, 303)
})

test('an invited person adds a passkey, signs out, signs in with it, and removes it, while the nodes restart [P13-passkeys-3]', async () => {
  const { alone } = tenant
  const restarted = restartNodes()
  const opened = await register(alone)
  const { page, problems, context } = opened
  await signOut(page)
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/passkeys/authentication')) bodies.push(request.postData() ?? '')
  })
  await signInWithPasskey(page)
  await page.waitForURL(`${url}/app`)
  const session = await getCookie(opened, SESSION_COOKIE)
  const listed = (await (await send('GET', '/auth/passkeys', { cookie: session })).json()) as {
    data: { id: string; name: string; last_used_at: string | null }[]
  }
  assert.deepEqual(
    listed.data.map(({ name, last_used_at }) => [name, last_used_at !== null]),
    [['Laptop', true]],
  )

  // The same response with the same challenge.
  const [body = ''] = bodies
  const challenge = await getCookie(opened, CHALLENGE_COOKIE)
  const replayed = await send('POST', '/auth/passkeys/authentication', {
    cookie: challenge,
    body: JSON.parse(body),
  })
  assert.equal(await readCode(replayed), 'INVALID_REQUEST')
  // The same response with a new challenge.
  const options = await send('POST', '/auth/passkeys/authentication/options')
  const [fresh = ''] = options.headers.get('set-cookie')?.split(';') ?? []
  const mixed = await send('POST', '/auth/passkeys/authentication', { cookie: fresh, body: JSON.parse(body) })
  assert.equal(await readCode(mixed), 'UNAUTHORIZED')

  await restarted
  await page.goto(`${url}/auth/passkeys/new`)
  await page.getByRole('button', { name: 'Remove' }).click()
  // The session was started by the passkey and ends with it.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signInWithPasskey(page)
  await alert(page).filter({ hasText: 'does not sign in anybody' }).waitFor()
  assert.deepEqual(problems, [])
  const actions = await listActions(alone.root)
  for (const action of [
    'person_invited',
    'person_invitation_accepted',
    'person_passkey_added',
    'person_passkey_removed',
  ])
    assert.ok(actions.includes(action), action)
  await context.close()
})

test('a passkey of a deactivated person, or one whose counter did not rise, is refused [P13-passkeys-3]', async () => {
  const { lower } = tenant
  const { page, context } = await register(lower)
  await signOut(page)
  await tenant.change(lower.root, (change) => deactivatePerson(change, lower.admin))
  await signInWithPasskey(page)
  await alert(page).filter({ hasText: 'does not sign in anybody' }).waitFor()
  await tenant.change(lower.root, (change) => reactivatePerson(change, lower.admin))
  await signInWithPasskey(page)
  await page.waitForURL(`${url}/app`)
  await signOut(page)
  await superuser.query('update passkey set counter = 1000000 where root_id = $1', [lower.root])
  await signInWithPasskey(page)
  await alert(page).filter({ hasText: 'does not sign in anybody' }).waitFor()
  assert.equal((await listActions(lower.root)).at(-1), 'person_passkey_refused')
  await context.close()
})

test('removing a passkey ends the sessions that it started, and no other [P13-passkeys-4]', async () => {
  const opened = await register(tenant.alone)
  const { page, context } = opened
  const invited = await getCookie(opened, SESSION_COOKIE)
  await context.clearCookies()
  await signInWithPasskey(page)
  await page.waitForURL(`${url}/app`)
  const byPasskey = await getCookie(opened, SESSION_COOKIE)
  const readStatuses = () =>
    Promise.all(
      [invited, byPasskey].map(async (cookie) => (await send('GET', '/v1/session', { cookie })).status),
    )
  assert.deepEqual(await readStatuses(), [200, 200])
  const list = await send('GET', '/auth/passkeys', { cookie: invited })
  const { data } = (await list.json()) as { data: { id: string }[] }
  for (const { id } of data)
    assert.equal((await send('DELETE', `/auth/passkeys/${id}`, { cookie: invited })).status, 204)
  assert.deepEqual(await readStatuses(), [200, 401])
  assert.deepEqual((await listActions(tenant.alone.root)).slice(-2), [
    'person_passkey_removed',
    'session_ended',
  ])
  await context.close()
})

test('a stolen cookie without a recent sign-in neither adds nor removes a passkey [P13-passkeys-2]', async () => {
  const { instance } = tenant
  const opened = await register(instance)
  const cookie = await getCookie(opened, SESSION_COOKIE)
  const { rows } = await superuser.query<{ id: string }>('select id from passkey where root_id = $1', [
    instance.root,
  ])
  await superuser.query(
    `update session set authenticated_at = now() - interval '11 minutes' where root_id = $1`,
    [instance.root],
  )
  for (const [method, path] of [
    ['POST', '/auth/passkeys/registration/options'],
    ['POST', '/auth/passkeys/registration'],
    ['DELETE', `/auth/passkeys/${rows[0]?.id}`],
  ] as const) {
    const refused = await send(method, path, { cookie, ...(method === 'POST' && { body: {} }) })
    assert.equal(refused.status, 403, path)
    assert.equal(await readCode(refused), 'REAUTHENTICATION_REQUIRED', path)
  }
  await opened.page.goto(`${url}/auth/passkeys/new`)
  await opened.page.getByRole('button', { name: 'Add a passkey' }).click()
  await alert(opened.page).filter({ hasText: 'Sign in again' }).waitFor()
  await opened.page.goto(`${url}/auth/sign-in`)
  const loaded = opened.page.waitForEvent('load')
  await opened.page.getByRole('button', { name: 'Sign in again with a passkey' }).click()
  await loaded
  const again = await getCookie(opened, SESSION_COOKIE)
  assert.notEqual(again, cookie, 'every sign-in has a new session')
  assert.equal(
    (await send('POST', '/auth/passkeys/registration/options', { cookie: again, body: {} })).status,
    200,
  )
  assert.equal((await send('GET', '/auth/passkeys', { cookie })).status, 401, 'the earlier session has ended')
  assert.equal((await send('GET', '/auth/passkeys')).status, 401)
  await opened.context.close()
})

test('a company that signs in by its provider allows no passkeys; its invitations lead to the provider [P13-passkeys-1]', async () => {
  const { workspace } = tenant
  const opened = await register(workspace)
  const { page, context } = opened
  bindIssuer([workspace.root])
  const cookie = await getCookie(opened, SESSION_COOKIE)
  const options = await send('POST', '/auth/passkeys/registration/options', { cookie, body: {} })
  assert.equal(await readCode(options), 'PERMISSION_DENIED')
  await signOut(page)
  await page.getByRole('link', { name: 'Continue with Acme' }).waitFor()
  await signInWithPasskey(page)
  await alert(page).filter({ hasText: 'identity provider' }).waitFor()

  const invitation = await makeLink(workspace, 'invitation', 60)
  const accepted = await send('POST', invitation)
  assert.match(await accepted.text(), /url=\/auth\/login\?provider=acme"/)
  assert.match(accepted.headers.get('set-cookie') ?? '', /^__Host-scholiast-invitation=[^;]+;.*SameSite=Lax/)
  assert.doesNotMatch(
    accepted.headers.get('set-cookie') ?? '',
    /__Host-scholiast=/,
    'nobody is signed in yet',
  )
  // An emergency: the operator's link works without the provider.
  const emergency = await send('POST', await makeLink(workspace, 'sign_in'))
  assert.match(emergency.headers.get('set-cookie') ?? '', /^__Host-scholiast=/)
  bindIssuer([])
  await context.close()
})
