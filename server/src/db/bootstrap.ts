import pg from 'pg'
import { roleSettings } from './role-settings.ts'

const databaseRoles = ['owner', 'auth', 'api', 'worker'] as const
type DatabaseRole = (typeof databaseRoles)[number]
export type DatabaseUrls = Readonly<Record<DatabaseRole, string>> & {
  /** Without it, scholiast_report is created without the right to log in; if it has that right, it keeps it. */
  readonly report?: string
}

/** The only step that requires a superuser: creates five unprivileged roles, the database and what migrations require. */
export async function bootstrap(superuserUrl: string, urls: DatabaseUrls): Promise<void> {
  const server = await connectClient(superuserUrl)
  try {
    await server.query('select pg_advisory_lock(7215000)')
    for (const role of databaseRoles)
      await ensureRole(server, new URL(urls[role]), 'login', role === 'owner' ? {} : roleSettings[role])
    const { report } = urls
    const reportUrl = new URL(report ?? 'postgres://scholiast_report@localhost')
    await ensureRole(server, reportUrl, report === undefined ? '' : 'login', roleSettings.report)
    const database = getDatabaseName(urls.owner)
    const { rowCount } = await server.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) {
      await server.query(
        `create database ${pg.escapeIdentifier(database)} owner scholiast_owner encoding 'UTF8' template template0`,
      )
    }
  } finally {
    await server.end()
  }
  await prepareDatabase(superuserUrl, getDatabaseName(urls.owner))
}

async function ensureRole(
  server: pg.Client,
  url: URL,
  login: 'login' | '',
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const name = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  const { rowCount } = await server.query('select from pg_roles where rolname = $1', [name])
  const command = rowCount === 0 ? 'create' : 'alter'
  const secret = password === '' ? '' : `password ${pg.escapeLiteral(password)}`
  await server.query(
    `${command} role ${pg.escapeIdentifier(name)} ${login} nosuperuser nobypassrls nocreatedb nocreaterole ${secret}`,
  )
  for (const [setting, value] of Object.entries(settings))
    await server.query(
      `alter role ${pg.escapeIdentifier(name)} set ${pg.escapeIdentifier(setting)} = ${pg.escapeLiteral(value)}`,
    )
}

async function prepareDatabase(superuserUrl: string, database: string): Promise<void> {
  const url = new URL(superuserUrl)
  url.pathname = `/${database}`
  const client = await connectClient(url.href)
  try {
    await client.query('create extension if not exists vector')
    // Under row-level security PostgreSQL evaluates a function, or uses an index for it, before the policy only if the
    // function is leakproof. This one compares numbers and reveals nothing; without the mark, the inverted index of terms
    // would never be used.
    await client.query('alter function pg_catalog.arraycontains(anyarray, anyarray) leakproof')
    await client.query('revoke create on schema public from public')
    await client.query('grant usage, create on schema public to scholiast_owner')
    // Somebody else may own the database; a migration creates the schema `report`.
    await client.query(`grant create on database ${pg.escapeIdentifier(database)} to scholiast_owner`)
  } finally {
    await client.end()
  }
}

async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

function getDatabaseName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
}
