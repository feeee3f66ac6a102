// Invitations of companies that sign in by an identity provider, against a real one.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createVisits, type Visits } from '../../../../test/browser-visits.ts'
import { startService, type TestResponse } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { startIdentityProvider } from '../../../../test/identity-provider.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { createScimCaller, makeScimCredential } from '../../../../test/scim.ts'
import type { TestRoot } from '../../../../test/tenant.ts'
import type { PersonId, RootId } from '../../../ids.ts'
import { addPerson } from '../manage.ts'
import { createLink } from './manage.ts'

const origin = 'https://scholiast.example.com'
const folder = mkdtempSync(join(tmpdir(), 'scholiast-'))

const { database, tenant, use, defer } = await openTenant()
const redirect_uris = ['one', 'two'].map((id) => `${origin}/auth/callback/${id}`)
const provider = use(await startIdentityProvider('client', { redirect_uris }))
// The issuer is bound to one tenant as `one`, and to another as `two`.
const { issuer, clientId: client_id, clientSecret: client_secret } = provider
const bind = (id: string, { root }: TestRoot) => {
  return { id, name: id, issuer, client_id, client_secret, roots: [root], domains: [] }
}
const providers = [bind('one', tenant.workspace), bind('two', tenant.alone)]
writeFileSync(join(folder, 'providers.json'), JSON.stringify({ providers }))
const file = { IDENTITY_PROVIDERS_FILE: join(folder, 'providers.json') }
const service = use(startService(database, { ...limitsOff, PUBLIC_URL: origin, ...file }))
defer(() => rmSync(folder, { recursive: true }))

function newPerson(name: string, { root }: TestRoot = tenant.workspace): Promise<PersonId> {
  const email = `${name}@example.com`
  return tenant.change(root, (change) => addPerson(change, { email, name, accounts: [], memberships: [] }))
}

async function invite(person: PersonId, root: RootId = tenant.workspace.root): Promise<string> {
  const link = { purpose: 'invitation', minutes: 60 } as const
  const { value } = await tenant.change(root, (change) => createLink(change, person, link))
  return `/auth/links/${value}`
}

/** Presses the button of the page. */
function press(browser: Visits, link: string): Promise<TestResponse> {
  return browser.send(link, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
}

/** The provider vouches for no e-mail address, so only an invitation can say who the account is. */
function signIn(browser: Visits, account: string, id = 'one'): Promise<TestResponse> {
  provider.signInAs(account)
  return browser.open(`/auth/login?provider=${id}`)
}

async function whoIs(browser: Visits): Promise<string | null> {
  const { status, body } = await browser.send('/v1/session')
  return status === 200 ? (body as unknown as { person: { cr_user_id: string } }).person.cr_user_id : null
}

const newBrowser = () => createVisits(service, origin)

test('an invitation leads to the provider, and the account that signs in there is the invited person from then on [P13-invitation-1]', async () => {
  const mei = await newPerson('mei')
  const link = await invite(mei)
  const browser = newBrowser()
  assert.equal((await signIn(browser, 'account-of-mei')).status, 403, 'nobody knows the account yet')
  const pressed = await press(browser, link)
  assert.equal(pressed.status, 200)
  assert.match(pressed.text, /url=\/auth\/login\?provider=one"/)
  assert.equal(await whoIs(browser), null, 'the link alone signs nobody in')
  assert.equal((await signIn(browser, 'account-of-mei')).status, 200)
  assert.equal(await whoIs(browser), mei)

  const another = newBrowser()
  assert.equal((await signIn(another, 'account-of-mei')).status, 200)
  assert.equal(await whoIs(another), mei)
  assert.equal((await press(another, link)).status, 404, 'the invitation was used')
})

test('an invitation that two browsers accepted is used by the first that signs in [P13-invitation-1]', async () => {
  const link = await invite(await newPerson('noor'))
  const [first, second] = [newBrowser(), newBrowser()]
  for (const browser of [first, second]) assert.equal((await press(browser, link)).status, 200)
  assert.equal((await signIn(first, 'account-of-noor')).status, 200)
  assert.equal((await signIn(second, 'account-of-a-thief')).status, 403)
  assert.equal(await whoIs(second), null)
})

test('an account that is linked to somebody else does not accept an invitation [P13-invitation-1]', async () => {
  const [ines, omar] = [await newPerson('ines'), await newPerson('omar')]
  const browser = newBrowser()
  await press(browser, await invite(ines))
  await signIn(browser, 'account-of-ines')
  const other = newBrowser()
  await press(other, await invite(omar))
  const refused = await signIn(other, 'account-of-ines')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /linked to somebody else/)
  assert.equal(await whoIs(other), null)
})

test('an account of somebody whom SCIM provisioned does not accept the invitation of another record [P13-invitation-1]', async () => {
  const { value } = await makeScimCredential(tenant, tenant.workspace)
  const { status } = await createScimCaller(service, value)('POST', '/Users', {
    userName: 'lena',
    externalId: 'account-of-lena',
  })
  assert.equal(status, 201)
  const browser = newBrowser()
  await press(browser, await invite(await newPerson('lena')))
  const refused = await signIn(browser, 'account-of-lena')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /merge the two records/)
  assert.equal(await whoIs(browser), null)
})

test('a provider accepts no invitation to a tenant that it is not bound to [P13-invitation-1]', async () => {
  const person = await newPerson('kofi', tenant.alone)
  const browser = newBrowser()
  const pressed = await press(browser, await invite(person, tenant.alone.root))
  assert.match(pressed.text, /url=\/auth\/login\?provider=two"/)
  assert.equal((await signIn(browser, 'account-of-kofi', 'one')).status, 403)
  assert.equal(await whoIs(browser), null)
  assert.equal((await signIn(browser, 'account-of-kofi', 'two')).status, 200)
  assert.equal(await whoIs(browser), person)
})
