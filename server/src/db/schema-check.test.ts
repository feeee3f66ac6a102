import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../test/fixture.ts'
import { waitFor } from '../../test/wait.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import { awaitSchema } from './schema-check.ts'

const never = new AbortController().signal
const failIfMissing = (missing: readonly string[]) => assert.fail(missing.join())

const { database, superuser, use } = await openDatabase()
const api = use(connect({ url: database.urls.api, name: 'test', connections: 1 }))

test('a process starts on its own schema, and on one that a later version has only added to', async () => {
  assert.equal(await awaitSchema(api, failIfMissing, never), true)
  await superuser.query(`insert into migration (name, checksum) values ('9999_later.sql', 'x')`)
  assert.equal(await awaitSchema(api, failIfMissing, never), true)
  await superuser.query(`update migration set contract = true where name = '9999_later.sql'`)
  await assert.rejects(
    awaitSchema(api, failIfMissing, never),
    /9999_later\.sql, which removed what this version uses/,
  )
  await superuser.query(`delete from migration where name = '9999_later.sql'`)
})

test('a process waits for missing migrations and names them once', async () => {
  const last = (await readMigrations()).findLast(({ contract }) => contract === null)
  assert.ok(last !== undefined)
  await superuser.query('delete from migration where name = $1', [last.name])
  const reports: string[] = []
  const waiting = awaitSchema(api, (missing) => reports.push(missing.join()), never)
  await waitFor('the report', () => reports.length > 0)
  await superuser.query('insert into migration (name, checksum) values ($1, $2)', [last.name, last.checksum])
  assert.equal(await waiting, true)
  assert.deepEqual(reports, [last.name])
})

test('a process waits for a database that was never migrated, until it is stopped', async () => {
  await superuser.query('alter table migration rename to migration_hidden')
  const stopping = new AbortController()
  let missing = 0
  const waiting = awaitSchema(api, (names) => (missing = names.length), stopping.signal)
  await waitFor('the report', () => missing > 0)
  stopping.abort()
  assert.equal(await waiting, false)
  assert.equal(missing, (await readMigrations()).filter(({ contract }) => contract === null).length)
  await superuser.query('alter table migration_hidden rename to migration')
  assert.equal(await migrate(database.urls.owner), 0)
})
