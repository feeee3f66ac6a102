import { type MetricsStoreUrls, readSettings } from '../config.ts'
import { bootstrap, type DatabaseRole, databaseRoles } from '../db/bootstrap.ts'
import { connect } from '../db/connect.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import { migrate } from '../db/migrate.ts'
import { type AdminCommand, briefOutput, defineCommand } from './command.ts'

const bootstrapDatabase = defineCommand({
  name: 'database bootstrap',
  summary: 'Make the roles and the databases as a superuser, once',
  environment: [
    'BOOTSTRAP_DATABASE_URL',
    'OWNER_…',
    'DOOR_…',
    'API_…',
    'WORKER_DATABASE_URL',
    'METRICS_STORES',
  ],
  options: {},
  example: '',
  async run({ env, say }) {
    const { superuser, urls, stores } = readSettings(env, (read) => ({
      superuser: read.text('BOOTSTRAP_DATABASE_URL'),
      stores: read.metricsStores('OWNER_DATABASE_URL'),
      urls: {
        owner: read.text('OWNER_DATABASE_URL'),
        door: read.text('DOOR_DATABASE_URL'),
        api: read.text('API_DATABASE_URL'),
        worker: read.text('WORKER_DATABASE_URL'),
      },
    }))
    await bootstrap(superuser, urls)
    const others = otherStores(stores, urls.owner)
    for (const { name, url } of others) {
      say(`metrics store ${name}`)
      const { pathname } = new URL(superuser)
      await bootstrap(withRole(url, superuser, pathname), {
        owner: withRole(url, urls.owner),
        door: withRole(url, urls.door),
        api: withRole(url, urls.api),
        worker: withRole(url, urls.worker),
      })
    }
    const stored = others.map(({ name }) => name)
    return briefOutput('The roles and the databases are there. Next: database migrate.', { stores: stored })
  },
})

const migrateDatabase = defineCommand({
  name: 'database migrate',
  summary: 'Bring the schema to the present version',
  environment: ['OWNER_DATABASE_URL', 'METRICS_STORES'],
  options: {},
  example: '',
  async run({ env, say }) {
    const { owner, stores } = readSettings(env, (read) => ({
      owner: read.text('OWNER_DATABASE_URL'),
      stores: read.metricsStores('OWNER_DATABASE_URL'),
    }))
    let applied = 0
    const migrateOne = (url: string, where: string) =>
      migrate(url, (line) => {
        applied += 1
        say(where + line)
      })
    await migrateOne(owner, '')
    for (const { name, url } of otherStores(stores, owner)) await migrateOne(url, `metrics store ${name}: `)
    return briefOutput(applied === 0 ? 'The schema is up to date.' : 'The schema was brought up to date.', {
      applied,
    })
  },
})

const checkDatabase = defineCommand({
  name: 'database check',
  summary: 'Check that no service role gets around row-level security',
  environment: ['DOOR_DATABASE_URL', 'API_…', 'WORKER_DATABASE_URL', 'METRICS_STORES'],
  options: {},
  example: '',
  async run({ env }) {
    const roles = databaseRoles.filter((role): role is Exclude<DatabaseRole, 'owner'> => role !== 'owner')
    const { urls, worker, stores } = readSettings(env, (read) => ({
      urls: roles.map((role) => read.text(`${role.toUpperCase()}_DATABASE_URL`)),
      worker: env['WORKER_DATABASE_URL'] ?? '',
      stores: read.metricsStores('WORKER_DATABASE_URL'),
    }))
    const others = otherStores(stores, worker)
    for (const url of urls) await checkRole(url)
    for (const { url } of others) for (const role of urls) await checkRole(withRole(url, role))
    const checked = others.map(({ name }) => name)
    return briefOutput('Row-level security holds for every service role.', { roles, stores: checked })
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

/** Metrics stores besides the main database, which is one as long as nothing else is called "shared". */
function otherStores(stores: MetricsStoreUrls, main: string) {
  return [...stores].filter(([, url]) => url !== main).map(([name, url]) => ({ name, url }))
}

/** The address of a store, for the role of another URL: a role has the same name and password everywhere. */
function withRole(store: string, role: string, pathname?: string): string {
  const url = new URL(store)
  const { username, password } = new URL(role)
  return Object.assign(url, { username, password, ...(pathname !== undefined && { pathname }) }).href
}

export const databaseCommands: readonly AdminCommand[] = [bootstrapDatabase, migrateDatabase, checkDatabase]
