import { hash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { bootstrap, type DatabaseUrls } from '../src/db/bootstrap.ts'
import { migrate } from '../src/db/migrate.ts'
import { readMigrations } from '../src/db/migration-files.ts'

const bootstrapFile = new URL('../src/db/bootstrap.ts', import.meta.url)
const superuserUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:54317/postgres'

export interface TestDatabase {
  readonly name: string
  readonly superuserUrl: string
  /** For what only tests do: DDL, planting faults, reading without policies. */
  superuser(): pg.Pool
  readonly urls: Required<DatabaseUrls>
  drop(): Promise<void>
}

/** A database for one test: a clone of a template that is migrated once per version of bootstrap and migrations. */
export async function createDatabase(): Promise<TestDatabase> {
  const template = await createTemplate()
  const name = `test_${randomBytes(8).toString('hex')}`
  await asSuperuser((client) =>
    client.query(`create database ${name} template ${template} owner scholiast_owner`),
  )
  return databaseAt(superuserUrl, name)
}

/** An empty database to restore a dump into. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asSuperuser((client) =>
    client.query(`create database ${name} template template0 owner scholiast_owner`),
  )
  return databaseAt(superuserUrl, name)
}

/** A database that does not exist yet: `database bootstrap` creates it. */
export function nameDatabase(): TestDatabase {
  return databaseAt(superuserUrl, `test_${randomBytes(8).toString('hex')}`)
}

/** A copy of a database as it is now, like a backup. Nobody may be connected to the original. */
export async function copyDatabase({ name: original }: TestDatabase): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asSuperuser((client) =>
    client.query(`create database ${name} template ${original} owner scholiast_owner`),
  )
  return databaseAt(superuserUrl, name)
}

/** The migrated database of a server that only this test uses. */
export async function createDatabaseOn(server: string): Promise<TestDatabase> {
  const database = databaseAt(server, 'scholiast')
  await bootstrap(server, database.urls)
  await migrate(database.urls.owner)
  return database
}

function databaseAt(server: string, name: string): TestDatabase {
  const url = createUrl(server, name, 'postgres')
  return {
    name,
    superuserUrl: url,
    superuser: () => createPool(url),
    urls: createUrls(server, name),
    drop: () => asSuperuser((client) => client.query(`drop database if exists ${name} with (force)`), server),
  }
}

async function createTemplate(): Promise<string> {
  const migrations = await readMigrations()
  const first = hash('sha256', await readFile(bootstrapFile))
  const state = [first, ...migrations.map(({ name, checksum }) => `${name} ${checksum}`)].join(' ')
  // PostgreSQL truncates names to 63 characters; two versions would then share a name.
  const template = `template_${hash('sha256', state).slice(0, 32)}`
  await asSuperuser(async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('${template}'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
      template,
    ])
    if (rowCount === 1) return
    await client.query(`drop database if exists ${template} with (force)`)
    const urls = createUrls(superuserUrl, template)
    await bootstrap(superuserUrl, urls)
    await migrate(urls.owner)
    await client.query(`alter database ${template} is_template true`)
  })
  return template
}

async function asSuperuser(
  work: (client: pg.Client) => Promise<unknown>,
  server: string = superuserUrl,
): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

export function createUrls(server: string, database: string): Required<DatabaseUrls> {
  return {
    owner: createUrl(server, database, 'scholiast_owner'),
    auth: createUrl(server, database, 'scholiast_auth'),
    api: createUrl(server, database, 'scholiast_api'),
    worker: createUrl(server, database, 'scholiast_worker'),
    report: createUrl(server, database, 'scholiast_report'),
  }
}

function createUrl(server: string, database: string, user: string): string {
  const url = new URL(server)
  url.username = user
  url.pathname = `/${database}`
  return url.href
}

/** Ignores the error of a connection that is still closing when its database is dropped. */
function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
