import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { startService, type TestService } from '../../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { createTenant, type Tenant } from '../../../test/tenant.ts'

let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let service: TestService

before(async () => {
  database = await createDatabase()
  superuser = database.superuser()
  tenant = await createTenant(database)
  service = startService(database)
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), superuser.end()])
  await database.drop()
})

/** Returns when so many statements of this database wait for a lock. */
async function awaitWaiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await superuser.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((rows[0]?.waiting ?? 0) >= count) return
    await setTimeout(20)
  }
}

test('changes of different settings at the same time are all stored', async () => {
  const { value: key } = await tenant.createKey('user')
  const patch = (learnings: object) =>
    service.call('/v1/settings', {
      method: 'PATCH',
      key,
      body: { settings: { knowledge_base: { learnings } } },
    })
  const blocker = await superuser.connect()
  await blocker.query('begin')
  // Settings can be read, but not written.
  await blocker.query('lock table learning_setting in share mode')
  const replies = Promise.all([patch({ scope: 'local' }), patch({ approval_delay: 7 })])
  await awaitWaiting(2)
  await blocker.query('commit')
  blocker.release()
  assert.deepEqual(
    (await replies).map(({ status }) => status),
    [200, 200],
  )
  const { body } = await service.call('/v1/settings', { key })
  const { settings } = body as unknown as { settings: { knowledge_base: { learnings: object } } }
  assert.deepEqual(settings.knowledge_base.learnings, { scope: 'local', approval_delay: 7 })
})
