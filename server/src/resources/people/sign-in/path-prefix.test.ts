// The service below a path of its host, behind a proxy that removes the path, in a real browser.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { startBalancer } from '../../../../test/balancer.ts'
import { launchBrowser, openPage, type TestPage } from '../../../../test/browser.ts'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { startIdentityProvider } from '../../../../test/identity-provider.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { makeScimCredential } from '../../../../test/scim.ts'
import type { TestRoot } from '../../../../test/tenant.ts'
import { createLink } from '../links/manage.ts'
import type { LinkPurpose } from '../links/sql.ts'
import { addPerson } from '../manage.ts'

const prefix = '/tools/scholiast'
const returnPath = '/app/findings?week=3&severity=major'
const returnTo = `return_to=${encodeURIComponent(returnPath)}`
const folder = mkdtempSync(join(tmpdir(), 'scholiast-'))
let opened: TestPage
/** Requests that the service did not get, or refused. */
let lost: string[]

const { database, tenant, use, defer } = await openTenant()
const balancer = use(await startBalancer({ prefix }))
const url = balancer.url.replace('127.0.0.1', 'localhost')
const provider = use(await startIdentityProvider('client', { redirect_uris: [`${url}/auth/callback/ours`] }))
const { issuer, clientId: client_id, clientSecret: client_secret } = provider
const roots = [tenant.workspace.root]
const entry = {
  id: 'ours',
  name: 'Ours',
  issuer,
  client_id,
  client_secret,
  roots,
  domains: ['ours.example.com'],
}
const providersFile = join(folder, 'providers.json')
writeFileSync(providersFile, JSON.stringify({ providers: [entry] }))
const service = use(
  startService(database, {
    ...limitsOff,
    PUBLIC_URL: `${url}/`,
    IDENTITY_PROVIDERS_FILE: providersFile,
  }),
)
await balancer.add(await service.listen())
const browser = use(await launchBrowser())
defer(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  opened = await openPage(browser)
  lost = []
  opened.page.on('response', (response) => {
    const isBelow = response.url().startsWith(`${url}/`) || response.url().startsWith(provider.issuer)
    if (!isBelow || response.status() >= 400) lost.push(`${response.status()} ${response.url()}`)
  })
})
afterEach(async () => {
  assert.deepEqual([lost, opened.problems], [[], []])
  await opened.context.close()
})

async function makeLink({ root }: TestRoot, person: string, purpose: LinkPurpose): Promise<string> {
  const { value } = await tenant.change(root, (change) =>
    createLink(change, person, { purpose, minutes: 10 }),
  )
  return `${url}/auth/links/${value}`
}

async function newPerson(email: string): Promise<string> {
  return tenant.change(tenant.workspace.root, (change) =>
    addPerson(change, { email, name: email, accounts: [], memberships: [] }),
  )
}

/** The dashboard runs, knows where the service is, and its requests are signed in. */
async function arrives(path: string): Promise<void> {
  const { page } = opened
  await page.waitForURL(`${url}${path}`)
  await page.getByRole('heading', { name: `Dashboard at ${prefix}/` }).waitFor()
  assert.equal(await page.evaluate(`fetch('${url}/v1/session').then(({ status }) => status)`), 200)
}

test('a link leads to the dashboard, or to the path that it names', async () => {
  const { page } = opened
  const { workspace } = tenant
  await page.goto(await makeLink(workspace, workspace.admin, 'sign_in'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await arrives('/app')
  await page.goto(`${await makeLink(workspace, workspace.admin, 'sign_in')}?${returnTo}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await arrives(returnPath)
})

test('an identity provider leads to the path that the sign-in page was opened with', async () => {
  const { page } = opened
  const email = 'ada@ours.example.com'
  await newPerson(email)
  provider.signInAs('ada', { email, email_verified: true })
  await page.goto(`${url}/auth/sign-in?${returnTo}`)
  await page.getByRole('link', { name: 'Continue with Ours' }).click()
  await arrives(returnPath)
  await page.goto(`${url}/auth/sign-in?${returnTo}`)
  await page.getByRole('link', { name: 'Sign in again with Ours' }).click()
  await arrives(returnPath)
  await page.goto(`${url}/auth/sign-in`)
  await page.getByRole('link', { name: 'Continue', exact: true }).click()
  await arrives('/app')
})

test('an invitation leads through the identity provider', async () => {
  const { page } = opened
  const email = 'eve@ours.example.com'
  const link = await makeLink(tenant.workspace, await newPerson(email), 'invitation')
  provider.signInAs('eve', { email, email_verified: true })
  await page.goto(`${link}?${returnTo}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await arrives(returnPath)
})

test('an invitation leads to a new passkey and on, and the passkey too', async () => {
  const { page } = opened
  const { alone } = tenant
  await page.goto(`${await makeLink(alone, alone.admin, 'invitation')}?${returnTo}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Remove' }).waitFor()
  await page.getByRole('link', { name: 'Done' }).click()
  await arrives(returnPath)
  await page.goto(`${url}/auth/sign-in?${returnTo}`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await arrives(returnPath)
})

test('a deep link loads the dashboard, and the root leads to it', async () => {
  const { page } = opened
  await page.goto(`${url}/app/deep/link`)
  await page.getByRole('heading', { name: `Dashboard at ${prefix}/` }).waitFor()
  await page.goto(`${url}/`)
  await page.waitForURL(`${url}/app`)
})

test('addresses in responses contain the path', async () => {
  assert.deepEqual(await (await fetch(`${url}/auth/providers`)).json(), {
    providers: [{ id: 'ours', name: 'Ours', login_url: `${url}/auth/login?provider=ours` }],
  })
  const { value } = await makeScimCredential(tenant, tenant.workspace)
  const created = await fetch(`${url}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'noor' }),
  })
  const { id } = (await created.json()) as { id: string }
  assert.equal(created.headers.get('location'), `${url}/scim/v2/Users/${id}`)
})
