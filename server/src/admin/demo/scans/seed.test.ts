import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../../../test/database.ts'
import { connect } from '../../../db/connect.ts'
import type { Operator } from '../../operator.ts'
import { demoRoots } from '../cast.ts'
import { seedTenants } from '../tenants.ts'
import { demoFlaws } from './flaws.ts'
import { seedScans } from './seed.ts'

let database: TestDatabase
let superuser: pg.Pool
let operator: Operator

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  operator = {
    pool: connect({ url: database.urls.worker, name: 'test', connections: 2 }),
    now: () => new Date(),
  }
  await seedTenants(operator)
})
after(async () => {
  await Promise.all([operator.pool.end(), superuser.end()])
  await database.drop()
})

test('every repository of the demo has the findings of its nature, each once, in every state; a second run adds none', async () => {
  assert.ok((await seedScans(operator)) > 100)
  assert.equal(await seedScans(operator), 0)
  const repositories = demoRoots.flatMap(({ organizations }) =>
    organizations.flatMap((one) => one.repositories),
  )
  const { rows } = await superuser.query<{
    state: string
    rule_id: string
    repository_id: string
    file_path: string
  }>('select state, rule_id, repository_id, file_path from security_finding')
  assert.deepEqual(
    rows.map(({ repository_id, rule_id }) => `${repository_id} ${rule_id}`).toSorted(),
    repositories
      .flatMap(({ repositoryId, nature }) => demoFlaws[nature].map(({ rule }) => `${repositoryId} ${rule}`))
      .toSorted(),
  )
  assert.deepEqual([...new Set(rows.map(({ state }) => state))].toSorted(), ['dismissed', 'fixed', 'open'])
  assert.ok(rows.some(({ file_path }) => file_path === 'boot/verify/image.c'))
  assert.ok(rows.every(({ file_path }) => file_path !== 'boot/image.c'))
})
