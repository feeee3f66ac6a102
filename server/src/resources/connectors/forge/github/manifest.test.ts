import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startFixture } from '../../../../../../fake-forge/test/github-fixture.ts'
import { readConnectorHosts } from '../../../../settings/connector-hosts.ts'
import { NotFoundError } from '../forge-client.ts'
import { createSender } from '../request.ts'
import { toGithubAddress } from './address.ts'
import { buildAppManifest, exchangeManifestCode, getManifestFormUrl, listInstallations } from './manifest.ts'

void it('an App is created by its manifest and found after its installation', async (t) => {
  const { github, acme, clock } = await startFixture(t, { isEnterprise: true })
  const address = toGithubAddress(github.url)
  const send = createSender({ hosts: readConnectorHosts([github.url], [], []) })
  const manifest = buildAppManifest({
    name: 'Scholiast of Acme',
    publicUrl: 'https://scholiast.example.com',
    redirectUrl: 'https://scholiast.example.com/connected',
    hookUrl: 'https://scholiast.example.com/hooks/1',
    writeBack: false,
  })
  assert.deepEqual([...new Set(Object.values(manifest.default_permissions))], ['read'])
  const form = new URLSearchParams({ manifest: JSON.stringify(manifest), confirmed: 'yes' })
  const posted = await fetch(getManifestFormUrl(address, 'acme', 'state-1'), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  const back = new URL(posted.headers.get('location') ?? '')
  assert.equal(back.searchParams.get('state'), 'state-1')
  const code = back.searchParams.get('code') ?? ''
  const created = await exchangeManifestCode(send, address, code)
  const app = github.apps.apps.find(({ id }) => String(id) === created.appId)
  assert.ok(app)
  assert.equal(created.privateKey, app.privateKey)
  assert.equal(created.hookSecret, app.webhookSecret)
  const now = new Date(clock.now())
  assert.deepEqual(await listInstallations(send, address, created, now), [])
  const { id } = github.apps.install(app, acme)
  assert.deepEqual(await listInstallations(send, address, created, now), [
    { id: String(id), login: 'acme', isSuspended: false },
  ])
  // A code works once.
  await assert.rejects(exchangeManifestCode(send, address, code), NotFoundError)
  await assert.rejects(exchangeManifestCode(send, address, '../../user'), NotFoundError)
})

void it('an App without a hook has no events', () => {
  const options = {
    name: 'x',
    publicUrl: 'https://a.example',
    redirectUrl: 'https://a.example/',
    hookUrl: null,
    writeBack: false,
  }
  const manifest = buildAppManifest(options)
  assert.deepEqual(manifest.default_events, [])
  assert.ok(!('hook_attributes' in manifest))
})

void it('only an App that writes back asks for write permissions, and only for two', () => {
  const options = {
    name: 'x',
    publicUrl: 'https://a.example',
    redirectUrl: 'https://a.example/',
    hookUrl: null,
  }
  const listWritable = (writeBack: boolean) =>
    Object.entries(buildAppManifest({ ...options, writeBack }).default_permissions)
      .filter(([, level]) => level !== 'read')
      .map(([name]) => name)
  assert.deepEqual(listWritable(false), [])
  assert.deepEqual(listWritable(true), ['pull_requests', 'checks'])
})

void it('GitHub is found on all three kinds of hosts', () => {
  assert.equal(toGithubAddress('github.com').graphql, 'https://api.github.com/graphql')
  assert.equal(toGithubAddress('acme.ghe.com').api, 'https://api.acme.ghe.com')
  assert.equal(toGithubAddress('git.example.com:8443').api, 'https://git.example.com:8443/api/v3')
  assert.equal(toGithubAddress('git.example.com').graphql, 'https://git.example.com/api/graphql')
})
