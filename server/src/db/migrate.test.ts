import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { waitFor } from '../../test/wait.ts'
import { bootstrap } from './bootstrap.ts'
import { connect } from './connect.ts'
import { refuseUnguardedRole } from './guard.ts'
import { migrate } from './migrate.ts'
import { type Migration, parseMigration, readMigrations, splitStatements } from './migration-files.ts'

let database: TestDatabase
let owner: pg.Client

/** A database with its roles and nothing else. */
beforeEach(async () => {
  await owner?.end()
  await database?.drop()
  database = await createDatabase()
  await database.drop()
  const server = new URL(database.superuserUrl)
  server.pathname = '/postgres'
  await bootstrap(server.href, database.urls)
  owner = new pg.Client({ connectionString: database.urls.owner })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await database.drop()
})

async function appliedNames(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>('select name from migration order by applied_at, name')
  return rows.map(({ name }) => name)
}

const names = async () => (await readMigrations()).map(({ name }) => name)

test('an empty database is brought to the present schema, in the order of the files', async () => {
  const said: string[] = []
  await migrate(database.urls.owner, { say: (line) => said.push(line) })
  assert.deepEqual(await appliedNames(), await names())
  assert.deepEqual(
    said,
    (await names()).map((name) => `applying ${name}`),
  )
  const api = connect({ url: database.urls.api, name: 'test', connections: 1 })
  try {
    await refuseUnguardedRole(api)
  } finally {
    await api.end()
  }
})

test('a database that is up to date is left as it is', async () => {
  await migrate(database.urls.owner)
  const said: string[] = []
  await migrate(database.urls.owner, { say: (line) => said.push(line) })
  assert.deepEqual(said, [])
})

test('two processes that migrate at once apply each file once', async () => {
  const said: string[] = []
  const run = () => migrate(database.urls.owner, { say: (line) => said.push(line) })
  await Promise.all([run(), run(), run()])
  assert.deepEqual(
    said.filter((line) => line.startsWith('applying')),
    (await names()).map((name) => `applying ${name}`),
  )
  assert.deepEqual(await appliedNames(), await names())
})

test('a migration that was changed after it was applied is refused, and nothing is applied', async () => {
  await migrate(database.urls.owner)
  const migrations = await withMigration('9001_note.sql', 'create table note (id int)')
  await migrate(database.urls.owner, { migrations })
  const changed = await withMigration('9001_note.sql', 'create table note (id bigint)')
  const later = parseMigration('9002_later.sql', 'create table later ()')
  await assert.rejects(
    migrate(database.urls.owner, { migrations: [...changed, later] }),
    /9001_note\.sql was changed after it was applied: write a new migration instead/,
  )
  assert.deepEqual(await appliedNames(), [...(await names()), '9001_note.sql'])
})

for (const [what, change] of [
  ['another form of the baseline', `update migration set checksum = repeat('0', 64)`],
  ['earlier files', `update migration set name = '0001_isolation.sql'`],
]) {
  test(`a database that was made by ${what} is refused with the advice to start again`, async () => {
    await migrate(database.urls.owner)
    await owner.query(`${change} where name = '0001_baseline.sql'`)
    const before = await appliedNames()
    await assert.rejects(
      migrate(database.urls.owner),
      /older schema: 0001_baseline\.sql has changed since\..*start again with an empty database/,
    )
    assert.deepEqual(await appliedNames(), before)
  })
}

test('a database that is ahead of this version is refused, and nothing is applied', async () => {
  await migrate(database.urls.owner)
  await owner.query(`insert into migration (name, checksum) values ('9999_from_the_future.sql', 'x')`)
  await assert.rejects(
    migrate(database.urls.owner),
    /9999_from_the_future\.sql, which this version does not have/,
  )
})

test('a migration that fails leaves nothing of itself behind, and the next try goes on from there', async () => {
  const migrations = await withMigration('9001_notes.sql', 'create table note (); create table taken ()')
  await owner.query('create table taken ()')
  await assert.rejects(migrate(database.urls.owner, { migrations }), { code: '42P07' })
  assert.deepEqual(await appliedNames(), await names())
  const { rows } = await owner.query(`select to_regclass('note') as note`)
  assert.deepEqual(rows, [{ note: null }])
  await owner.query('drop table taken')
  await migrate(database.urls.owner, { migrations })
  assert.deepEqual(await appliedNames(), [...(await names()), '9001_notes.sql'])
})

test('a server without the auth role is refused with the advice to run bootstrap', async () => {
  const [baseline] = await readMigrations()
  await assert.rejects(
    owner.query(baseline?.sql.replaceAll('scholiast_auth', 'scholiast_absent') ?? ''),
    /The database role scholiast_absent does not exist: run database bootstrap first\./,
  )
})

/** The migrations of this version and one more. */
async function withMigration(name: string, sql: string): Promise<Migration[]> {
  return [...(await readMigrations()), parseMigration(name, sql)]
}

/** A session that holds a lock on the table until it ends. */
async function holdLock(table: string): Promise<pg.Client> {
  const blocker = new pg.Client({
    connectionString: database.urls.worker,
    application_name: 'scholiast-blocker',
  })
  await blocker.connect()
  await blocker.query(`begin; select set_config('app.root', gen_random_uuid()::text, true)`)
  await blocker.query(`select 'a secret of a tenant' from ${table} limit 1`)
  return blocker
}

const quickly = { lockTimeoutMs: 1_500, retryMs: 100 }

test('a migration that meets a lock lets others pass, names who blocks it and succeeds later', async () => {
  await migrate(database.urls.owner)
  const migrations = await withMigration('9001_seat_note.sql', 'alter table seat add column note text')
  const blocker = await holdLock('seat')
  const said: string[] = []
  const migrating = migrate(database.urls.owner, {
    ...quickly,
    attempts: 100,
    migrations,
    say: (line) => said.push(line),
  })
  await waitFor('two attempts', () => said.filter((line) => /attempt \d+ of 100/.test(line)).length >= 2)
  // Without a time-out, this statement would wait behind the migration for as long as the blocker lives.
  await owner.query('set statement_timeout = 10000; select count(*) from seat')
  await blocker.end()
  assert.equal(await migrating, 1)
  assert.match(said.join('\n'), /9001_seat_note\.sql waits for process \d+ \(scholiast-blocker\); attempt/)
  assert.doesNotMatch(said.join('\n'), /secret/)
  await owner.query('select note from seat')
})

test('a migration that never gets its lock ends with the name of the blocker, and nothing of it is applied', async () => {
  await migrate(database.urls.owner)
  const migrations = await withMigration(
    '9001_seat_note.sql',
    'create table note (); alter table seat add column note text',
  )
  const blocker = await holdLock('seat')
  await assert.rejects(
    migrate(database.urls.owner, { ...quickly, attempts: 2, migrations }),
    /9001_seat_note\.sql could not lock its tables in 2 attempts because of process \d+ \(scholiast-blocker\)/,
  )
  await blocker.end()
  assert.ok(!(await appliedNames()).includes('9001_seat_note.sql'))
  const { rows } = await owner.query(`select to_regclass('note') as note`)
  assert.deepEqual(rows, [{ note: null }])
})

const indexFile = `-- migrate: no transaction
create index concurrently if not exists seat_test on seat (root_id);
-- Not a statement; "nor this".
create index concurrently if not exists "seat_test;2" on seat (root_id) where root_id is not null;
`

async function isIndexValid(name: string): Promise<boolean | null> {
  const { rows } = await owner.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  return rows[0]?.indisvalid ?? null
}

test('an index whose build was killed is dropped and built again by the next run', async () => {
  await migrate(database.urls.owner)
  const migrations = await withMigration('9001_seat_index.sql', indexFile)
  const blocker = await holdLock('seat')
  await blocker.query('lock table seat in row exclusive mode')
  const killed = assert.rejects(migrate(database.urls.owner, { migrations }), /terminat/)
  const findBuilder = () =>
    owner.query<{ pid: number }>(
      `select pid from pg_stat_progress_create_index where relid = 'seat'::regclass and phase like 'waiting%'`,
    )
  await waitFor('the build waits for the blocker', async () => (await findBuilder()).rowCount === 1)
  await owner.query('select pg_terminate_backend($1)', [(await findBuilder()).rows[0]?.pid])
  await killed
  assert.equal(await isIndexValid('seat_test'), false)
  await blocker.end()
  const said: string[] = []
  await migrate(database.urls.owner, { migrations, say: (line) => said.push(line) })
  assert.deepEqual(said, [
    'applying 9001_seat_index.sql',
    'dropping index seat_test, which an interrupted run left incomplete',
  ])
  assert.deepEqual([await isIndexValid('seat_test'), await isIndexValid('"seat_test;2"')], [true, true])
  assert.equal((await appliedNames()).at(-1), '9001_seat_index.sql')
})

test('processes that migrate at once do not stop each other from building an index', async () => {
  const migrations = await withMigration('9001_seat_index.sql', indexFile)
  const run = () => migrate(database.urls.owner, { migrations })
  const applied = await Promise.all([run(), run(), run()])
  assert.equal(
    applied.reduce((sum, count) => sum + count, 0),
    migrations.length,
  )
  assert.equal(await isIndexValid('seat_test'), true)
})

test('a file is split at the semicolons that end statements', () => {
  const statements = [
    `select ';' as "a;b"`,
    'do $$ begin perform 1; end $$',
    'do $x$ begin perform $$;$$; end $x$',
    `select 'it''s;'`,
  ]
  const text = `-- first; line\n${statements.join(' ;\n-- more; of it\n/* a;b */ ')};\n-- last`
  assert.deepEqual(splitStatements(text), statements)
  assert.throws(() => parseMigration('1.sql', '-- migrate: no transactions\n'), /unknown instruction/)
})
