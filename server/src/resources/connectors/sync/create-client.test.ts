import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { Forge } from '../../../../../fake-forge/forge.ts'
import { FakeGithub } from '../../../../../fake-forge/github/server.ts'
import { FakeGitlab } from '../../../../../fake-forge/gitlab/server.ts'
import { startService } from '../../../../test/call.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import {
  connectOrganization,
  connectorRing,
  createTestSync,
  type SentEvent,
} from '../../../../test/connectors/test-sync.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { rootScope } from '../../../access/scope.ts'
import type { KeyRing } from '../../../config.ts'
import { connect } from '../../../db/connect.ts'
import { readScoped } from '../../../db/transaction.ts'
import { readConnectorHosts } from '../../../settings/connector-hosts.ts'
import { HOUR_MS } from '../../../time.ts'
import { HostRefusedError } from '../git-providers/provider-client.ts'
import { sealSecret } from '../secrets.ts'
import { readSyncedConnector } from './connector-sql.ts'
import type { SyncedConnector } from './context.ts'
import { createClients } from './create-client.ts'
import { UnreadableSecretError } from './errors.ts'
import { runRound } from './loop.ts'

const { database, tenant, use } = await openTenant()
const service = use(startService(database, limitsOff))
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))
const connector = await connectOrganization(service, tenant, 'polling')

const otherRing = [{ id: 'other', secret: createSecretKey('ef'.repeat(32), 'hex') }]

/** Clients of a process that may read from these hosts. */
function createTestClients(hosts: readonly string[], keys: KeyRing = connectorRing) {
  const problems: string[] = []
  const listed = readConnectorHosts(hosts, [], problems)
  assert.deepEqual(problems, [])
  return createClients({ database: pool, keys, hosts: listed, now: () => new Date() }).createClient
}

/** The connector of the test as if it was connected to another host. */
async function readAs(
  fields: Pick<SyncedConnector, 'provider' | 'host' | 'account'>,
  credential: object,
): Promise<SyncedConnector> {
  const scope = rootScope(tenant.workspace.root)
  const stored = await readScoped(pool, scope, (tx) => readSyncedConnector(scope, tx, connector.id))
  assert.ok(stored !== null)
  const owner = { root: stored.root, connector: stored.id, name: 'credential' } as const
  const sealed = sealSecret(connectorRing, owner, JSON.stringify(credential))
  return { ...stored, ...fields, credential: sealed.bytes, keyId: sealed.keyId }
}

function seedForge() {
  const forge = new Forge({ clock: Date, gitFolder: null })
  const group = forge.addOrganization('acme')
  const { id } = forge.addRepository(group, 'api', forge.addUser('alice'), { files: null })
  return { forge, group, repository: { id: String(id), fullName: 'acme/api', isPrivate: true } }
}

test('a credential whose key the ring no longer has opens no client, and the list says what to do', async () => {
  for (const provider of ['github', 'gitlab'] as const) {
    const stored = await readAs({ provider, host: `${provider}.com`, account: 'acme' }, { token: 'secret' })
    const createClient = createTestClients(['github.com', 'gitlab.com'], otherRing)
    assert.throws(() => createClient(stored, 'live'), UnreadableSecretError)
  }
  const sent: SentEvent[] = []
  const now = () => new Date(Date.now() + HOUR_MS)
  const memory = new MemoryForge(tenant.workspace.organizations[0].orgId, now)
  const createClient = createTestClients(['github.com'], otherRing)
  await runRound(createTestSync(pool, memory, sent, { createClient }))
  const { body } = await service.call('/v1/connectors', { key: connector.key })
  const [shown] = body.data as unknown as { status: string; error: string }[]
  assert.equal(shown?.status, 'failing')
  assert.match(shown?.error ?? '', /cannot be decrypted\. Ask the operator about CONNECTOR_KEYS/)
  assert.deepEqual(sent, [])
})

test('a GitLab of this machine is read without TLS, only if it is listed so', async (t) => {
  const { forge, group, repository } = seedForge()
  const gitlab = await FakeGitlab.start({ forge })
  t.after(() => gitlab.close())
  const { host } = new URL(gitlab.url)
  const fields = { provider: 'gitlab', host, account: 'acme' } as const
  const stored = await readAs(fields, { token: gitlab.createToken(group) })
  const client = createTestClients([gitlab.url])(stored, 'live')
  assert.equal((await client.readOrganization()).id, String(group.id))
  const { url } = await client.getCloneCredential(repository)
  assert.equal(url, `${gitlab.url}/acme/api.git`)
  // The same host, listed for https.
  const { requests } = gitlab.counts
  await assert.rejects(createTestClients([host])(stored, 'live').readOrganization())
  await assert.rejects(createTestClients(['gitlab.com'])(stored, 'live').readOrganization(), HostRefusedError)
  assert.equal(gitlab.counts.requests, requests, 'nothing was sent without TLS')
})

test('a GitHub of this machine is an Enterprise Server without TLS; clients share the installation token', async (t) => {
  const { forge, group, repository } = seedForge()
  const github = await FakeGithub.start({ forge, isEnterprise: true })
  t.after(() => github.close())
  const app = github.apps.createApp({ name: 'Scholiast', owner: group })
  const fields = { provider: 'github', host: new URL(github.url).host, account: 'acme' } as const
  const stored = await readAs(fields, {
    app_id: String(app.id),
    installation_id: String(github.apps.install(app, group).id),
    private_key: app.privateKey,
  })
  const createClient = createTestClients([github.url])
  const live = await createClient(stored, 'live').getCloneCredential(repository)
  const backfill = await createClient(stored, 'backfill').getCloneCredential(repository)
  assert.equal(live.url, `${github.url}/acme/api.git`)
  assert.equal(live.header, backfill.header)
  await assert.rejects(createTestClients(['github.com'])(stored, 'live').readOrganization(), HostRefusedError)
})
