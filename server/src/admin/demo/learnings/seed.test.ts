import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../../../test/database.ts'
import { connect, type Pool } from '../../../db/connect.ts'
import { seedTenants } from '../tenants.ts'
import { demoLearnings } from './all.ts'
import { seedLearnings } from './seed.ts'

let database: TestDatabase
let superuser: pg.Pool
let pool: Pool

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  pool = connect({ url: database.urls.worker, name: 'test', connections: 2 })
  await seedTenants({ pool, now: () => new Date() })
})
after(async () => {
  await Promise.all([pool.end(), superuser.end()])
  await database.drop()
})

test('every Learning of the demo is there as it was written, and nothing else', async () => {
  const operator = { pool, now: () => new Date() }
  const all = Object.entries(demoLearnings).flatMap(([repository_id, learnings]) =>
    learnings.map(({ text, file = null, source, state, uses, ageDays }) => {
      return { repository_id, text, file, source, state, uses, age: ageDays, indexed: state === 'shared' }
    }),
  )
  assert.equal(await seedLearnings(operator), all.length)
  const { rows } = await superuser.query<(typeof all)[number]>(
    `select repository_id, text, file, source, state, usage_count::int as uses,
       floor(extract(epoch from now() - created_at) / 86400)::int as age,
       exists (select from learning_index i where i.learning_id = l.id and i.content_hash = l.content_hash) as indexed
     from learning l`,
  )
  const inOrder = (list: typeof all) => list.map((one) => JSON.stringify(one)).toSorted()
  assert.deepEqual(inOrder(rows), inOrder(all))
  const { rows: waiting } = await superuser.query<{ waiting: string }>(
    `select count(*) as waiting from learning where state = 'pending' and source = 'chat' and deadline > now()`,
  )
  const chats = all.filter(({ state, source }) => state === 'pending' && source === 'chat')
  assert.equal(Number(waiting[0]?.waiting), chats.length)
  assert.equal(await seedLearnings(operator), 0)
})
