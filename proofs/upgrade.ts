import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Balancer, startBalancer } from '../server/test/balancer.ts'
import type { TestDatabase } from '../server/test/database.ts'
import { ingestSettings, makeCredential } from '../server/test/ingest.ts'
import { type ApiProcess, type ServerProcess, startApi, startWorker } from '../server/test/process.ts'
import { makeOwnEngines } from '../server/test/proofs/own-engines.ts'
import { toReviewTarget } from '../server/test/pull-requests.ts'
import { makeNumberedEvents } from './ingest/events.ts'
import { countStored, createWriteLog, verifyOutcomes, verifyPullRequests } from './ingest/verify.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceCopy, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'
import { type Load, startLoad } from './upgrade/load.ts'
import { checkOutPreviousVersion, type PreviousVersion } from './upgrade/previous-version.ts'

const withoutCures: readonly SourceEdit[] = [
  // The listener closes at once.
  {
    file: 'api.ts',
    find: "if (signal === 'SIGTERM') await sleep(config.drainDelaySeconds * 1000)",
    replace: '',
  },
  // A migration waits for its lock for as long as somebody reads, and everybody behind it.
  {
    file: 'db/migrate.ts',
    find: 'set local lock_timeout = ${lockTimeoutMs}',
    replace: 'set local lock_timeout = 0',
  },
]

/** Tables that every request uses: a migration of each is added to those of this version. */
const busyTables = ['organization', 'api_key', 'learning', 'pull_request']
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
const NODES = 2
const DRAIN_DELAY_SECONDS = 2
const MAX_IDLE_MS = 60_000

interface Plan {
  /** How long each version serves before the next step. */
  readonly serveMs: number
  /** How long a backup reads on when a migration waits for it. */
  readonly backupMs: number
  readonly rounds: number
}

/** The version before under load, this one, and back, node by node: no request fails, no event is lost. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const previous = await checkOutPreviousVersion()
  const copy = await copyWithout(withoutCure ? withoutCures : [])
  for (const table of busyTables) {
    const text = `alter table ${table} add column upgrade_proof text`
    await writeFile(`${copy.folder}/migrations/9999_${table}.sql`, text)
  }
  const plan: Plan =
    quick || withoutCure
      ? { serveMs: 2_000, backupMs: 6_000, rounds: 1 }
      : { serveMs: 15_000, backupMs: 30_000, rounds: 3 }
  const engines = await makeOwnEngines()
  try {
    const database = await previous.makeDatabaseOn(engines.postgres.url)
    const title = `upgrade: from ${previous.commit.slice(0, 7)} to this version and back, node by node`
    report(
      withoutCure ? `${title}, without drain delay and lock time-out` : title,
      await run(database, engines.nats.url, { previous, copy }, plan),
    )
  } finally {
    await engines.remove()
    await copy.remove()
    previous.remove()
  }
}

interface Versions {
  readonly previous: PreviousVersion
  readonly copy: SourceCopy
}

type Settings = Parameters<typeof startWorker>[1]

async function run(
  database: TestDatabase,
  natsUrl: string,
  versions: Versions,
  plan: Plan,
): Promise<Measurement[]> {
  const superuser = database.superuser()
  const tenant = await versions.previous.makeTenant(database)
  const { value: key } = await tenant.createKey('workspace')
  await tenant.close()
  const settings = {
    ...ingestSettings({ prefix: 'proof' }),
    NATS_URL: natsUrl,
    ...noLimits,
    INGEST_MAX_BYTES: String(1024 ** 3),
    DRAIN_DELAY_SECONDS: String(DRAIN_DELAY_SECONDS),
    DATABASE_CONNECTIONS: '8',
  }
  const [organization] = tenant.workspace.organizations
  const events = makeNumberedEvents(tenant.workspace.organizations.map((one) => toReviewTarget(one)))
  const balancer = await startBalancer()
  const cluster = createCluster(database, settings, balancer, versions)
  let phase = 'start'
  const started = performance.now()
  const begin = (name: string) => {
    phase = name
    console.error(`  ${Math.round((performance.now() - started) / 1000)} s: ${name}`)
  }
  try {
    await superuser.query(createWriteLog)
    await cluster.start()
    const load = startLoad({
      url: balancer.url,
      key,
      credential: makeCredential(tenant.ring, tenant.workspace.root).value,
      organizationId: organization.id,
      orgId: organization.orgId,
      repositoryId: organization.repositories[0]?.repositoryId ?? '',
      events,
      phase: () => phase,
    })
    try {
      begin('the version before serves')
      await sleep(plan.serveMs)
      begin('the database is migrated during a backup')
      const migrateMs = await migrateDuringBackup(superuser, database, natsUrl, versions.copy, plan.backupMs)
      for (let round = 0; round < plan.rounds; round++) {
        begin('nodes are replaced by this version')
        await cluster.replaceAll('this')
        begin('this version serves')
        await sleep(plan.serveMs)
        begin('nodes are replaced by the version before')
        await cluster.replaceAll('before')
        begin('the version before serves again')
        await sleep(plan.serveMs)
      }
      begin('the load ends')
      await load.stop()
      await waitForAll(superuser, load)
      return [
        ...measureLoad(load, cluster.replaced(), migrateMs),
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
  replaceAll(version: 'before' | 'this'): Promise<void>
  /** How many processes were replaced. */
  replaced(): number
  stop(): Promise<void>
}

function createCluster(
  database: TestDatabase,
  settings: Settings,
  balancer: Balancer,
  { previous, copy }: Versions,
): Cluster {
  let apis: (ApiProcess & { readonly takeOut: boolean })[] = []
  let workers: ServerProcess[] = []
  let replaced = 0
  const entries = { before: previous, this: copy }

  async function addApi(version: 'before' | 'this') {
    const api = await startApi(database, settings, entries[version].apiEntry)
    await balancer.add(api.url)
    return { ...api, takeOut: version === 'before' && !previous.drainsSlowly }
  }

  async function replaceApis(version: 'before' | 'this'): Promise<void> {
    const old = apis
    apis = []
    for (const api of old) {
      apis.push(await addApi(version))
      if (api.takeOut) await balancer.takeOut(api.url)
      await api.stop()
      replaced += 1
    }
  }

  async function replaceWorkers(version: 'before' | 'this'): Promise<void> {
    const old = workers
    workers = []
    for (const worker of old) {
      workers.push(await startWorker(database, settings, entries[version].workerEntry))
      await worker.stop()
      replaced += 1
    }
  }

  return {
    async start() {
      const nodes = Array.from({ length: NODES })
      workers = await Promise.all(nodes.map(() => startWorker(database, settings, previous.workerEntry)))
      apis = await Promise.all(nodes.map(() => addApi('before')))
    },
    async replaceAll(version) {
      if (version === 'this') {
        await replaceWorkers(version)
        await replaceApis(version)
      } else {
        await replaceApis(version)
        await returnQueue(copy, database, settings.NATS_URL)
        await replaceWorkers(version)
      }
    },
    replaced: () => replaced,
    async stop() {
      await Promise.all([...apis, ...workers].map((process) => process.stop('SIGKILL')))
    },
  }
}

/** What only this version's workers read goes where the version before reads it. */
async function returnQueue(copy: SourceCopy, database: TestDatabase, natsUrl: string): Promise<void> {
  await runAdmin(copy, database, natsUrl, 'queue', 'return')
}

/** Waits until everything is stored, or no new rows have appeared for a while. */
async function waitForAll(superuser: Superuser, { acknowledged }: Load): Promise<void> {
  let before = -1
  let idleDeadline = Date.now() + MAX_IDLE_MS
  for (;;) {
    const stored = await countStored(superuser)
    const { pullRequests, outcomes } = acknowledged
    if (stored.pullRequests >= pullRequests.size && stored.outcomes >= outcomes.size) return
    const now = stored.pullRequests + stored.outcomes
    if (now > before) idleDeadline = Date.now() + MAX_IDLE_MS
    else if (Date.now() > idleDeadline) return
    before = now
    await sleep(200)
  }
}

function measureLoad({ counts }: Load, replaced: number, migrateMs: number): Measurement[] {
  for (const [failure, first] of counts.failures) console.error(`  ${failure}: ${first}`)
  const stall = `${Math.round(counts.longestWriteMs)} ms (${counts.longestWritePhase})`
  return [
    {
      measure: `processes replaced, and the migration in ${(migrateMs / 1000).toFixed(1)} s`,
      goal: `≥ ${4 * NODES}`,
      result: replaced,
      met: replaced >= 4 * NODES,
    },
    {
      measure: `${counts.reads} reads and ${counts.writes} writes: failed`,
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

async function measureStored(
  superuser: Superuser,
  { acknowledged, learnings, counts }: Load,
  events: ReturnType<typeof makeNumberedEvents>,
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
