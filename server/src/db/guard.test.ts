import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openDatabase } from '../../test/fixture.ts'
import { connect } from './connect.ts'
import { refuseUnguardedRole } from './guard.ts'

// Roles belong to the whole server, so these have names that nobody else has.
const suffix = randomBytes(8).toString('hex')
const bypassing = `test_bypassing_${suffix}`
const inheriting = `test_inheriting_${suffix}`

const { database, superuser, defer } = await openDatabase()
await superuser.query(`create role ${bypassing} login bypassrls`)
await superuser.query(`create role ${inheriting} login in role scholiast_owner`)
defer(async () => {
  await superuser.query(`drop role ${bypassing}`)
  await superuser.query(`drop role ${inheriting}`)
})

async function guard(user: string): Promise<void> {
  const url = new URL(database.superuserUrl)
  url.username = user
  const pool = connect({ url: url.href, name: 'test', connections: 1 })
  try {
    await refuseUnguardedRole(pool)
  } finally {
    await pool.end()
  }
}

const served = ['scholiast_auth', 'scholiast_api', 'scholiast_worker']

test('the roles that serve are accepted', async () => {
  for (const role of served) await guard(role)
})

test('a superuser is refused', async () => {
  await assert.rejects(guard('postgres'), /Refusing to run as database role postgres: it is a superuser/)
})

test('the owner of the tables is refused', async () => {
  await assert.rejects(guard('scholiast_owner'), /scholiast_owner: it owns tables/)
})

test('a role that inherits from the owner of the tables is refused', async () => {
  await assert.rejects(guard(inheriting), /it owns tables/)
})

test('a role that may bypass row-level security is refused', async () => {
  await assert.rejects(guard(bypassing), /it can bypass row-level security/)
})

test('a refusal says what to do instead', async () => {
  await assert.rejects(guard('postgres'), /Connect as scholiast_auth, scholiast_api or scholiast_worker/)
})

test('every role is refused while a table with a root has no row-level security, also a partition', async () => {
  await superuser.query('create table forgotten (root_id uuid, note text)')
  for (const role of served) await assert.rejects(guard(role), /no row-level security: forgotten/)
  await superuser.query('alter table forgotten enable row level security')
  for (const role of served) await guard(role)
  await superuser.query(
    `create table forgotten_part partition of audit_log for values from ('1990-01-01') to ('1990-02-01')`,
  )
  for (const role of served) await assert.rejects(guard(role), /no row-level security: forgotten_part/)
  await superuser.query('drop table forgotten, forgotten_part')
})

test('every role is refused when row-level security is switched off on a table that had it', async () => {
  for (const table of ['root', 'organization', 'api_key', 'audit_log_default']) {
    await superuser.query(`alter table ${table} disable row level security`)
    for (const role of served)
      await assert.rejects(guard(role), new RegExp(`no row-level security: ${table}`))
    await superuser.query(`alter table ${table} enable row level security`)
  }
})

test('the months that the worker adds to the audit log are guarded from the start', async () => {
  await superuser.query(`select audit_log_create_month('2031-05-01')`)
  for (const role of served) await guard(role)
})
