// What refused sign-ins leave behind: nothing in the database for anonymous ones, a row of the audit log where somebody is known.

import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { startService, type TestResponse } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import type { TestRoot } from '../../../../test/tenant.ts'
import { createLink } from '../links/manage.ts'
import { deactivatePerson, reactivatePerson } from '../manage.ts'
import { createUserHandle } from '../passkeys/manage.ts'

const origin = 'https://scholiast.example.com'
const ownPage = { 'sec-fetch-site': 'same-origin' }
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)

const { database, superuser, tenant, use, defer } = await openTenant()
const service = use(startService(database, { ...limitsOff, PUBLIC_URL: origin }))
defer(() => rmSync(folder, { recursive: true }))

interface Passkey {
  readonly credentialId: Buffer
  readonly userHandle: Buffer
  readonly key: KeyObject
}

/** A passkey of the admin of a root, whose private key the test has. */
async function plantPasskey({ root, admin }: TestRoot): Promise<Passkey> {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // The COSE key of ES256.
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const credentialId = randomBytes(32)
  await superuser.query(
    `insert into passkey (root_id, id, person_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, $5, 0, '{}', 'test', now())`,
    [root, randomUUID(), admin, credentialId, cose],
  )
  return { credentialId, userHandle: createUserHandle(root, admin), key }
}

function newPasskey(): Passkey {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { credentialId: randomBytes(32), userHandle: randomBytes(32), key }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

interface Ceremony {
  readonly cookie: string
  readonly body: object
}

/** Gets a challenge and signs it as an authenticator does. */
async function startCeremony({ credentialId, userHandle, key }: Passkey): Promise<Ceremony> {
  const options = await post('/auth/passkeys/authentication/options')
  assert.equal(options.status, 200, options.text)
  const { challenge } = options.body as unknown as { readonly challenge: string }
  const clientData = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
  )
  const authenticatorData = Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([0x05, 0, 0, 0, 0])])
  const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key)
  return {
    cookie: options.headers['set-cookie']?.split(';')[0] ?? '',
    body: {
      id: credentialId.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: userHandle.toString('base64url'),
    },
  }
}

const finish = ({ cookie, body }: Ceremony) =>
  service.call('/auth/passkeys/authentication', { method: 'POST', headers: { ...ownPage, cookie }, body })

const post = (path: string, headers: Record<string, string> = {}, on = service): Promise<TestResponse> =>
  on.call(path, { method: 'POST', headers: { ...ownPage, ...headers } })

async function countNonces(): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>('select count(*)::int from used_nonce')
  return rows[0]?.count ?? assert.fail()
}

async function readRefusals(root: string): Promise<unknown[]> {
  const { rows } = await superuser.query<{ metadata: Record<string, unknown> }>(
    `select metadata from audit_log where root_id = $1 and action = 'session_refused' order by position`,
    [root],
  )
  return rows.map(({ metadata: { reason, method, person_id } }) => [reason, method, person_id])
}

async function readCount(reason: string, method: string): Promise<number> {
  const line = new RegExp(
    `^scholiast_sign_in_refusals_total\\{reason="${reason}",method="${method}"\\} (\\d+)$`,
    'm',
  )
  return Number(line.exec(await service.readMetrics())?.[1] ?? 0)
}

test('passkeys that nobody registered write nothing to the database [P13-session-13]', async () => {
  const stored = await countNonces()
  for (let n = 0; n < 3; n++) {
    const refused = await finish(await startCeremony(newPasskey()))
    assert.deepEqual([refused.status, refused.body.error?.code], [401, 'UNAUTHORIZED'])
  }
  assert.equal(await countNonces(), stored)
  assert.equal(await readCount('unknown_passkey', 'passkey'), 3)
})

test('a challenge signs in once, whatever arrives at the same time [P13-session-13]', async () => {
  const ceremony = await startCeremony(await plantPasskey(tenant.alone))
  const responses = await Promise.all(Array.from({ length: 10 }, () => finish(ceremony)))
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  const others = responses.filter(({ status }) => status !== 200).map(({ body }) => body.error?.code)
  assert.deepEqual([...new Set(others)], ['INVALID_REQUEST'])
  assert.equal(await countNonces(), 1)
  assert.ok((await readRefusals(tenant.alone.root)).length <= 2, 'the first of a minute, whatever the number')
})

test('a refused passkey of a known person is in the audit log [P13-session-13]', async () => {
  const { lower } = tenant
  const passkey = await plantPasskey(lower)
  const stored = await countNonces()
  assert.equal((await finish(await startCeremony({ ...passkey, key: newPasskey().key }))).status, 401)
  await tenant.change(lower.root, (change) => deactivatePerson(change, lower.admin))
  assert.equal((await finish(await startCeremony(passkey))).status, 401)
  await tenant.change(lower.root, (change) => reactivatePerson(change, lower.admin))
  assert.equal(await countNonces(), stored)
  assert.equal((await finish(await startCeremony(passkey))).status, 200)
  assert.deepEqual(await readRefusals(lower.root), [
    ['wrong_signature', 'passkey', lower.admin],
    ['inactive', 'passkey', lower.admin],
  ])
})

test('a link that was used, or whose person is deactivated, is in the audit log; an unknown one is counted [P13-session-13]', async () => {
  const { root, admin } = tenant.instance
  const { value } = await tenant.change(root, (change) =>
    createLink(change, admin, { purpose: 'sign_in', minutes: 10 }),
  )
  assert.equal((await post(`/auth/links/${value}`)).status, 303)
  const again = await service.call(`/auth/links/${value}`)
  assert.equal(again.status, 404)
  assert.match(again.text, /This link does not work/)
  assert.deepEqual(await readRefusals(root), [['used_link', 'link', admin]])
  const unknown = await post(`/auth/links/${value.slice(0, 8)}${'0'.repeat(value.length - 8)}`)
  assert.equal(unknown.status, 404)
  assert.equal(await readCount('unknown_link', 'link'), 1)
  const next = await tenant.change(root, (change) =>
    createLink(change, admin, { purpose: 'sign_in', minutes: 10 }),
  )
  await tenant.change(root, (change) => deactivatePerson(change, admin))
  assert.equal((await post(`/auth/links/${next.value}`)).status, 404)
  await tenant.change(root, (change) => reactivatePerson(change, admin))
  assert.deepEqual((await readRefusals(root)).at(-1), ['inactive', 'link', admin])
  assert.match(
    await service.readMetrics(),
    /scholiast_http_refusals_total\{route="\/auth\/links\/\{link\}",code="NOT_FOUND"\} \d/,
  )
})

test('attempts of a network are limited over all paths, on a node, and nothing else is [P13-session-13]', async (context) => {
  const providersFile = `${folder}/providers.json`
  const provider = {
    id: 'acme',
    name: 'Acme',
    issuer: 'http://127.0.0.1:9',
    client_id: 'c',
    client_secret: 's',
  }
  writeFileSync(
    providersFile,
    JSON.stringify({ providers: [{ ...provider, roots: [tenant.workspace.root], domains: [] }] }),
  )
  const limited = startService(database, {
    PUBLIC_URL: origin,
    IDENTITY_PROVIDERS_FILE: providersFile,
    TRUSTED_PROXIES: '127.0.0.1',
    // Nothing is admitted again while the test runs.
    LIMIT_SIGN_IN: '60/3600',
  })
  context.after(() => limited.stop())
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const options = '/auth/passkeys/authentication/options'
  // The paths share the limit. The provider is unavailable, which refuses nobody.
  for (let n = 0; n < 30; n++) {
    const headers = from(`2001:db8:0:1::${n + 1}`)
    assert.equal((await post(options, headers, limited)).status, 200)
    assert.equal((await limited.call('/auth/callback/acme?state=x', { headers })).status, 400)
  }
  const refused = await post(options, from('2001:db8:0:1:ffff::1'), limited)
  assert.deepEqual([refused.status, refused.body.error?.code], [429, 'RATE_LIMIT_EXCEEDED'])
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  for (const address of ['2001:db8:0:2::1', '192.0.2.1'])
    assert.equal((await post(options, from(address), limited)).status, 200, address)
  const flooded = from('2001:db8:0:1::1')
  const get = (path: string) => limited.call(path, { headers: flooded })
  for (let n = 0; n < 31; n++) {
    for (const path of ['/auth/providers', '/auth/sign-in', '/auth/sign-in.js'])
      assert.equal((await get(path)).status, 200)
  }
  const page = await get('/auth/callback/acme?state=x')
  assert.equal(page.status, 429)
  assert.match(page.headers['content-type'] ?? '', /text\/html/)
  assert.match(page.text, /Too many sign-ins from your network/)
  assert.ok(Number(page.headers['retry-after']) >= 1)
  // Logout tokens are signed, and many may come at once.
  for (let n = 0; n < 31; n++) {
    const logout = await limited.call('/auth/backchannel-logout/none', {
      method: 'POST',
      headers: { ...flooded, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'logout_token=x',
    })
    assert.equal(logout.status, 404)
  }
  assert.equal((await post('/auth/logout', flooded, limited)).status, 204)
  assert.match(
    await limited.readMetrics(),
    /scholiast_sign_in_refusals_total\{reason="rate_limited",method="passkey"\} 1/,
  )
})

test('a sign-in starts in a window, not as a part of a page of another site', async () => {
  const path = '/auth/login?provider=none'
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }
  const embedded = await service.call(path, { headers: image })
  assert.deepEqual([embedded.status, embedded.text.includes('a page of its own')], [400, true])
  const opened = await service.call(path, { headers: { ...image, 'sec-fetch-dest': 'document' } })
  assert.ok(!opened.text.includes('a page of its own'), opened.text)
})
