import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Balancer, startBalancer } from '../server/test/balancer.ts'
import { createDatabaseOn, type TestDatabase } from '../server/test/database.ts'
import { createCredential, ingestSettings } from '../server/test/ingest.ts'
import { type ApiProcess, type ServerProcess, startApi, startWorker } from '../server/test/process.ts'
import { createOwnEngines } from '../server/test/proofs/own-engines.ts'
import { toReviewTarget } from '../server/test/pull-requests.ts'
import { createTenant } from '../server/test/tenant.ts'
import { createNumberedEvents } from './ingest/events.ts'
import { createWriteLog, verifyOutcomes, verifyPullRequests, waitUntilStored } from './ingest/verify.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceCopy, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'
import { type Load, startLoad } from './upgrade/load.ts'

// A migration waits for its lock for as long as somebody reads, and everybody behind it.
const withoutLockTimeout: SourceEdit = {
  file: 'db/migrate.ts',
  name: 'migrate',
  wrap: '(migrate, url, options) => migrate(url, { ...options, lockTimeoutMs: 0 })',
}

/** Tables that every request uses: the next version adds a column to each. */
const busyTables = ['organization', 'api_key', 'learning', 'pull_request']

/** There is no release to start from, so both versions are this source, with migrations of every kind between them. */
const migrationsBefore = {
  '9000_old_column.sql': `alter table learning add column proof_old text default 'old'`,
}
const migrationsAfter = {
  ...Object.fromEntries(
    busyTables.map((table) => [
      `9001_expand_${table}.sql`,
      `alter table ${table} add column proof_new text; alter table ${table} alter column proof_new set default 'new'`,
    ]),
  ),
  '9002_grant.sql': 'grant select (proof_old, proof_new), update (proof_new) on learning to scholiast_worker',
  '9003_index.sql': `-- migrate: no transaction
create index concurrently if not exists learning_proof_new on learning (root_id, proof_new);`,
  '9004_contract.sql': `-- migrate: contract after fill-proof-new
alter table learning drop column proof_old`,
}
const backfillsAfter = `import { statement } from './db/connect.ts'
const fill = statement(
  'proof.fill',
  'update learning set proof_new = proof_old where root_id = $1 and proof_new is null returning id',
)
export const backfills = [
  {
    name: 'fill-proof-new',
    runBatch: async (scope, tx) => ({ changed: (await tx.query(fill, [scope.root])).length, next: null }),
  },
]
`
const limited = [
  'ORGANIZATIONS',
  'REPOSITORIES',
  'USERS',
  'ROLES',
  'CUSTOM_ROLES',
  'KEYS',
  'LEARNINGS_WRITES',
  'METRICS',
]
const noLimits = Object.fromEntries([...limited, 'AUDIT', 'SECURITY'].map((name) => [`LIMIT_${name}`, 'off']))
const MAX_STALL_MS = 5_000
const DRAIN_DELAY_SECONDS = 2
const MAX_IDLE_MS = 60_000

interface Plan {
  /** How long each version serves before the next step. */
  readonly serveMs: number
  /** How long a backup reads on when a migration waits for it. */
  readonly backupMs: number
  readonly rounds: number
  /** Without it, the listener closes at once. */
  readonly drainDelaySeconds: number
}

/** Where the upgrade happens, and what is done before it. */
export interface Site {
  readonly title: string
  /** A superuser's. */
  readonly databaseUrl: string
  readonly natsUrl: string
  readonly apis: number
  readonly workers: number
  readonly settings: Readonly<Record<string, string>>
  /** How often a client repeats a request that was refused with 503, after the time that the answer says. */
  readonly retries: number
  /** Called under load; `replaceAll` restarts every process of the service in turn. */
  prepare?(begin: (phase: string) => void, replaceAll: () => Promise<void>): Promise<void>
}

/** One version under load, the next one, and back, node by node, then the contract: no request fails, no event is lost. */
export async function prove(options: ProofOptions): Promise<void> {
  const engines = await createOwnEngines()
  const site: Site = {
    title: 'upgrade: to the next version and back, node by node, then its contract',
    databaseUrl: engines.postgres.url,
    natsUrl: engines.nats.url,
    apis: 2,
    workers: 2,
    settings: { INGEST_MAX_BYTES: String(1024 ** 3) },
    retries: 0,
  }
  try {
    await proveUpgrade(site, options)
  } finally {
    await engines.remove()
  }
}

export async function proveUpgrade(site: Site, { withoutCure, quick }: ProofOptions): Promise<void> {
  const before = await copyWithout([])
  const after = await copyWithout(withoutCure ? [withoutLockTimeout] : [])
  await addMigrations(before, migrationsBefore)
  await addMigrations(after, { ...migrationsBefore, ...migrationsAfter })
  await writeFile(`${after.folder}/src/backfills.ts`, backfillsAfter)
  const duration =
    quick || withoutCure
      ? { serveMs: 2_000, backupMs: 6_000, rounds: 1 }
      : { serveMs: 15_000, backupMs: 30_000, rounds: 3 }
  const plan: Plan = { ...duration, drainDelaySeconds: withoutCure ? 0 : DRAIN_DELAY_SECONDS }
  try {
    const database = await createDatabaseOn(site.databaseUrl)
    await runAdmin(before, database, site.natsUrl, 'database', 'migrate')
    report(
      withoutCure ? `${site.title}, without drain delay and lock time-out` : site.title,
      await run(database, site, { before, after }, plan),
    )
  } finally {
    await before.remove()
    await after.remove()
  }
}

async function addMigrations(
  { folder }: SourceCopy,
  migrations: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, text] of Object.entries(migrations)) await writeFile(`${folder}/migrations/${name}`, text)
}

type Version = 'before' | 'after'
type Versions = Readonly<Record<Version, SourceCopy>>

type Settings = Parameters<typeof startWorker>[1]

async function run(
  database: TestDatabase,
  site: Site,
  versions: Versions,
  plan: Plan,
): Promise<Measurement[]> {
  const superuser = database.superuser()
  const tenant = await createTenant(database)
  const { value: key } = await tenant.createKey('workspace')
  await tenant.close()
  const { natsUrl } = site
  const settings = {
    ...ingestSettings({ prefix: 'proof' }),
    NATS_URL: natsUrl,
    ...noLimits,
    ...site.settings,
    DRAIN_DELAY_SECONDS: String(plan.drainDelaySeconds),
    DATABASE_CONNECTIONS: '8',
  }
  const [organization] = tenant.workspace.organizations
  const events = createNumberedEvents(tenant.workspace.organizations.map((one) => toReviewTarget(one)))
  const balancer = await startBalancer({ acceptsEvents: true })
  const cluster = createCluster(database, settings, balancer, versions, site)
  let phase = 'start'
  const started = performance.now()
  const begin = (name: string) => {
    phase = name
    console.error(`  ${Math.round((performance.now() - started) / 1000)} s: ${name}`)
  }
  try {
    await superuser.query(createWriteLog)
    await cluster.start()
    const before = () => cluster.replaceAll('before')
    const load = startLoad({
      url: balancer.url,
      key,
      credential: createCredential(tenant.ring, tenant.workspace.root).value,
      organizationId: organization.id,
      orgId: organization.orgId,
      repositoryId: organization.repositories[0]?.repositoryId ?? '',
      events,
      phase: () => phase,
      retries: site.retries,
    })
    try {
      begin('the version before serves')
      await sleep(plan.serveMs)
      await site.prepare?.(begin, before)
      begin('the database is migrated during a backup')
      const migrateMs = await migrateDuringBackup(superuser, database, natsUrl, versions.after, plan.backupMs)
      for (let round = 0; round < plan.rounds; round++) {
        begin('nodes are replaced by the next version')
        await cluster.replaceAll('after')
        begin('the next version serves')
        await sleep(plan.serveMs)
        begin('nodes are replaced by the version before')
        await cluster.replaceAll('before')
        begin('the version before serves again')
        await sleep(plan.serveMs)
      }
      begin('nodes are replaced by the next version for good')
      await cluster.replaceAll('after')
      begin('the backfill and the contract')
      await runAdmin(versions.after, database, natsUrl, 'database', 'migrate', '--contract')
      await sleep(plan.serveMs)
      begin('the load ends')
      await load.stop()
      await waitUntilStored(superuser, load.acknowledged, MAX_IDLE_MS)
      return [
        ...measureLoad(load, cluster.replaced(), 2 * (site.apis + site.workers), migrateMs),
        await measureBackfill(superuser),
        ...(await measureStored(superuser, load, events)),
      ]
    } finally {
      await load.stop()
    }
  } finally {
    await cluster.stop()
    await balancer.stop()
    await superuser.end()
  }
}

type Superuser = ReturnType<TestDatabase['superuser']>

const selectWaitingMigration = `select from pg_stat_activity
  where application_name = 'scholiast-migrate' and wait_event_type = 'Lock'`

/** A backup holds a lock on every table for as long as it reads. */
async function migrateDuringBackup(
  superuser: Superuser,
  database: TestDatabase,
  natsUrl: string,
  copy: SourceCopy,
  backupMs: number,
): Promise<number> {
  const backup = await superuser.connect()
  const started = performance.now()
  try {
    await backup.query('begin')
    await backup.query(`lock table ${busyTables.join()} in access share mode`)
    const migrating = runAdmin(copy, database, natsUrl, 'database', 'migrate')
    const deadline = Date.now() + 30_000
    while ((await superuser.query(selectWaitingMigration)).rowCount === 0 && Date.now() < deadline)
      await sleep(50)
    await sleep(backupMs)
    await backup.query('commit')
    await migrating
    return performance.now() - started
  } finally {
    backup.release()
  }
}

const execute = promisify(execFile)

async function runAdmin(
  { folder }: SourceCopy,
  database: TestDatabase,
  natsUrl: string,
  ...words: readonly string[]
): Promise<void> {
  const { stderr } = await execute(process.execPath, [`${folder}/src/admin.ts`, ...words], {
    env: {
      PATH: process.env['PATH'],
      OWNER_DATABASE_URL: database.urls.owner,
      WORKER_DATABASE_URL: database.urls.worker,
      NATS_URL: natsUrl,
      BUS_PREFIX: 'proof',
    },
  })
  for (const line of stderr.split('\n').filter(Boolean)) console.error(`    ${line}`)
}

interface Cluster {
  start(): Promise<void>
  /** One node at a time: another one is ready before a node stops. */
  replaceAll(version: Version): Promise<void>
  /** How many processes were replaced. */
  replaced(): number
  stop(): Promise<void>
}

function createCluster(
  database: TestDatabase,
  settings: Settings,
  balancer: Balancer,
  versions: Versions,
  site: Site,
): Cluster {
  let apis: ApiProcess[] = []
  let workers: ServerProcess[] = []
  let replaced = 0

  async function addApi(version: Version): Promise<ApiProcess> {
    const api = await startApi(database, settings, versions[version].apiEntry)
    await balancer.add(api.url)
    return api
  }

  async function replaceApis(version: Version): Promise<void> {
    const old = apis
    apis = []
    for (const api of old) {
      apis.push(await addApi(version))
      await api.stop()
      replaced += 1
    }
  }

  async function replaceWorkers(version: Version): Promise<void> {
    const old = workers
    workers = []
    for (const worker of old) {
      workers.push(await startWorker(database, settings, versions[version].workerEntry))
      await worker.stop()
      replaced += 1
    }
  }

  return {
    async start() {
      // The first worker makes the streams.
      for (let worker = 0; worker < site.workers; worker++)
        workers.push(await startWorker(database, settings, versions.before.workerEntry))
      apis = await Promise.all(Array.from({ length: site.apis }, () => addApi('before')))
    },
    async replaceAll(version) {
      const [first, second] =
        version === 'after' ? [replaceWorkers, replaceApis] : [replaceApis, replaceWorkers]
      await first(version)
      await second(version)
    },
    replaced: () => replaced,
    async stop() {
      await Promise.all([...apis, ...workers].map((process) => process.stop('SIGKILL')))
    },
  }
}

function measureLoad({ counts }: Load, replaced: number, wanted: number, migrateMs: number): Measurement[] {
  for (const [failure, first] of counts.failures) console.error(`  ${failure}: ${first}`)
  const stall = `${Math.round(counts.longestWriteMs)} ms (${counts.longestWritePhase})`
  return [
    {
      measure: `processes replaced, and the migration in ${(migrateMs / 1000).toFixed(1)} s`,
      goal: `≥ ${wanted}`,
      result: replaced,
      met: replaced >= wanted,
    },
    {
      measure: `${counts.reads} reads and ${counts.writes} writes, ${counts.repeated} repeated after 503: failed`,
      goal: '0',
      result: counts.failed,
      met: counts.failed === 0 && counts.reads > 0 && counts.writes > 0,
    },
    {
      measure: 'longest write',
      goal: `≤ ${MAX_STALL_MS} ms`,
      result: stall,
      met: counts.longestWriteMs <= MAX_STALL_MS,
    },
    {
      measure: 'longest read',
      goal: `≤ ${MAX_STALL_MS} ms`,
      result: `${Math.round(counts.longestReadMs)} ms`,
      met: counts.longestReadMs <= MAX_STALL_MS,
    },
  ]
}

/** Rows that the version before wrote are in the new form, and the old column is gone. */
async function measureBackfill(superuser: Superuser): Promise<Measurement> {
  const { rows } = await superuser.query<{ changed: number; left: number; old: number }>(
    `select (select sum(changed)::int from backfill where name = 'fill-proof-new') as changed,
       (select count(*)::int from learning where proof_new is null) as left,
       (select count(*)::int from pg_attribute
        where attrelid = 'learning'::regclass and attname = 'proof_old' and not attisdropped) as old`,
  )
  const { changed, left, old } = rows[0] ?? { changed: 0, left: 0, old: 0 }
  return {
    measure: `${changed} rows changed by the backfill: left in the old form; columns left by the contract`,
    goal: '0, 0',
    result: `${left}, ${old}`,
    met: changed > 0 && left === 0 && old === 0,
  }
}

async function measureStored(
  superuser: Superuser,
  { acknowledged, learnings, counts }: Load,
  events: ReturnType<typeof createNumberedEvents>,
): Promise<Measurement[]> {
  const pullRequests = await verifyPullRequests(superuser, events, acknowledged)
  const outcomes = await verifyOutcomes(superuser, events, acknowledged)
  const { rows } = await superuser.query<{ id: string }>('select id from learning')
  const ids = new Set(rows.map(({ id }) => id))
  const lost = [...learnings.values()].filter((id) => !ids.has(id)).length
  return [
    ...[['pull requests', pullRequests] as const, ['outcomes', outcomes] as const].map(
      ([what, { stored, ...wrong }]) => ({
        measure: `${stored} ${what} stored: lost, duplicated, altered`,
        goal: '0, 0, 0',
        result: [wrong.lost, wrong.double, wrong.altered].join(', '),
        met: stored > 0 && wrong.lost + wrong.double + wrong.altered === 0,
      }),
    ),
    {
      measure: `${learnings.size} writes with an Idempotency-Key: lost, applied twice`,
      goal: '0, 0',
      result: `${lost}, ${Math.max(counts.appliedTwice, ids.size - learnings.size)}`,
      met: learnings.size > 0 && lost === 0 && counts.appliedTwice === 0 && ids.size <= learnings.size,
    },
  ]
}
