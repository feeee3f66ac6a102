import { listDeprecatedSettings, type MetricsStoreUrls, readSettings } from '../config.ts'
import { bootstrap, type DatabaseRole, databaseRoles } from '../db/bootstrap.ts'
import { connect } from '../db/connect.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import { migrate } from '../db/migrate.ts'
import { type AdminCommand, briefOutput, defineCommand } from './command.ts'

const bootstrapDatabase = defineCommand({
  name: 'database bootstrap',
  summary: 'Create the roles and databases; runs once, as a superuser',
  environment: [
    'BOOTSTRAP_DATABASE_URL',
    'OWNER_DATABASE_URL',
    'AUTH_DATABASE_URL',
    'API_DATABASE_URL',
    'WORKER_DATABASE_URL',
    'METRICS_STORES',
  ],
  options: {},
  example: '',
  async run({ env, reportProgress }) {
    const { superuser, urls, stores } = readSettings(env, (read) => ({
      superuser: read.text('BOOTSTRAP_DATABASE_URL'),
      stores: read.metricsStores('OWNER_DATABASE_URL'),
      urls: {
        owner: read.text('OWNER_DATABASE_URL'),
        auth: read.authDatabaseUrl(),
        api: read.text('API_DATABASE_URL'),
        worker: read.text('WORKER_DATABASE_URL'),
      },
    }))
    for (const warning of listDeprecatedSettings(env)) reportProgress(warning)
    await bootstrap(superuser, urls)
    const others = otherStores(stores, urls.owner)
    for (const { name, url } of others) {
      reportProgress(`metrics store ${name}`)
      const { pathname } = new URL(superuser)
      await bootstrap(withRole(url, superuser, pathname), {
        owner: withRole(url, urls.owner),
        auth: withRole(url, urls.auth),
        api: withRole(url, urls.api),
        worker: withRole(url, urls.worker),
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
  summary: 'Apply the pending schema migrations',
  environment: ['OWNER_DATABASE_URL', 'METRICS_STORES'],
  options: {},
  example: '',
  async run({ env, reportProgress }) {
    const { owner, stores } = readSettings(env, (read) => ({
      owner: read.text('OWNER_DATABASE_URL'),
      stores: read.metricsStores('OWNER_DATABASE_URL'),
    }))
    const migrateOne = (url: string, prefix: string) =>
      migrate(url, { say: (line) => reportProgress(prefix + line) })
    let applied = await migrateOne(owner, '')
    for (const { name, url } of otherStores(stores, owner))
      applied += await migrateOne(url, `metrics store ${name}: `)
    return briefOutput(applied === 0 ? 'The schema is up to date.' : 'The schema has been migrated.', {
      applied,
    })
  },
})

const checkDatabase = defineCommand({
  name: 'database check',
  summary: 'Check that no service role can bypass row-level security',
  environment: ['AUTH_DATABASE_URL', 'API_DATABASE_URL', 'WORKER_DATABASE_URL', 'METRICS_STORES'],
  options: {},
  example: '',
  async run({ env }) {
    const roles = databaseRoles.filter((role): role is Exclude<DatabaseRole, 'owner'> => role !== 'owner')
    const { urls, worker, stores } = readSettings(env, (read) => ({
      urls: roles.map((role) =>
        role === 'auth' ? read.authDatabaseUrl() : read.text(`${role.toUpperCase()}_DATABASE_URL`),
      ),
      worker: env['WORKER_DATABASE_URL'] ?? '',
      stores: read.metricsStores('WORKER_DATABASE_URL'),
    }))
    const others = otherStores(stores, worker)
    for (const url of urls) await checkRole(url)
    for (const { url } of others) for (const role of urls) await checkRole(withRole(url, role))
    const checked = others.map(({ name }) => name)
    return briefOutput('Row-level security applies to every service role.', { roles, stores: checked })
  },
})

async function checkRole(url: string): Promise<void> {
  const pool = connect({ url, name: 'check', connections: 1 })
  try {
    await refuseUnguardedRole(pool)
  } finally {
    await pool.end()
  }
}

/** The main database is itself the store "shared" unless METRICS_STORES says otherwise. */
function otherStores(stores: MetricsStoreUrls, main: string) {
  return [...stores].filter(([, url]) => url !== main).map(([name, url]) => ({ name, url }))
}

/** A role has the same name and password in every store. */
function withRole(store: string, role: string, pathname?: string): string {
  const url = new URL(store)
  const { username, password } = new URL(role)
  return Object.assign(url, { username, password, ...(pathname !== undefined && { pathname }) }).href
}

export const databaseCommands: readonly AdminCommand[] = [bootstrapDatabase, migrateDatabase, checkDatabase]
