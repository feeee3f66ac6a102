// What the processes of an installation log while connectors are created, used, refused and attacked: no secret, whatever happens.

import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Forge } from '../../../../fake-forge/forge.ts'
import { signHook } from '../../../../fake-forge/github/hooks.ts'
import { FakeGithub } from '../../../../fake-forge/github/server.ts'
import { openPullRequest } from '../../../../fake-forge/pull-request.ts'
import { addComment } from '../../../../fake-forge/review.ts'
import { createBus } from '../../../test/bus.ts'
import { writePermissions } from '../../../test/connectors/write-back.ts'
import { createDatabase } from '../../../test/database.ts'
import { ingestSettings } from '../../../test/ingest.ts'
import { startApi, startWorker } from '../../../test/process.ts'
import { createTenant } from '../../../test/tenant.ts'
import { waitFor } from '../../../test/wait.ts'

/** A private repository with a pull request on a fake GitHub; everything that the worker authenticates with is collected. */
async function startGithub(cleanup: AsyncDisposableStack) {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-logs-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const forge = new Forge({ clock: Date, gitFolder: folder })
  const github = await FakeGithub.start({ forge, isEnterprise: true })
  cleanup.defer(() => github.close())
  const credentials = new Set<string>()
  const authenticate = github.apps.authenticate.bind(github.apps)
  github.apps.authenticate = (authorization) => {
    const [, credential = ''] = authorization?.split(' ') ?? []
    if (credential !== '') credentials.add(credential)
    return authenticate(authorization)
  }
  const alice = forge.addUser('alice', { name: 'Alice' })
  const organization = forge.addOrganization('acme')
  forge.addMember(organization, alice, 'admin')
  const repository = forge.addRepository(organization, 'booking-api', alice)
  const pullRequest = openPullRequest(forge, repository, {
    title: 'Round prices',
    author: alice,
    commits: [{ message: 'Round prices', changes: { 'src/price.ts': 'one\n' } }],
  })
  const app = github.apps.createApp({ name: 'Scholiast', owner: organization, permissions: writePermissions })
  const installation = github.apps.install(app, organization)
  return { forge, github, organization, alice, pullRequest, app, installation, credentials }
}

async function startInstallation(cleanup: AsyncDisposableStack, origin: string, organizationId: string) {
  const [database, bus] = await Promise.all([createDatabase(), createBus()])
  cleanup.defer(async () => {
    await Promise.all([database.drop(), bus.drop()])
  })
  const tenant = await createTenant(database)
  cleanup.defer(() => tenant.close())
  const { value: key } = await tenant.createKey('user', { role: 'cr_admin' })
  const superuser = database.superuser()
  cleanup.defer(() => superuser.end())
  await superuser.query('update organization set host = $2, provider_organization_id = $3 where id = $1', [
    tenant.workspace.organizations[0].id,
    new URL(origin).host,
    organizationId,
  ])
  const connectorKey = 'cd'.repeat(32)
  const settings = {
    ...ingestSettings(bus),
    CONNECTOR_HOSTS: origin,
    CONNECTOR_KEYS: `test:${connectorKey}`,
    LOG_LEVEL: 'trace',
  }
  const [api, worker] = await Promise.all([startApi(database, settings), startWorker(database, settings)])
  cleanup.defer(async () => {
    await Promise.all([api.stop(), worker.stop()])
  })
  const send = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(api.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const readConnectors = async () => {
    const response = await fetch(`${api.url}/v1/connectors`, { headers: { 'x-service-api-key': key } })
    return (await response.json()) as { data: { id: string; status: string }[] }
  }
  return { api, worker, key, connectorKey, send, readConnectors }
}

/** Each line of a key, so that a part of it is found too. */
function listKeyLines(pem: string): string[] {
  return pem.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'))
}

test('no secret of a connector is in a log, whether it works, is refused, fails or is attacked [P14-connectors-3]', async () => {
  await using cleanup = new AsyncDisposableStack()
  const { forge, github, organization, alice, pullRequest, app, installation, credentials } =
    await startGithub(cleanup)
  const { origin, host } = new URL(github.url)
  const service = await startInstallation(cleanup, origin, String(organization.id))
  const { api, worker, key, connectorKey, send, readConnectors } = service
  const authorized = { 'x-service-api-key': key }
  const { privateKey: otherKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const webhookSecret = `hook-${randomUUID()}`
  const body = {
    provider: 'github',
    host,
    mode: 'hooks',
    account: 'acme',
    credential: {
      app_id: String(app.id),
      installation_id: String(installation.id),
      private_key: app.privateKey,
    },
    webhook_secret: webhookSecret,
    write_back: true,
  }

  // Refused before and after the body is understood, then created.
  assert.equal((await send('/v1/connectors', JSON.stringify(body).slice(0, -1), authorized)).status, 400)
  assert.equal((await send('/v1/connectors', { ...body, secret: webhookSecret }, authorized)).status, 400)
  assert.equal((await send('/v1/connectors', body)).status, 401)
  const created = await send('/v1/connectors', body, authorized)
  assert.equal(created.status, 201, created.text)
  const { id } = JSON.parse(created.text) as { id: string }
  // The forge rejects the key of this one.
  const credential = { ...body.credential, private_key: otherKey }
  const rejected = await send('/v1/connectors', { ...body, account: 'acme-2', credential }, authorized)
  assert.equal(rejected.status, 201, rejected.text)

  // Hooks: one that is signed, forged ones, one for nobody.
  Object.assign(app, { webhookUrl: `${api.url}/hooks/${id}`, webhookSecret })
  const hook = JSON.stringify({ action: 'opened', repository: { id: 1 }, pull_request: { number: 1 } })
  const signature = signHook(webhookSecret, hook)
  const forged = signHook('not-the-secret-of-it', hook)
  const sendHook = (connector: string, value: string) =>
    send(`/hooks/${connector}`, hook, {
      'x-github-event': 'pull_request',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': value,
    })
  assert.equal((await sendHook(id, signature)).status, 202)
  assert.equal((await sendHook(id, forged)).status, 401)
  assert.equal((await sendHook(id, webhookSecret)).status, 401)
  assert.equal((await sendHook(randomUUID(), signature)).status, 401)

  // A command with a secret, and a forge that fails and takes tokens back.
  const token = `ghp_${randomBytes(18).toString('hex')}`
  await waitFor('the repository is read', async () => {
    const { data } = await readConnectors()
    return data.some((one) => one.status === 'active')
  })
  addComment(forge, pullRequest, alice, `/scholiast remember that the token is ${token} for deployments.`)
  const isReply = ({ author }: { author: { login: string } }) => author.login === `${app.slug}[bot]`
  await waitFor('the command is answered', () => pullRequest.comments.some(isReply))
  github.apps.expireTokens()
  addComment(forge, pullRequest, alice, '/scholiast why')
  await waitFor('the second command is answered', () => pullRequest.comments.filter(isReply).length === 2)
  await waitFor('the rejected credential is reported', async () => {
    const { data } = await readConnectors()
    return data.some((one) => one.status === 'failing')
  })
  await github.hooks.flush()
  await Promise.all([api.stop(), worker.stop()])

  const log = api.output() + worker.output()
  assert.ok(credentials.size > 2, 'tokens of the App and of installations are known')
  for (const line of ['/v1/connectors', '/hooks/', '"working"', '"stopped"'])
    assert.ok(log.includes(line), line)
  const secrets = [
    ...listKeyLines(app.privateKey),
    ...listKeyLines(otherKey),
    ...credentials,
    webhookSecret,
    signature.slice('sha256='.length),
    forged.slice('sha256='.length),
    connectorKey,
    key,
    token,
    'Bearer ',
    'authorization',
  ]
  for (const secret of secrets) assert.ok(!log.includes(secret), `the log has ${secret.slice(0, 12)}…`)
})
