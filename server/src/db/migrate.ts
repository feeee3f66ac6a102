import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const folder = new URL('../../migrations/', import.meta.url)
const MIGRATION_LOCK = 7_215_001

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Applies missing migrations, each in its own transaction. A lock allows one migrating process at a time. */
export async function migrate(ownerUrl: string, say: (line: string) => void = () => {}): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'scholiast-migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`create table if not exists migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    await applyMissing(client, say)
  } finally {
    await client.end()
  }
}

async function applyMissing(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migration',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const migrations = await readMigrations()
  refuseForeignHistory(applied, migrations)
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    say(`applying ${migration.name}`)
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  }
}

function refuseForeignHistory(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of applied) {
    const expected = checksums.get(name)
    if (expected === undefined) {
      throw new Error(
        `The database has migration ${name}, which this version does not have: run a newer version.`,
      )
    }
    if (expected !== checksum) {
      throw new Error(`Migration ${name} was changed after it was applied: write a new migration instead.`)
    }
  }
}
