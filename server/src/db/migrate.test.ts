import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../test/database.ts'
import { bootstrap } from './bootstrap.ts'
import { connect } from './connect.ts'
import { refuseUnguardedRole } from './guard.ts'
import { migrate, readMigrations } from './migrate.ts'

let database: TestDatabase
let owner: pg.Client

/** A database with its roles and nothing else. */
beforeEach(async () => {
  await owner?.end()
  await database?.drop()
  database = await makeDatabase()
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
  await migrate(database.urls.owner, (line) => said.push(line))
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
  await migrate(database.urls.owner, (line) => said.push(line))
  assert.deepEqual(said, [])
})

test('two processes that migrate at once apply each file once', async () => {
  const said: string[] = []
  const run = () => migrate(database.urls.owner, (line) => said.push(line))
  await Promise.all([run(), run(), run()])
  assert.deepEqual(
    said,
    (await names()).map((name) => `applying ${name}`),
  )
  assert.deepEqual(await appliedNames(), await names())
})

test('a migration that was changed after it was applied is refused, and nothing is applied', async () => {
  await migrate(database.urls.owner)
  const [first, ...rest] = await names()
  await owner.query(`update migration set checksum = repeat('0', 64) where name = $1`, [first])
  await owner.query('delete from migration where name = $1', [rest.at(-1)])
  await assert.rejects(migrate(database.urls.owner), new RegExp(`${first} was changed after it was applied`))
  assert.deepEqual(await appliedNames(), [first, ...rest.slice(0, -1)])
})

test('a database that is ahead of this version is refused, and nothing is applied', async () => {
  await migrate(database.urls.owner)
  await owner.query(`insert into migration (name, checksum) values ('9999_from_the_future.sql', 'x')`)
  await assert.rejects(
    migrate(database.urls.owner),
    /9999_from_the_future\.sql, which this version does not have/,
  )
})

test('a migration that fails leaves nothing of itself behind, and the next try goes on from there', async () => {
  await owner.query('create table seat ()')
  await assert.rejects(migrate(database.urls.owner), { code: '42P07' })
  assert.deepEqual(await appliedNames(), (await names()).slice(0, 1))
  const { rows } = await owner.query(`select to_regclass('person') as person`)
  assert.deepEqual(rows, [{ person: null }])
  await owner.query('drop table seat')
  await migrate(database.urls.owner)
  assert.deepEqual(await appliedNames(), await names())
})

test('a server without the auth role is refused with the advice to run bootstrap', async () => {
  const text = await readFile(new URL('../../migrations/0021_auth_role.sql', import.meta.url), 'utf8')
  await assert.rejects(
    owner.query(text.replaceAll('scholiast_auth', 'scholiast_absent')),
    /The database role scholiast_absent does not exist: run database bootstrap first\./,
  )
})

test('bootstrap under the former name of the role creates the new one with it', async () => {
  const former = new URL(database.urls.auth)
  former.username = 'scholiast_door'
  const server = new URL(database.superuserUrl)
  server.pathname = '/postgres'
  await bootstrap(server.href, { ...database.urls, auth: former.href })
  await migrate(database.urls.owner)
  for (const url of [former.href, database.urls.auth]) {
    const pool = connect({ url, name: 'test', connections: 1 })
    try {
      await refuseUnguardedRole(pool)
      await pool.query('select root_id, hash from api_key')
    } finally {
      await pool.end()
    }
  }
})
