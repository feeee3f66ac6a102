import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestLearnings } from '../../../../test/learnings/test-learnings.ts'

const stage = await startTestLearnings()

test('more writers of a tenant than connections all succeed and do not block readers', async () => {
  const { organization, superuser, service, tenant } = stage
  const item = { repository_id: stage.repository, learning: 'Wait your turn.' }
  await stage.createOne(item)
  const reader = (await tenant.createKey('user', { of: 'alone' })).value
  const holder = await superuser.connect()
  await holder.query('begin')
  await holder.query('select from learning_head where root_id = $1 for update', [organization.root])
  const writers = Promise.all(Array.from({ length: 12 }, () => stage.post([item])))
  const reads: number[] = []
  // A reader without a connection would be refused before the lock is free. A writer waits at most 4 s for the lock.
  for (let round = 0; round < 4; round++) {
    reads.push((await service.call('/v1/organizations', { key: reader })).status)
    await sleep(200)
  }
  await holder.query('rollback')
  holder.release()
  assert.deepEqual(new Set(reads), new Set([200]))
  assert.deepEqual(new Set((await writers).map(({ status }) => status)), new Set([200]))
})

test('100 Learnings are created in an organization that was filled just now and has no statistics', async () => {
  const { organization, superuser } = stage
  await superuser.query('alter table learning set (autovacuum_enabled = off)')
  await superuser.query(
    `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version, source,
       created_at, updated_at)
     select $1, $2, gen_random_uuid(), $3, 'pending', 'Learning ' || n, sha256(n::text::bytea), 1, 'chat', now(), now()
     from generate_series(1, 10000) n`,
    [organization.root, organization.id, stage.repository],
  )
  const learnings = Array.from({ length: 100 }, (_, n) => `Name the unit of the setting ${n}.`)
  assert.equal((await stage.create(...learnings)).created_count, 100)
})
