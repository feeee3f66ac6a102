import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import { waitForLocks } from '../../../test/wait.ts'

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database))

test('changes of different settings at the same time are all stored [P12-settings-2]', async () => {
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
  await waitForLocks(superuser, 2)
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
