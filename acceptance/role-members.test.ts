import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { codesOf, post, type Result, readUsers, withNewcomers } from './people-data.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'
import { assertSharedWindow, strict } from './windows.ts'

const pathOf = (role: string) => `/v1/roles/${role}/members`
let custom: string

before(async () => {
  const reply = await post('/v1/roles', 'other_tenant', { name: `Members ${randomUUID()}` })
  assert.equal(reply.status, 201)
  custom = (reply.body as { id: string }).id
})
after(() => call(`/v1/roles/${custom}`, { method: 'DELETE', key: demo.keys.other_tenant }))

async function assign(role: string, user_ids: string[], key: KeyName = 'other_tenant'): Promise<Result> {
  const reply = await post(pathOf(role), key, { user_ids })
  assertPage(reply)
  return reply.body as Result
}

async function roleOf(id: string): Promise<[string | undefined, string | undefined]> {
  const user = (await readUsers('other_tenant')).users.find(({ user_id }) => user_id === id)
  return [user?.role, user?.role_type]
}

test('members get a custom role, cr_admin or cr_member, with the result of POST /v1/users/roles [P12-role-members-1]', async () => {
  await withNewcomers('other_tenant', 2, async (ids) => {
    const [first = '', second = ''] = ids
    assert.deepEqual(await assign(custom, ids), { status: 'success', succeeded: ids, failed: [] })
    assert.deepEqual(await roleOf(first), ['cr_member', 'custom'])
    assert.deepEqual(await assign('cr_admin', [first]), { status: 'success', succeeded: [first], failed: [] })
    assert.deepEqual(await roleOf(first), ['cr_admin', 'system'])
    const partial = await assign('cr_member', [second, 'nobody', second])
    assert.deepEqual([partial.status, partial.succeeded], ['partial_success', [second]])
    assert.deepEqual(codesOf(partial), [['nobody', 'USER_NOT_FOUND']])
    assert.deepEqual(await roleOf(second), ['cr_member', 'system'])
    await assign('cr_member', [first])
  })
})

test('the last admin keeps the role when a custom role is given [P12-role-members-1]', async () => {
  const { users } = await readUsers('other_tenant', '?role_filter=admin')
  const admins = users.filter(({ role_name }) => role_name === 'cr_admin').map(({ user_id }) => user_id)
  assert.equal(admins.length, 1)
  const refused = await assign(custom, admins)
  assert.deepEqual(codesOf(refused), [[admins[0], 'LAST_ADMIN']])
})

test('an unknown role is 404, also one of another tenant; other system roles and shapes are 400 [P12-role-members-1]', async () => {
  const body = { user_ids: ['1'] }
  assertError(await post(pathOf(randomUUID()), 'other_tenant', body), 404, 'NOT_FOUND')
  assertError(await post(pathOf(custom), 'organization', body), 404, 'NOT_FOUND')
  assertError(await post(pathOf('cr_billing_admin'), 'other_tenant', body), 400, 'INVALID_REQUEST')
  for (const wrong of [{}, { user_ids: [] }, { user_ids: ['1'], role: 'cr_admin' }, { user_ids: [1] }])
    assertError(await post(pathOf(custom), 'other_tenant', wrong), 400, 'INVALID_REQUEST')
})

test('org_id ALL is 400 for every key, and a workspace token must name an organization [P12-role-members-2]', async () => {
  for (const key of ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic'] as const)
    assertError(
      await post(pathOf('cr_member'), key, { user_ids: ['1'], org_id: 'all' }),
      400,
      'INVALID_REQUEST',
      key,
    )
  assertError(await post(pathOf('cr_member'), 'workspace', { user_ids: ['1'] }), 400, 'ORG_ID_REQUIRED')
})

test('500 users can be named; 501 are BATCH_SIZE_EXCEEDED [P12-role-members-1]', async () => {
  const ids = Array.from({ length: 501 }, (_, index) => `nobody-${index}`)
  assert.equal((await assign('cr_member', ids.slice(1), 'organization')).failed.length, 500)
  assertError(await post(pathOf('cr_member'), 'organization', { user_ids: ids }), 400, 'BATCH_SIZE_EXCEEDED')
})

test('role members share the rate limit of roles [P12-role-members-2]', async () => {
  const body = { role: 'cr_member', user_ids: ['nobody'] }
  await assertSharedWindow('"roles";q=10;w=60', [
    () => post('/v1/users/roles', 'other_tenant', body, strict()),
    () => post(pathOf('cr_member'), 'other_tenant', { user_ids: ['nobody'] }, strict()),
  ])
})
