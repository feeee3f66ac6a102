import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFixture } from './github-fixture.ts'

interface Created {
  readonly slug: string
  readonly pem: string
}

test('an App is created from a manifest after a confirmation, and installed by a page', async (t) => {
  const { github } = await startFixture(t)
  const manifest = JSON.stringify({
    name: 'Reader of acme',
    url: 'https://example.com',
    redirect_url: 'http://127.0.0.1:1/created',
    default_permissions: { metadata: 'read' },
  })
  const post = (fields: Record<string, string>) =>
    fetch(`${github.url}/organizations/acme/settings/apps/new?state=7`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const before = github.apps.apps.length
  assert.match(await (await post({ manifest })).text(), /Create GitHub App/)
  assert.equal(github.apps.apps.length, before, 'nothing is created before the confirmation')
  const created = await post({ manifest, confirmed: 'yes' })
  const location = new URL(created.headers.get('location') ?? '')
  assert.equal(location.searchParams.get('state'), '7')
  const exchange = () =>
    fetch(`${github.apiUrl}/app-manifests/${location.searchParams.get('code')}/conversions`, {
      method: 'POST',
    })
  const app = (await (await exchange()).json()) as Created
  assert.match(app.pem, /PRIVATE KEY/)
  assert.equal((await exchange()).status, 404, 'a code works once')

  const page = `${github.url}/apps/${app.slug}/installations/new`
  const isInstalled = () => github.apps.installations.some((one) => one.app.slug === app.slug)
  assert.match(await (await fetch(page)).text(), /<button>Install/)
  assert.equal(isInstalled(), false)
  assert.equal((await fetch(page, { method: 'POST' })).status, 200)
  assert.equal(isInstalled(), true)
})
