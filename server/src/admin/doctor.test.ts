import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DiscardPolicy } from '@nats-io/jetstream'
import type pg from 'pg'
import { createDatabaseOn, type TestDatabase } from '../../test/database.ts'
import { freePort } from '../../test/free-port.ts'
import { type ApiProcess, type ServerProcess, startApi, startWorker } from '../../test/process.ts'
import {
  createOwnEngines,
  createOwnNats,
  type OwnEngines,
  type OwnNats,
  runOnce,
} from '../../test/proofs/own-engines.ts'
import { createTenant, type Tenant } from '../../test/tenant.ts'
import { waitFor } from '../../test/wait.ts'
import { type Bus, connectBus } from '../bus/connect.ts'
import { declareBus } from '../bus/declare.ts'
import { streams } from '../bus/streams.ts'
import { commands } from '../commands.ts'
import { timers } from '../consumers.ts'
import { createLog } from '../observe/log.ts'
import { settings as settingsTable } from '../settings/settings.ts'
import { IncompleteError } from './command.ts'
import { createAdminContext } from './context.ts'
import { WORKER_CONNECTIONS } from './doctor/database.ts'
import { describeClock } from './doctor/finding.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

type Settings = Readonly<Record<string, string>>
type Row = Readonly<Record<'check' | 'of' | 'found' | 'to_do', string>>

const natsFile = fileURLToPath(new URL('../../../deploy/nats.conf', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const ringOf = (digits: string) => `k1:${digits.repeat(32)}`
const natsPasswords = { api: 'f00da', worker: 'f00db', admin: 'f00dc' }

// Engines of their own, because roles, synchronous_standby_names and configurations belong to a whole server.
let engines: OwnEngines
let nats: OwnNats
/** Syncs every two minutes, the default of NATS, and requires no password. */
let careless: OwnNats
let carelessMonitoring: string
let carelessBus: Bus
let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let api: ApiProcess
let worker: ServerProcess
let sound: Settings
let closedPort: number
let workerReadiness: string

before(async () => {
  const [monitoringPort, carelessPort] = await Promise.all([freePort(), freePort()])
  closedPort = await freePort()
  carelessMonitoring = `http://127.0.0.1:${carelessPort}`
  ;[engines, nats, careless] = await Promise.all([
    createOwnEngines(),
    createOwnNats({
      settings: ({ port, folder: inside }) =>
        readFileSync(natsFile, 'utf8')
          .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
          .replace('127.0.0.1:8222', `127.0.0.1:${monitoringPort}`)
          .replace('"/data"', `"${inside}/store"`),
      env: Object.fromEntries(
        Object.entries(natsPasswords).map(([user, password]) => [
          `NATS_${user.toUpperCase()}_PASSWORD`,
          `"${password}"`,
        ]),
      ),
    }),
    createOwnNats({
      settings: ({ port, folder: inside }) => `server_name: careless
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${carelessPort}"
jetstream { store_dir: "${inside}/store" }
`,
    }),
  ])
  database = await createDatabaseOn(engines.postgres.url)
  superuser = database.superuser()
  tenant = await createTenant(database)
  const [organization] = tenant.workspace.organizations
  await superuser.query(
    `insert into connector (root_id, organization_id, id, provider, host, mode, account, credential, key_id, status,
       created_at, inventory_due_at)
     values ($1, $2, gen_random_uuid(), 'github', 'github.com', 'polling', 'new', '\\x01', 'k1', 'active', now(), now())`,
    [tenant.workspace.root, organization.id],
  )
  await superuser.query(`insert into restore_drill (data_until, seconds) values (now(), 1)`)
  const natsUrl = (user: keyof typeof natsPasswords) =>
    `nats://${user}:${natsPasswords[user]}@127.0.0.1:${nats.port}`
  const [port, workerPort] = [String(await freePort()), String(await freePort())]
  workerReadiness = `http://127.0.0.1:${workerPort}/readyz`
  const shared = {
    INGEST_KEYS: ringOf('07'),
    AUDIT_SIGNING_KEY: randomBytes(32).toString('base64'),
    AUDIT_HEADS_FILE: `${folder}/heads`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    BUS_PREFIX: 'scholiast',
  }
  ;[api, worker] = await Promise.all([
    startApi(database, { ...shared, NATS_URL: natsUrl('api'), PORT: port }),
    startWorker(database, { ...shared, NATS_URL: natsUrl('worker'), METRICS_PORT: workerPort }),
  ])
  sound = {
    ...shared,
    WORKER_DATABASE_URL: database.urls.worker,
    AUTH_DATABASE_URL: database.urls.auth,
    API_DATABASE_URL: database.urls.api,
    NATS_URL: natsUrl('admin'),
    NATS_MONITORING_URL: `http://127.0.0.1:${monitoringPort}`,
    SIGNING_KEYS: ringOf('ab'),
    CONNECTOR_KEYS: ringOf('cd'),
  }
  carelessBus = await connectBus({
    url: careless.url,
    prefix: 'scholiast',
    name: 'test',
    log: createLog('test', 'silent'),
  })
  await waitFor('the worker has signed the audit log', async () => {
    return (await superuser.query('select from audit_signed')).rows.length === 4
  })
  await waitFor('the worker has chosen the model', async () => {
    return (await superuser.query(`select from learning_model where state = 'active'`)).rows.length === 1
  })
})
after(async () => {
  await Promise.all([api.stop(), worker.stop()])
  await Promise.all([tenant.close(), superuser.end(), carelessBus.close()])
  await Promise.all([engines.remove(), nats.remove(), careless.remove()])
  rmSync(folder, { recursive: true })
})

async function run(settings: Settings, ...words: string[]) {
  let progress = ''
  const admin = createAdminContext(settings, (line) => {
    progress += line
  })
  try {
    return { output: await runCommand(admin, commands, ['doctor', ...words]), progress }
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw error
    return { output: error.rendered, progress: progress + explainFailure(error), failed: true }
  } finally {
    await admin.close()
  }
}

async function examine(settings: Settings): Promise<Row[]> {
  const { output, failed = false } = await run(settings, '--json')
  const rows = JSON.parse(output) as Row[]
  assert.equal(failed, listProblems(rows).length > 0, 'it fails if there is something to do')
  return rows
}

const listProblems = (rows: readonly Row[]) => rows.filter(({ to_do }) => to_do !== 'OK')

/** Settings that differ from those of the sound installation; undefined = not set. */
type Change = Readonly<Record<string, string | undefined>>

interface Fault {
  readonly settings?: () => Change | Promise<Change>
  /** SQL of a superuser. */
  readonly plant?: string
  readonly cure?: string
  /** Check and subject of each finding, with what it says. */
  readonly expected: Readonly<Record<string, RegExp>>
}

const sqlNames = { last: `(select max(name) from migration)` }

const faults: Readonly<Record<string, Fault>> = {
  'a missing migration': {
    plant: `update migration set name = 'x' || name where name = ${sqlNames.last}`,
    cure: `update migration set name = substr(name, 2)`,
    expected: { 'schema main': /lacks .*sql .*run: npm run admin -- database migrate/ },
  },
  'an older schema': {
    plant: `update migration set checksum = 'x' || checksum`,
    cure: `update migration set checksum = substr(checksum, 2)`,
    expected: { 'schema main': /has changed since .*start again with an empty database/ },
  },
  'a role that bypasses row-level security': {
    plant: 'alter role scholiast_api bypassrls',
    cure: 'alter role scholiast_api nobypassrls',
    expected: { 'role api in main': /can bypass .*name scholiast_api .*database bootstrap/ },
  },
  'a role without time limits': {
    plant: 'alter role scholiast_auth reset statement_timeout',
    cure: `alter role scholiast_auth set statement_timeout = '4000'`,
    expected: { 'role auth in main': /has no time limit .*database bootstrap/ },
  },
  'a table without row-level security': {
    plant: 'alter table repository disable row level security',
    cure: 'alter table repository enable row level security',
    expected: { 'policies main': /no isolation: repository .*stop the API/ },
  },
  'a policy that was dropped': {
    plant: 'alter policy tenant on learning rename to was_tenant',
    cure: 'alter policy was_tenant on learning rename to tenant',
    expected: { 'policies main': /no isolation: learning .*server\/schema\.sql/ },
  },
  'a policy that shows the rows of all tenants': {
    plant: 'create policy spy on person to scholiast_api using (true)',
    cure: 'drop policy spy on person',
    expected: { 'policies main': /no isolation: person / },
  },
  'a standby that is not there': {
    plant: `alter system set synchronous_standby_names = 'FIRST 1 (absent)'`,
    cure: 'alter system reset synchronous_standby_names',
    expected: { 'replication main': /0 standbys; writes wait for 1 .*start the standby/ },
  },
  'too few connections': {
    settings: async () => {
      // Processes are counted by the connections of these checks.
      for (const url of [`${api.url}/readyz`, workerReadiness]) assert.equal((await fetch(url)).status, 200)
      return { DATABASE_CONNECTIONS: '100' }
    },
    expected: { 'connections main': /1 API process and 1 worker can open 439 .*raise max_connections/ },
  },
  'a database that is away': {
    settings: () => ({ WORKER_DATABASE_URL: `postgres://scholiast_worker@127.0.0.1:${closedPort}/x` }),
    expected: { 'PostgreSQL main': /not reachable \(ECONNREFUSED\) .*start PostgreSQL/ },
  },
  'a wrong database name': {
    settings: () => ({ WORKER_DATABASE_URL: `${database.urls.worker}x` }),
    expected: { 'PostgreSQL main': /3D000.*database bootstrap/ },
  },
  'a metrics store that is away': {
    settings: () => ({ METRICS_STORES: `isolated=postgres://127.0.0.1:${closedPort}/x` }),
    expected: { 'PostgreSQL metrics store 1': /not reachable .*start PostgreSQL/ },
  },
  'settings that are not set': {
    settings: () => ({
      WORKER_DATABASE_URL: undefined,
      NATS_MONITORING_URL: undefined,
      SIGNING_KEYS: undefined,
      AUDIT_SIGNING_KEY: undefined,
      AUDIT_HEADS_FILE: undefined,
      PUBLIC_URL: undefined,
    }),
    expected: {
      'PostgreSQL settings': /WORKER_DATABASE_URL is not set .*set this as for the service/,
      'sync_interval servers': /unknown set NATS_MONITORING_URL/,
      'signing SIGNING_KEYS': /SIGNING_KEYS is not set/,
      'signing AUDIT_SIGNING_KEY': /not set set it as for the worker/,
      'signing AUDIT_HEADS_FILE': /not set set it as for the worker/,
      'public URL PUBLIC_URL': /nobody can sign in set it to the address/,
    },
  },
  'a NATS that is away': {
    settings: () => ({
      NATS_URL: `nats://127.0.0.1:${closedPort}`,
      NATS_MONITORING_URL: `http://127.0.0.1:${closedPort}`,
    }),
    expected: {
      'NATS connection': /start NATS, or correct NATS_URL/,
      'NATS server 1': /ECONNREFUSED.*correct its address in NATS_MONITORING_URL/,
    },
  },
  'a NATS without streams, sync_interval and password': {
    settings: () => ({
      NATS_URL: careless.url,
      NATS_MONITORING_URL: carelessMonitoring,
      BUS_PREFIX: 'missing',
    }),
    expected: {
      ...Object.fromEntries(
        streams
          .filter(({ name }) => name !== 'ARCHIVE')
          .map(({ name }) => [`stream ${name}`, /missing start a worker, which creates it/]),
      ),
      'worker relay': /start a worker/,
      'sync_interval server 1': /120 s set sync_interval: always/,
      'password server 1': /not required define users as in deploy\/nats\.conf/,
    },
  },
  'fewer replicas than wanted': {
    settings: () => ({ BUS_REPLICAS: '3' }),
    expected: Object.fromEntries(
      streams
        .filter(({ name }) => name !== 'ARCHIVE')
        .map(({ name }) => [`stream ${name}`, /^1 replica, .*start a worker with BUS_REPLICAS=3/]),
    ),
  },
  'a key that is not well formed': {
    settings: () => ({ SIGNING_KEYS: 'k1:abc', AUDIT_SIGNING_KEY: 'abc' }),
    expected: {
      'signing SIGNING_KEYS': /not id:hex with 64 hex digits/,
      'signing AUDIT_SIGNING_KEY': /set it to an Ed25519 private key/,
    },
  },
  'a key of connectors that is lost': {
    settings: () => ({ CONNECTOR_KEYS: undefined }),
    expected: { 'signing CONNECTOR_KEYS': /1 other key .*add the pairs/ },
  },
  'audit rows that nobody signs': {
    plant: `update audit_signed set position = 0; update audit_log set at = at - interval '1 day' where position = 1`,
    cure: `update audit_log set at = at + interval '1 day' where position = 1;
      update audit_signed s set position = h.position from audit_head h where h.root_id = s.root_id`,
    expected: { 'signing audit log': /rows wait for 86\d+ s start a worker with AUDIT_SIGNING_KEY/ },
  },
  'a heads file in a missing folder': {
    settings: () => ({ AUDIT_HEADS_FILE: `${folder}/missing/heads` }),
    expected: { 'signing AUDIT_HEADS_FILE': /ENOENT.* let the user of the worker write to it/ },
  },
  'no restore drill': {
    plant: `update restore_drill set ended_at = ended_at - interval '40 days'`,
    cure: `update restore_drill set ended_at = ended_at + interval '40 days'`,
    expected: { 'restore drill': /40 days ago run: npm run admin -- restore drill/ },
  },
  'a restore that nobody confirmed': {
    plant: 'insert into restore_point (epoch, restored_to) values (1, now())',
    cure: 'delete from restore_point',
    expected: { 'restore last point': /connectors are paused .*restore-point confirm/ },
  },
  'a connector that fails': {
    plant: `update connector set status = 'failing', error = 'x'`,
    cure: `update connector set status = 'active', error = null`,
    expected: { 'connectors all': /\b1 failing see the errors of connectors/ },
  },
  'a model that is away, and is not that of the index': {
    settings: () => ({
      EMBEDDER_URL: `http://127.0.0.1:${closedPort}/v1`,
      EMBEDDER_MODEL: 'm',
      EMBEDDER_DIMENSIONS: '8',
    }),
    expected: {
      'model Learnings': /ECONNREFUSED.* start the model server/,
      'model index': /of local-\S+, but http:m:8 is configured .*learnings reindex/,
    },
  },
  'a public address that leads elsewhere': {
    settings: () => ({ PUBLIC_URL: `${api.url}/elsewhere` }),
    expected: { 'public URL PUBLIC_URL': /returns 404 check the proxy/ },
  },
}

void describe('doctor', () => {
  void it('finds nothing to do in a sound installation', async () => {
    const rows = await examine(sound)
    assert.deepEqual(listProblems(rows), [])
    const checks = new Set(rows.map(({ check }) => check))
    for (const check of [
      'schema',
      'role',
      'policies',
      'replication',
      'disk',
      'clock',
      'connections',
      'stream',
    ])
      assert.ok(checks.has(check), check)
    process.stdout.write(`# sound installation: ${rows.length} checks, 0 false findings\n`)
  })

  let named = 0
  for (const [fault, { settings, plant, cure, expected }] of Object.entries(faults)) {
    void it(`names ${fault}, with the cure, and nothing else`, async () => {
      if (plant !== undefined) await plantFault(plant)
      try {
        const changed = Object.entries({ ...sound, ...(await settings?.()) })
        const env = Object.fromEntries(changed.filter(([, value]) => value !== undefined)) as Settings
        const problems = listProblems(await examine(env))
        const found = new Map(problems.map((row) => [`${row.check} ${row.of}`, `${row.found} ${row.to_do}`]))
        assert.deepEqual([...found.keys()].sort(), Object.keys(expected).sort())
        for (const [subject, says] of Object.entries(expected)) assert.match(found.get(subject) ?? '', says)
        named += 1
      } finally {
        if (cure !== undefined) await plantFault(cure)
      }
    })
  }

  void it('has found all faults', () => {
    process.stdout.write(`# ${named} of ${Object.keys(faults).length} faults named\n`)
    assert.equal(named, Object.keys(faults).length)
  })
})

async function plantFault(sql: string): Promise<void> {
  // ALTER SYSTEM cannot be in a transaction.
  for (const statement of sql.split(';')) await superuser.query(statement)
  if (!sql.includes('system')) return
  await superuser.query('select pg_reload_conf()')
  const wanted = sql.includes('reset') ? '' : 'FIRST 1 (absent)'
  await waitFor('the server has read its settings', async () => {
    const { rows } = await superuser.query<{ value: string }>(
      `select setting as value from pg_settings where name = 'synchronous_standby_names'`,
    )
    return rows[0]?.value === wanted
  })
}

void describe('doctor on a bus', () => {
  void it('names a stream that drops what it should refuse', async () => {
    const small = streams.map((stream) => ({ ...stream, maxBytes: 1024 ** 2 }))
    await declareBus(carelessBus, { streams: small, consumers: [], replicas: 1 })
    await carelessBus.manager.streams.update('scholiast_QUEUE', { discard: DiscardPolicy.Old })
    const rows = await examine({ ...sound, NATS_URL: careless.url })
    const problems = listProblems(rows).map(({ check, of, to_do }) => `${check} ${of}: ${to_do}`)
    assert.deepEqual(problems, [
      'stream QUEUE: start a worker, which declares it again',
      'worker relay: start a worker; its log says what it waits for',
    ])
  })
})

void describe('doctor on a cluster', () => {
  void it('counts a standby that is connected', async () => {
    const standby = await startStandby('ONE')
    try {
      await superuser.query(`alter system set synchronous_standby_names = 'ANY 1 ("one", absent)'`)
      await superuser.query('select pg_reload_conf()')
      // A write that the standby has confirmed.
      await superuser.query('create table replicated ()')
      const rows = await examine(sound)
      assert.deepEqual(listProblems(rows), [])
      const found = rows.find(({ check }) => check === 'replication')?.found ?? ''
      assert.match(found, /^1 standby; writes wait for 1; \d+ MiB of the log not confirmed$/)
    } finally {
      await plantFault('alter system reset synchronous_standby_names')
      await standby.stop()
    }
  })
})

/** Receives the log as a synchronous standby does. */
async function startStandby(name: string) {
  await superuser.query(`select pg_create_physical_replication_slot('doctor', true)`)
  const wal = `${engines.folder.inside}/wal`
  runOnce('install', '-d', '-m', '700', wal)
  const script = fileURLToPath(new URL('../../../scripts/engines', import.meta.url))
  const receiver = '/usr/lib/postgresql/17/bin/pg_receivewal'
  const { port } = new URL(engines.postgres.url)
  const address = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres']
  const child = spawn(
    script,
    ['run', 'env', `PGAPPNAME=${name}`, receiver, '--synchronous', '-S', 'doctor', '-D', wal, ...address],
    { stdio: 'ignore' },
  )
  await waitFor('the standby is connected', async () => {
    return (await superuser.query('select from pg_stat_replication')).rows.length === 1
  })
  return {
    async stop() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
      await superuser.query(`select pg_drop_replication_slot('doctor')`)
    },
  }
}

void describe('doctor, its parts', () => {
  void it('names clocks that differ', () => {
    const now = Date.now()
    assert.match(describeClock(now - 10_000, now)[1] ?? '', /synchronize the clocks/)
    assert.match(describeClock(now + 10_000, now)[1] ?? '', /synchronize the clocks/)
    assert.equal(describeClock(now, now)[1], null)
  })

  void it('counts a connection for each timer of a worker', () => {
    assert.equal(WORKER_CONNECTIONS, timers.length + 1)
  })
})

void describe('doctor --bundle', () => {
  const secret = `s3cret${randomBytes(8).toString('hex')}`
  const secretRing = `k1:${'5ec2'.repeat(16)}`
  /** Names and texts of tenants, of which none may be in a bundle or in the output. */
  const listNames = async () => {
    const { rows } = await superuser.query<{ text: string }>(
      `select name as text from root union select name from organization union select name from repository
       union select name from person union select email from person where email is not null
       union select error from connector where error is not null union select account from connector`,
    )
    return rows.map(({ text }) => text).filter((text) => text.length > 3)
  }
  const withPassword = (url: string) => {
    const changed = new URL(url)
    changed.password = secret
    return changed.href
  }

  for (const [state, change] of Object.entries<() => Change>({
    'a sound installation': () => ({}),
    'an installation in which nothing works': () => ({
      WORKER_DATABASE_URL: `postgres://scholiast_worker:${secret}@127.0.0.1:${closedPort}/${secret}`,
      NATS_URL: `nats://admin:${secret}@127.0.0.1:${closedPort}`,
      NATS_MONITORING_URL: `http://${secret}:${secret}@127.0.0.1:${closedPort}`,
      SIGNING_KEYS: secret,
      CONNECTOR_KEYS: secret,
      AUDIT_SIGNING_KEY: secret,
      EMBEDDER_URL: `http://user:${secret}@127.0.0.1:${closedPort}/v1`,
      PUBLIC_URL: `https://user:${secret}@127.0.0.1`,
    }),
    'wrong numbers': () => ({
      AUDIT_HEADS_SECONDS: secret,
      DATABASE_CONNECTIONS: secret,
      BUS_REPLICAS: secret,
    }),
  })) {
    void it(`writes no secret and no name of ${state}`, async () => {
      await superuser.query(
        `update connector set account = 'planted-account', error = 'planted error of a host'`,
      )
      const file = `${folder}/${randomBytes(4).toString('hex')}.json`
      const planted = {
        ...sound,
        WORKER_DATABASE_URL: withPassword(database.urls.worker),
        AUTH_DATABASE_URL: withPassword(database.urls.auth),
        API_DATABASE_URL: withPassword(database.urls.api),
        METRICS_STORES: `meridian-freight=${engines.postgres.url.replace(/postgres@/, '')}`,
        SIGNING_KEYS: secretRing,
        INGEST_KEYS: secretRing,
        CONNECTOR_KEYS: secretRing,
        BOOTSTRAP_DATABASE_URL: withPassword(engines.postgres.url),
        OWNER_DATABASE_URL: withPassword(database.urls.owner),
        EMBEDDER_URL: `http://127.0.0.1:${closedPort}/v1`,
        EMBEDDER_MODEL: 'm',
        EMBEDDER_DIMENSIONS: '8',
        EMBEDDER_API_KEY: secret,
        IDENTITY_PROVIDERS_FILE: `/${secret}`,
        ...change(),
      }
      const printed = [await run(planted, '--bundle', file), await run(planted), await run(planted, '--json')]
      const text = readFileSync(file, 'utf8')
      assert.equal(statSync(file).mode & 0o777, 0o600)
      const secrets = [
        secret,
        secretRing.slice(3),
        sound['AUDIT_SIGNING_KEY'] ?? '',
        ...Object.values(natsPasswords),
      ]
      const names = await listNames()
      assert.ok(names.length > 10 && names.includes('planted error of a host'))
      for (const hidden of [...secrets, ...names, 'meridian-freight'])
        for (const shown of [text, ...printed.map(({ output, progress }) => output + progress)])
          assert.ok(!shown.includes(hidden), `${hidden} is printed`)
      const bundle = JSON.parse(text) as { settings: Record<string, unknown>; findings: Row[] }
      assert.ok(bundle.findings.length > 5)
      assert.deepEqual(Object.keys(bundle.settings), [...new Set(settingsTable.map(({ name }) => name))])
      assert.equal(bundle.settings['EMBEDDER_API_KEY'], 'set')
      assert.equal(bundle.settings['TRUSTED_PROXIES'], 'not set')
      await assert.rejects(run(planted, '--bundle', file), /EEXIST/)
    })
  }

  void it('has what a bug report needs', async () => {
    const file = `${folder}/bundle.json`
    await superuser.query('analyze root')
    const { progress } = await run({ ...sound, DATABASE_CONNECTIONS: '8' }, '--bundle', file)
    assert.match(progress, /^Wrote .*bundle\.json\.$/)
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as {
      settings: Record<string, unknown>
      versions: Record<string, string>
      findings: Row[]
      rows: { table: string; rows: number }[]
    }
    assert.equal(bundle.settings['DATABASE_CONNECTIONS'], 8)
    assert.deepEqual(Object.keys(bundle.versions), ['scholiast', 'node', 'system'])
    const found = (check: string, of: string) =>
      bundle.findings.find((row) => row.check === check && row.of === of)?.found ?? ''
    assert.match(found('schema', 'main'), /^up to date with \d{4}_[\w-]+\.sql$/)
    assert.match(found('stream', 'QUEUE'), /^1 replica, 1 up to date; 0 messages, 0 MiB of 64 MiB used$/)
    assert.match(found('worker', 'relay'), /^up to date \d+ s ago$/)
    assert.deepEqual(
      bundle.rows.find(({ table }) => table === 'root'),
      { table: 'root', rows: 4 },
    )
  })
})
