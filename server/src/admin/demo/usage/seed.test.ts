import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../../../test/database.ts'
import { connect } from '../../../db/connect.ts'
import { connectMetricsStores, type MetricsStores } from '../../../db/stores.ts'
import type { Operator } from '../../operator.ts'
import { demoRoots } from '../cast.ts'
import { seedHistory } from '../history/seed.ts'
import { rootIdOf } from '../ids.ts'
import { seedTenants } from '../tenants.ts'
import { seedUsage } from './seed.ts'

let database: TestDatabase
let superuser: pg.Pool
let stores: MetricsStores
let operator: Operator

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  stores = connectMetricsStores(new Map([['shared', database.urls.worker]]), 'test', 1)
  operator = {
    pool: connect({ url: database.urls.worker, name: 'test', connections: 2 }),
    now: () => new Date('2026-06-10T10:00:00Z'),
  }
  await seedTenants(operator)
  await seedHistory(operator, { stores, days: 60, say: () => {} })
})
after(async () => {
  await Promise.all([operator.pool.end(), stores.close(), superuser.end()])
  await database.drop()
})

const digest = async () => {
  const { rows } = await superuser.query(
    `select count(*)::int as rows, md5(string_agg(u::text, '' order by position)) as digest,
       max(position) = max((select max(position) from metrics_head)) as newest from mcp_usage u`,
  )
  return rows as unknown
}

test('some pull requests of every tenant used MCP servers, a second seeding adds nothing, one that was cut off is taken up', async () => {
  const written = await seedUsage(operator, stores)
  const { rows } = await superuser.query<{ root_id: string; rows: number; names: number; errors: number }>(
    `select root_id, count(distinct number)::int as rows, count(distinct s ->> 'name')::int as names,
       sum((t ->> 'errors')::int)::int as errors
     from mcp_usage, json_array_elements(servers) s, json_array_elements(s -> 'tools') t group by 1`,
  )
  assert.deepEqual(
    rows.map(({ root_id }) => root_id).toSorted(),
    demoRoots.map(({ name }) => rootIdOf(name) as string).toSorted(),
  )
  for (const { rows: used, names } of rows) assert.ok(used > 5 && names >= 2, `${used} ${names}`)
  assert.ok(rows.some(({ errors }) => errors > 0))
  const seeded = await digest()
  assert.equal(await seedUsage(operator, stores), 0)
  assert.deepEqual(await digest(), seeded)
  await superuser.query(
    `with cut as (
       delete from mcp_usage u where position is null
         or position > (select avg(position) from mcp_usage o where o.root_id = u.root_id) returning *)
     delete from mcp_event e using cut c
     where (e.root_id, e.repository_id, e.number) = (c.root_id, c.repository_id, c.number)`,
  )
  assert.ok((await seedUsage(operator, stores)) > 0)
  const { rows: again } = await superuser.query('select count(*)::int as rows from mcp_usage')
  assert.deepEqual(again, [{ rows: written }])
})
