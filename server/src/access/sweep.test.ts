import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openDatabase } from '../../test/fixture.ts'
import { connect } from '../db/connect.ts'
import { createAuditMonths, sweepIdempotency, sweepLimitWindows } from './sweep.ts'

const root = randomUUID()

const { database, superuser, use } = await openDatabase()
const worker = use(connect({ url: database.urls.worker, name: 'worker', connections: 2 }))
await superuser.query(`insert into root (id, kind, name) values ($1, 'organization', 'one')`, [root])

async function names(query: string): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(query)
  return rows.map(({ name }) => name)
}

test('kept answers go after a day, batch by batch', async () => {
  await superuser.query(
    `insert into idempotent_request (root_id, key_hash, request_hash, created_at)
     select $1, int4send(n), '', now() - interval '24 hours' - n * interval '1 second' from generate_series(1, 25) n`,
    [root],
  )
  await superuser.query(
    `insert into idempotent_request (root_id, key_hash, request_hash, created_at)
     values ($1, 'young', '', now() - interval '23 hours 59 minutes'), ($1, 'new', '', now())`,
    [root],
  )
  assert.equal(await sweepIdempotency(worker, 10), 25)
  const left = `select convert_from(key_hash, 'UTF8') as name from idempotent_request order by created_at`
  assert.deepEqual(await names(left), ['young', 'new'])
  assert.equal(await sweepIdempotency(worker, 10), 0)
  await superuser.query(
    `insert into idempotent_request (root_id, organization_id, key_hash, request_hash, created_at)
     select $1::uuid, organization, 'k'::bytea, ''::bytea, now() - interval '25 hours'
     from unnest(array[null, gen_random_uuid(), gen_random_uuid()]) organization
     union all select $1::uuid, gen_random_uuid(), 'k', '', now()`,
    [root],
  )
  assert.equal(await sweepIdempotency(worker, 2), 3)
  assert.deepEqual(await names(left), ['young', 'new', 'k'])
})

test('rate windows go when nothing happened in them for a day', async () => {
  await superuser.query(
    `insert into limit_window (root_id, policy, owner_id, stamps)
     select gen_random_uuid(), 'old', gen_random_uuid(), array[now() - interval '3 days', now() - interval '25 hours']
     from generate_series(1, 25)`,
  )
  await superuser.query(
    `insert into limit_window (root_id, policy, owner_id, stamps)
     select gen_random_uuid(), 'used', gen_random_uuid(), array[now() - interval '3 days', now() - interval '23 hours']
     from generate_series(1, 5)`,
  )
  await sweepLimitWindows(worker, 10)
  assert.deepEqual(await names('select distinct policy as name from limit_window'), ['used'])
  assert.equal((await names('select policy as name from limit_window')).length, 5)
})

test('the audit log has a part for this month and the two to come', async () => {
  await createAuditMonths(worker)
  await createAuditMonths(worker)
  const expected = await names(
    `select 'audit_log_' || to_char(date_trunc('month', now() at time zone 'UTC') + n * interval '1 month', 'YYYY_MM')
       as name from generate_series(0, 2) n order by 1`,
  )
  const made = await names(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_log'::regclass and c.relrowsecurity order by 1`,
  )
  assert.ok(expected.every((name) => made.includes(name)))
})
