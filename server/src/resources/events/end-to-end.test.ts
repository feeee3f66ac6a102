import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createBus } from '../../../test/bus.ts'
import { startTcpProxy } from '../../../test/engines/tcp-proxy.ts'
import { openTenant } from '../../../test/fixture.ts'
import { ingestSettings, sendEvents } from '../../../test/ingest.ts'
import { type ApiProcess, startApi, startWorker } from '../../../test/process.ts'
import { waitFor } from '../../../test/wait.ts'
import { createKeyValue } from '../../access/key-format.ts'
import { revokeKey } from '../keys/manage.ts'

const { database, tenant, use, defer } = await openTenant()
const testBus = use(await createBus())
const settings = ingestSettings(testBus)
const proxy = await startTcpProxy(database.urls.api)
const { host } = new URL(proxy.url)
const viaProxy = (url: string) => Object.assign(new URL(url), { host }).href
const proxiedDatabase = {
  ...database,
  urls: { ...database.urls, api: viaProxy(database.urls.api), auth: viaProxy(database.urls.auth) },
}
const [api, other, worker] = await Promise.all([
  startApi(proxiedDatabase, settings),
  startApi(database, settings),
  startWorker(database, settings),
])
defer(async () => {
  await Promise.all([api, other, worker].map((started) => started.stop()))
  await proxy.disconnect()
})

/** The event is invalid and rejected, but the response still requires a valid credential. */
const statusOf = async (node: ApiProcess, key: string) => (await sendEvents(node.url, key, [{}])).status

test('every node rejects a revoked credential within 5 seconds [P2-ingest-3]', async () => {
  const key = await tenant.createKey('ingest')
  for (const node of [api, other]) {
    await waitFor('the node accepts events', async () => (await statusOf(node, key.value)) === 202)
  }
  await tenant.change(key.root, (change) => revokeKey(change, key.id))
  const revokedAt = performance.now()
  for (const node of [api, other]) {
    await waitFor('the node rejects the credential', async () => (await statusOf(node, key.value)) === 401)
  }
  assert.ok(performance.now() - revokedAt < 5000)
})

/** A proposal of a Learning with a credential in each of its texts. */
function createProposal(secret: string) {
  const [{ orgId, repositories }] = tenant.workspace.organizations
  return {
    id: randomUUID(),
    type: 'learning.proposed',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: {
      organization: { provider: 'github', id: orgId },
      repository_id: repositories[0]?.repositoryId,
      source: 'review',
      learning: `Never send ${secret} again ${randomUUID()}`,
      file: `config/${secret}.yaml`,
      source_url: `https://example.com/?token=${secret}`,
    },
  }
}

async function isStored(learning: string): Promise<boolean> {
  const superuser = database.superuser()
  const { rowCount } = await superuser.query('select from learning where text = $1', [learning])
  await superuser.end()
  return rowCount === 1
}

test('credentials are redacted before an event reaches the queue [P7-life-7]', async () => {
  const credential = await tenant.createKey('ingest')
  const secret = createKeyValue('user')
  await waitFor('the node accepts events', async () => (await statusOf(api, credential.value)) === 202)
  worker.process.kill('SIGSTOP')
  try {
    const event = createProposal(secret)
    const response = await sendEvents(api.url, credential.value, [event])
    assert.equal(((await response.json()) as { accepted: number }).accepted, 1)
    const queued = (await testBus.messages('QUEUE')).map((message) => message.string()).join('\n')
    assert.ok(queued.includes(event.id) && queued.includes('[REDACTED:'))
    assert.ok(!queued.includes(secret))
  } finally {
    worker.process.kill('SIGCONT')
  }
})

test('events are accepted while PostgreSQL is unavailable [P2-ingest-2 P11-revocation-3]', async () => {
  const [credential, user] = await Promise.all([tenant.createKey('ingest'), tenant.createKey('user')])
  const listOrganizations = async () => {
    const headers = { 'x-service-api-key': user.value }
    return (await fetch(`${api.url}/v1/organizations`, { headers })).status
  }
  assert.equal(await listOrganizations(), 200)
  await proxy.disconnect()
  assert.equal(await listOrganizations(), 503)
  const event = createProposal('nothing')
  const response = await sendEvents(api.url, credential.value, [event])
  assert.deepEqual([response.status, ((await response.json()) as { accepted: number }).accepted], [202, 1])
  await waitFor('the event is stored', () => isStored(event.payload.learning))
  const ownHeaders = { 'x-service-api-key': credential.value }
  assert.equal((await fetch(`${api.url}/ingest/v1/status`, { headers: ownHeaders })).status, 200)
  assert.equal((await fetch(`${api.url}/readyz`)).status, 503)
  assert.equal((await fetch(`${api.url}/readyz/ingest`)).status, 200)
  await proxy.reconnect()
  await waitFor('the database is available again', async () => (await listOrganizations()) === 200)
})

test('the schemas of all events are served without a key', async () => {
  const response = await fetch(`${api.url}/events.schema.json`)
  assert.equal(response.status, 200)
  const schemas = (await response.json()) as { $schema: string; $defs: object }
  assert.equal(schemas.$schema, 'https://json-schema.org/draft/2020-12/schema')
})
