import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { bootstrap, type DatabaseUrls } from '../src/db/bootstrap.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'

const superuserUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:54317/postgres'

export interface TestDatabase {
  readonly name: string
  readonly superuserUrl: string
  /** What only a test may do to its own database: DDL, planting faults, looking under the policies. */
  superuser(): pg.Pool
  readonly urls: DatabaseUrls
  drop(): Promise<void>
}

/** A database of the test's own: a clone of a template that is migrated once for each state of the migrations. */
export async function makeDatabase(): Promise<TestDatabase> {
  const template = await makeTemplate()
  const name = `test_${randomBytes(8).toString('hex')}`
  await asSuperuser((client) =>
    client.query(`create database ${name} template ${template} owner scholiast_owner`),
  )
  return {
    name,
    superuserUrl: urlOf(name, 'postgres'),
    superuser: () => openPool(urlOf(name, 'postgres')),
    urls: urlsOf(name),
    drop: () => asSuperuser((client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

async function makeTemplate(): Promise<string> {
  const migrations = await readMigrations()
  const state = migrations.map(({ checksum }) => checksum.slice(0, 4)).join('')
  const template = `template_${state}`
  await asSuperuser(async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('${template}'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
      template,
    ])
    if (rowCount === 1) return
    await client.query(`drop database if exists ${template} with (force)`)
    await bootstrap(superuserUrl, urlsOf(template))
    await migrate(urlsOf(template).owner)
    await client.query(`alter database ${template} is_template true`)
  })
  return template
}

async function asSuperuser(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function urlsOf(database: string): DatabaseUrls {
  return {
    owner: urlOf(database, 'scholiast_owner'),
    door: urlOf(database, 'scholiast_door'),
    api: urlOf(database, 'scholiast_api'),
    worker: urlOf(database, 'scholiast_worker'),
  }
}

function urlOf(database: string, user: string): string {
  const url = new URL(superuserUrl)
  url.username = user
  url.pathname = `/${database}`
  return url.href
}

/** A connection that is still closing when its database is dropped is told so; nobody needs to hear it. */
function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
