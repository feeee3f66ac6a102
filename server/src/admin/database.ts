import { setTimeout as sleep } from 'node:timers/promises'
import { type Backfill, renderProgress, runBackfill } from '../access/backfill.ts'
import {
  type BackfillProgress,
  readBackfillsUnscoped,
  restartBackfillUnscoped,
} from '../access/backfill-sql.ts'
import { backfills } from '../backfills.ts'
import { type MetricsStoreUrls, readSettings } from '../config.ts'
import { bootstrap } from '../db/bootstrap.ts'
import { findPendingMigrations, migrate } from '../db/migrate.ts'
import { type AdminCommand, briefOutput, defineCommand, type OutputFields, option } from './command.ts'
import type { AdminContext } from './context.ts'

const bootstrapDatabase = defineCommand({
  name: 'database bootstrap',
  summary: 'Create the roles and databases; runs once, as a superuser',
  environment: [
    'BOOTSTRAP_DATABASE_URL',
    'OWNER_DATABASE_URL',
    'AUTH_DATABASE_URL',
    'API_DATABASE_URL',
    'WORKER_DATABASE_URL',
    'REPORT_DATABASE_URL',
    'METRICS_STORES',
  ],
  async run({ env, reportProgress }) {
    const { superuser, urls, report, stores } = readSettings(env, (read) => ({
      superuser: read.text('BOOTSTRAP_DATABASE_URL'),
      report: read.optional('REPORT_DATABASE_URL'),
      stores: read.metricsStores('OWNER_DATABASE_URL'),
      urls: {
        owner: read.text('OWNER_DATABASE_URL'),
        auth: read.text('AUTH_DATABASE_URL'),
        api: read.text('API_DATABASE_URL'),
        worker: read.text('WORKER_DATABASE_URL'),
      },
    }))
    await bootstrap(superuser, { ...urls, ...(report !== null && { report }) })
    const others = otherStores(stores, urls.owner)
    for (const { name, url } of others) {
      reportProgress(`metrics store ${name}`)
      const { pathname } = new URL(superuser)
      await bootstrap(withRole(url, superuser, pathname), {
        owner: withRole(url, urls.owner),
        auth: withRole(url, urls.auth),
        api: withRole(url, urls.api),
        worker: withRole(url, urls.worker),
        ...(report !== null && { report: withRole(url, report) }),
      })
    }
    const stored = others.map(({ name }) => name)
    return briefOutput('The roles and databases exist. Next: npm run admin -- database migrate', {
      stores: stored,
    })
  },
})

const migrateDatabase = defineCommand({
  name: 'database migrate',
  summary: 'Apply the pending schema migrations while the running version serves',
  environment: ['OWNER_DATABASE_URL', 'METRICS_STORES', 'WORKER_DATABASE_URL'],
  options: {
    contract: option.flag(
      'Also remove what only version N−1 uses: none of its processes may run, nor come back',
    ),
  },
  async run(admin, { contract }) {
    const { owner, stores } = readOwnerSettings(admin)
    const finishedBackfills = contract ? await completeBackfills(admin, owner) : null
    const migrateOne = (url: string, prefix: string) =>
      migrate(url, {
        say: (line) => admin.reportProgress(prefix + line),
        contract: finishedBackfills === null ? null : { finishedBackfills },
      })
    let applied = await migrateOne(owner, '')
    for (const { name, url } of otherStores(stores, owner))
      applied += await migrateOne(url, `metrics store ${name}: `)
    return briefOutput(applied === 0 ? 'The schema is up to date.' : 'The schema has been migrated.', {
      applied,
    })
  },
})

function readOwnerSettings({ env }: AdminContext) {
  return readSettings(env, (read) => ({
    owner: read.text('OWNER_DATABASE_URL'),
    stores: read.metricsStores('OWNER_DATABASE_URL'),
  }))
}

/** Runs the backfills of pending contract files once more, for rows that version N−1 wrote behind them. */
async function completeBackfills(admin: AdminContext, owner: string): Promise<ReadonlySet<string>> {
  const pending = await findPendingMigrations(owner)
  const awaited = new Set(pending.flatMap(({ contract }) => contract?.after ?? []))
  const completed = backfills.filter(({ name }) => awaited.has(name))
  for (const backfill of completed) await runToEnd(admin, backfill, { again: true })
  return new Set(completed.map(({ name }) => name))
}

const backfillDatabase = defineCommand({
  name: 'database backfill',
  summary: 'Finish the pending backfills now, instead of waiting for the worker',
  async run(admin) {
    for (const backfill of backfills) await runToEnd(admin, backfill)
    const message = backfills.length === 0 ? 'This version has no backfills.' : 'All backfills are finished.'
    return briefOutput(message, { backfills: backfills.map(({ name }) => name) })
  },
})

const REPORT_MS = 5_000
const RETRY_MS = 500

/** Continues what the worker has begun; `again` starts at the first tenant root. */
async function runToEnd(admin: AdminContext, backfill: Backfill, { again = false } = {}): Promise<void> {
  const { pool } = await admin.operator()
  if (again) await restartBackfillUnscoped(pool, backfill.name)
  let reportAt = 0
  const report = (progress: BackfillProgress) => {
    if (Date.now() >= reportAt) {
      reportAt = Date.now() + REPORT_MS
      admin.reportProgress(renderProgress(progress, Date.now()))
    }
    return true
  }
  // False: the worker is running a batch.
  while (!(await runBackfill(pool, backfill, { shouldContinue: report }))) await sleep(RETRY_MS)
}

const statusDatabase = defineCommand({
  name: 'database status',
  summary: 'List the pending migrations and the backfills with their progress',
  environment: ['OWNER_DATABASE_URL', 'METRICS_STORES', 'WORKER_DATABASE_URL'],
  async run(admin) {
    const { owner, stores } = readOwnerSettings(admin)
    const databases = [{ name: 'main', url: owner }, ...otherStores(stores, owner)]
    const rows: OutputFields[] = []
    for (const { name: database, url } of databases) {
      for (const { name, contract } of await findPendingMigrations(url))
        rows.push({ database, name, state: contract === null ? 'pending' : 'pending, applied by --contract' })
    }
    const { pool } = await admin.operator()
    const begun = new Map((await readBackfillsUnscoped(pool)).map((progress) => [progress.name, progress]))
    for (const { name } of backfills) {
      const progress = begun.get(name)
      const state = progress === undefined ? 'not started' : renderProgress(progress, Date.now())
      rows.push({ database: 'main', name, state })
    }
    return { rows, emptyMessage: 'No migration is pending, and this version has no backfills.' }
  },
})

/** The main database is itself the store "shared" unless METRICS_STORES says otherwise. */
export function otherStores(stores: MetricsStoreUrls, main: string) {
  return [...stores].filter(([, url]) => url !== main).map(([name, url]) => ({ name, url }))
}

/** A role has the same name and password in every store. */
export function withRole(store: string, role: string, pathname?: string): string {
  const url = new URL(store)
  const { username, password } = new URL(role)
  return Object.assign(url, { username, password, ...(pathname !== undefined && { pathname }) }).href
}

export const databaseCommands: readonly AdminCommand[] = [
  bootstrapDatabase,
  migrateDatabase,
  backfillDatabase,
  statusDatabase,
]
