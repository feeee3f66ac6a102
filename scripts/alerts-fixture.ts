// What the test of alerts needs: a service with engines of its own, which may fail, and Prometheus, which scrapes it each second.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FakeGithub } from '../fake-forge/github/server.ts'
import type { Organization } from '../fake-forge/model.ts'
import { mergePullRequest } from '../fake-forge/pull-request.ts'
import { createDatabaseOn, type TestDatabase } from '../server/test/database.ts'
import { freePort } from '../server/test/free-port.ts'
import { ingestSettings, sendEvents } from '../server/test/ingest.ts'
import { limitsOff } from '../server/test/limits-off.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { createOwnEngines, runOnce } from '../server/test/proofs/own-engines.ts'
import { connectQueueProbe } from '../server/test/proofs/queue.ts'
import { createEventGenerator, toReviewTarget } from '../server/test/pull-requests.ts'
import { createScimAdmin, makeScimCredential } from '../server/test/scim.ts'
import { createTenant, type Tenant } from '../server/test/tenant.ts'
import { addReviewedPullRequest, createFolder, seedForge } from './connect-fixture.ts'
import { repository } from './installation.ts'

const BUS_PREFIX = 'scholiast'
const PG_BIN = '/usr/lib/postgresql/17/bin'
const publicUrl = 'https://scholiast.example.com'
const enginesScript = `${repository}scripts/engines`
const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--pdeathsig=QUIT']

/** A folder of the private root, by its path outside and inside. */
export function createScratch(cleanup: AsyncDisposableStack): { outside: string; inside: string } {
  const scratch = execFileSync(enginesScript, ['scratch'], { encoding: 'utf8' }).trim()
  const outside = mkdtempSync(`${scratch}/alerts-`)
  cleanup.defer(() => rmSync(outside, { recursive: true, force: true }))
  return { outside, inside: `/tmp/${basename(outside)}` }
}

/** A service on engines of its own, and what can happen to it. */
export async function startInstallation(cleanup: AsyncDisposableStack) {
  const engines = await createOwnEngines()
  cleanup.defer(() => engines.remove())
  const database = withEncryption(await createDatabaseOn(engines.postgres.url))
  const superuser = database.superuser()
  cleanup.defer(() => superuser.end())
  await encrypt(superuser, 100)
  await superuser.query('insert into restore_drill (data_until, seconds) values (now(), 1)')
  const standby = await startStandby(cleanup, engines.postgres.url)
  const tenant = await createTenant(database)
  cleanup.defer(() => tenant.close())
  const seeded = seedForge(createFolder(cleanup))
  const github = await FakeGithub.start({ forge: seeded.forge, isEnterprise: true })
  cleanup.defer(() => github.close())
  const [apiMetrics, workerMetrics, closedPort] = await Promise.all([freePort(), freePort(), freePort()])
  const settings = {
    ...ingestSettings({ prefix: BUS_PREFIX }),
    ...limitsOff,
    NATS_URL: engines.nats.url,
    PUBLIC_URL: publicUrl,
    CONNECTOR_HOSTS: new URL(github.url).origin,
    CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
    INGEST_MAX_BYTES: String(1024 ** 2),
    // Nobody listens there.
    EMBEDDER_URL: `http://127.0.0.1:${closedPort}/v1`,
    EMBEDDER_MODEL: 'unavailable',
    EMBEDDER_DIMENSIONS: '8',
  }
  const api = await startApi(database, { ...settings, METRICS_PORT: String(apiMetrics) })
  cleanup.defer(() => api.stop())
  const startOne = () => startWorker(database, { ...settings, METRICS_PORT: String(workerMetrics) })
  let worker = await startOne()
  cleanup.defer(() => worker.stop('SIGKILL'))
  const { value: key } = await tenant.createKey('user', { of: 'alone', role: 'cr_admin' })
  const { value: credential } = await tenant.createKey('ingest', { of: 'alone' })
  const send = (path: string, init: SentRequest = {}) =>
    fetch(api.url + path, { ...init, headers: { 'x-service-api-key': key, ...init.headers } })
  const probe = await connectQueueProbe(engines.nats.url, BUS_PREFIX)
  cleanup.defer(() => probe.bus.close())
  return {
    superuser,
    ageDrill: (days: number) =>
      superuser.query('update restore_drill set ended_at = ended_at - make_interval(days => $1)', [days]),
    metricsPorts: { 'scholiast-api': apiMetrics, 'scholiast-worker': workerMetrics },
    stopStandby: standby.stop,
    /** Requests at once, whatever the answer is. */
    repeat: (path: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => send(path).then((response) => response.text()))),
    stopWorker: () => worker.stop(),
    async startWorker() {
      worker = await startOne()
    },
    renewCertificate: (days: number) => encrypt(superuser, days),
    /** A connector, and a pull request that is merged after it was created. */
    async connectAndMerge() {
      const pullRequest = addReviewedPullRequest(seeded)
      await connect(superuser, tenant, github, seeded.organization, send)
      // Times of the provider have no fractions of a second.
      await sleep(1_000)
      mergePullRequest(seeded.forge, pullRequest, seeded.author, 'squash')
    },
    sendPoison: () => probe.publish(tenant.alone.root, '{"no":"event"}'),
    deactivateAdmin: () => deactivateAdmin(superuser, tenant, api.url),
    /** Sends events until one is refused. */
    async fillQueue() {
      const generator = createEventGenerator({ findings: 200 })
      const target = toReviewTarget(tenant.alone.organizations[0])
      let status = 0
      while (status !== 429)
        ({ status } = await sendEvents(api.url, credential, [generator.finalized(target)]))
    },
    /** A sign-in link that nobody was given. */
    refuseSignIn: () =>
      send(`/auth/links/${'A'.repeat(43)}`, {
        method: 'POST',
        headers: { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
      }),
    /** Meanwhile, nobody can read organizations. */
    async lockOrganizations(work: () => Promise<void>) {
      const client = await superuser.connect()
      await client.query('begin; lock table organization in access exclusive mode')
      try {
        await work()
      } finally {
        // Its connection ends, and the transaction with it.
        client.release(true)
      }
    },
  }
}

type Superuser = ReturnType<TestDatabase['superuser']>

interface SentRequest {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function connect(
  superuser: Superuser,
  { alone }: Tenant,
  github: FakeGithub,
  organization: Organization,
  send: (path: string, request: SentRequest) => Promise<Response>,
): Promise<void> {
  const { host } = new URL(github.url)
  const names = [host, String(organization.id), organization.login, alone.root]
  await superuser.query(
    'update organization set host = $1, provider_organization_id = $2, name = $3 where root_id = $4',
    names,
  )
  const app = github.apps.createApp({ name: 'Scholiast', owner: organization })
  const installation = github.apps.install(app, organization)
  const credential = {
    app_id: String(app.id),
    installation_id: String(installation.id),
    private_key: app.privateKey,
  }
  const connector = { provider: 'github', host, mode: 'polling', account: organization.login, credential }
  const response = await send('/v1/connectors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(connector),
  })
  if (response.status !== 201) throw new Error(await response.text())
}

async function deactivateAdmin(superuser: Superuser, tenant: Tenant, url: string): Promise<void> {
  const { root } = tenant.workspace
  const { value } = await makeScimCredential(tenant, tenant.workspace)
  const admin = await createScimAdmin(tenant, url, value)
  await superuser.query('update person set active = false where root_id = $1 and id <> $2', [root, admin])
  const response = await fetch(`${url}/scim/v2/Users/${admin}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    }),
  })
  if (response.status !== 200) throw new Error(await response.text())
}

function withEncryption(database: TestDatabase): TestDatabase {
  const urls = Object.entries(database.urls).map(([role, url]) => [role, `${url}?sslmode=no-verify`])
  return { ...database, urls: Object.fromEntries(urls) as TestDatabase['urls'] }
}

/** Gives the server a certificate of that lifetime; every other connection must be opened again. */
async function encrypt(superuser: Superuser, days: number): Promise<void> {
  const { rows } = await superuser.query<{ data_directory: string }>('show data_directory')
  const [key, certificate] = ['key', 'crt'].map((end) => `${rows[0]?.data_directory}/server.${end}`)
  const files = ['-keyout', `${key}`, '-out', `${certificate}`]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=test', '-days', String(days)]
  runOnce('openssl', 'req', ...kind, ...files)
  runOnce('chown', 'postgres:postgres', `${key}`, `${certificate}`)
  runOnce('chmod', '600', `${key}`)
  await superuser.query('alter system set ssl = on')
  await superuser.query('select pg_reload_conf()')
  await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where usename like 'scholiast_%' and backend_type = 'client backend'`,
  )
}

/** A standby that streams with a replication slot. */
async function startStandby(cleanup: AsyncDisposableStack, primary: string) {
  const { inside } = createScratch(cleanup)
  runOnce('chown', 'postgres:postgres', inside)
  const from = ['-h', '127.0.0.1', '-p', new URL(primary).port, '-U', 'postgres']
  const copy = ['-D', `${inside}/data`, '-R', '-C', '-S', 'standby', '-c', 'fast']
  runOnce(...asPostgres, `${PG_BIN}/pg_basebackup`, ...from, ...copy)
  const server = ['-D', `${inside}/data`, '-p', String(await freePort())]
  const child = spawn(enginesScript, ['run', ...asPostgres, `${PG_BIN}/postgres`, ...server], {
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGINT')
    await exited
  }
  cleanup.defer(stop)
  return { stop }
}

/** Prometheus with these rules, on processes by the names of their jobs. Returns its address. */
export async function startPrometheus(
  cleanup: AsyncDisposableStack,
  ports: Readonly<Record<string, number>>,
  rules: string,
): Promise<string> {
  const { outside, inside } = createScratch(cleanup)
  const jobs = Object.entries(ports).map(([job_name, port]) => ({
    job_name,
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  }))
  const second = { scrape_interval: '1s', evaluation_interval: '1s' }
  const config = { global: second, rule_files: ['rules.yml'], scrape_configs: jobs }
  writeFileSync(`${outside}/rules.yml`, rules)
  // YAML contains JSON.
  writeFileSync(`${outside}/prometheus.yml`, JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const files = [`--config.file=${inside}/prometheus.yml`, `--storage.tsdb.path=${inside}/data`]
  const words = [
    'run',
    'setpriv',
    '--pdeathsig=KILL',
    'prometheus',
    ...files,
    `--web.listen-address=${address}`,
  ]
  const child = spawn(enginesScript, words, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  cleanup.defer(async () => {
    child.kill()
    await exited
  })
  return `http://${address}`
}
