import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { read as readAudit } from './audit-data.ts'
import { codesOf, personOf, post, type Result, readUsers, withNewcomers } from './people-data.ts'
import { assertPage, at, call, demo, type KeyName } from './service.ts'
import { assertWindow, strict } from './windows.ts'

const rolesPath = '/v1/users/roles'
const platform = '41207731'
const [firmware, fleet] = ['12', '27']

async function change(key: KeyName, role: string, user_ids: string[], org_id?: string): Promise<Result> {
  const reply = await post(rolesPath, key, { role, user_ids, ...(org_id !== undefined && { org_id }) })
  assertPage(reply)
  return reply.body as Result
}

async function roleOf(key: KeyName, id: string, query = ''): Promise<string | undefined> {
  return (await readUsers(key, query)).users.find(({ user_id }) => user_id === id)?.role
}

function success(...succeeded: string[]) {
  return { status: 'success', succeeded, failed: [] }
}

/** The one who is admin of both organizations of the instance, a member of both, and a member of the first only. */
async function peopleOfInstance() {
  const { users } = await readUsers('instance')
  const ids = users.map(({ user_id }) => user_id)
  const { succeeded } = await change('instance', 'cr_member', ids, fleet)
  const admin = at(
    users.filter(({ role }) => role === 'cr_admin'),
    0,
  ).user_id
  const both = at(succeeded, 0)
  const one = at(
    ids.filter((id) => id !== admin && id !== both),
    0,
  )
  return { admin, both, one }
}

test('roles are changed by user id, and the users list shows it [S-what-8 S-roles-1]', async () => {
  await withNewcomers('other_tenant', 2, async (ids) => {
    const [first = '', second = ''] = ids
    assert.deepEqual(await change('other_tenant', 'cr_admin', ids), success(...ids))
    assert.equal(await roleOf('other_tenant', first), 'cr_admin')
    assert.deepEqual(
      await change('other_tenant', 'cr_admin', ids),
      success(...ids),
      'once more changes nothing',
    )
    assert.deepEqual(await change('other_tenant', 'cr_member', [second]), success(second))
    assert.equal(await roleOf('other_tenant', first), 'cr_admin')
    assert.equal(await roleOf('other_tenant', second), 'cr_member')
  })
})

test('users succeed in request order, each once; a failure has user_id, id, code and message [S-batch-2 S-roles-1 S-roles-7]', async () => {
  await withNewcomers('other_tenant', 2, async ([first = '', second = '']) => {
    const asked = ['nobody', second, first, second, 'nobody', '0']
    const { status, succeeded, failed } = await change('other_tenant', 'cr_member', asked)
    assert.equal(status, 'partial_success')
    assert.deepEqual(succeeded, [second, first])
    assert.deepEqual(
      failed,
      ['nobody', '0'].map((id, place) => {
        return { user_id: id, id, code: 'USER_NOT_FOUND', message: failed[place]?.message }
      }),
    )
    for (const { message } of failed) assert.ok(message !== '')
  })
  const none = await change('other_tenant', 'cr_member', ['nobody'])
  assert.deepEqual([none.status, none.succeeded, none.failed.length], ['failure', [], 1])
})

test('a body without a valid role and user_ids is 400 [S-roles-2 S-roles-3 P1-shape-2]', async () => {
  for (const body of [
    { user_ids: ['1'] },
    { role: 'cr_member' },
    { role: 'cr_billing_admin', user_ids: ['1'] },
    { role: 'CR_MEMBER', user_ids: ['1'] },
    { role: 'cr_member', user_ids: [] },
    { role: 'cr_member', user_ids: [''] },
    { role: 'cr_member', user_ids: [1] },
    { role: 'cr_member', user_ids: '1' },
    { role: 'cr_member', user_ids: ['1'], org_id: 12 },
    { role: 'cr_member', user_ids: ['1'], members: [] },
    [],
    null,
  ])
    assertError(await post(rolesPath, 'organization', body), 400, 'INVALID_REQUEST', JSON.stringify(body))
  const body = { role: 'cr_member', user_ids: ['1'] }
  assertError(await post(`${rolesPath}?org_id=12`, 'organization', body), 400, 'INVALID_REQUEST')
})

test('up to 500 users can be named, duplicates counted; 501 are BATCH_SIZE_EXCEEDED [S-roles-3 S-err-18 S-limit-6 P1-code-4]', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `nobody-${index}`)
  assert.equal((await change('organization', 'cr_member', ids)).failed.length, 500)
  for (const more of ['one-more', 'nobody-0']) {
    const body = { role: 'cr_member', user_ids: [...ids, more] }
    assertError(await post(rolesPath, 'organization', body), 400, 'BATCH_SIZE_EXCEEDED')
    assertError(await post(rolesPath, 'instance', { ...body, org_id: 'ALL' }), 400, 'BATCH_SIZE_EXCEEDED')
  }
})

test('billing admins are PROTECTED_ROLE, whichever role is asked for [P3-seats-4 P3-roles-2]', async () => {
  const { accounts } = await personOf('priya.raman@example.com')
  const { user_id } = at(accounts, 0)
  for (const role of ['cr_admin', 'cr_member']) {
    assert.deepEqual(codesOf(await change('organization', role, [user_id])), [[user_id, 'PROTECTED_ROLE']])
    assert.equal(await roleOf('organization', user_id), 'cr_billing_admin')
  }
})

test('the last admin of an organization is LAST_ADMIN: of several, the last one in the request [P3-seats-4 P3-roles-3]', async () => {
  const admins = (await readUsers('other_tenant', '?role_filter=admin')).users.map(({ user_id }) => user_id)
  assert.equal(admins.length, 1)
  const last = at(admins, 0)
  assert.deepEqual(codesOf(await change('other_tenant', 'cr_member', [last])), [[last, 'LAST_ADMIN']])
  await withNewcomers('other_tenant', 2, async (ids) => {
    await change('other_tenant', 'cr_admin', ids)
    const result = await change('other_tenant', 'cr_member', [...ids, last])
    assert.equal(result.status, 'partial_success')
    assert.deepEqual(result.succeeded, ids)
    assert.deepEqual(codesOf(result), [[last, 'LAST_ADMIN']])
  })
  assert.equal(await roleOf('other_tenant', last), 'cr_admin')
})

test('a workspace token must say which organization, and changes that one only [S-what-13 S-roles-4 S-auth-20 S-auth-21 S-auth-23 P1-code-3]', async () => {
  const { accounts } = await personOf('mei.tanaka@example.com')
  assert.equal(accounts.length, 2)
  const { user_id } = at(
    accounts.filter(({ org_id }) => org_id === platform),
    0,
  )
  const body = { role: 'cr_admin', user_ids: [user_id] }
  assertError(await post(rolesPath, 'workspace', body), 400, 'ORG_ID_REQUIRED')
  for (const org_id of ['1', '58801264', '9000009'])
    assertError(
      await post(rolesPath, 'workspace', { ...body, org_id }),
      404,
      'ORGANIZATION_NOT_FOUND',
      org_id,
    )
  assert.deepEqual(await change('workspace', 'cr_admin', [user_id], platform), success(user_id))
  const roles = (await personOf('mei.tanaka@example.com')).accounts.map(
    ({ org_id, role }) => `${org_id} ${role}`,
  )
  assert.deepEqual(roles.sort(), [`${platform} cr_admin`, '7730452 cr_member'])
  assert.deepEqual(await change('workspace', 'cr_member', [user_id], `github:${platform}`), success(user_id))
})

test('a key of an organization ignores org_id, and users of other organizations are USER_NOT_FOUND [S-roles-1]', async () => {
  const foreign = at((await readUsers('other_tenant')).users, 0).user_id
  const sibling = at((await personOf('rafael.moreno@example.com')).accounts, 0).user_id
  const result = await change('organization', 'cr_member', [foreign, sibling], '41207915')
  assert.deepEqual(codesOf(result), [
    [foreign, 'USER_NOT_FOUND'],
    [sibling, 'USER_NOT_FOUND'],
  ])
})

test('a demoted admin is NOT_ADMIN at the next request, on every node [S-auth-19 S-err-19 P1-code-11 P2-ends-1 P3-roles-1]', async () => {
  const { accounts } = await personOf('amara.okafor@example.com')
  const { user_id } = at(
    accounts.filter(({ org_id }) => org_id === platform),
    0,
  )
  const body = { role: 'cr_member', user_ids: ['nobody'] }
  assertPage(await post(rolesPath, 'user', body))
  await change('workspace', 'cr_member', [user_id], platform)
  try {
    for (const key of ['user', 'organization'] as const) {
      assertError(await post(rolesPath, key, body), 403, 'NOT_ADMIN')
      assertError(await post(rolesPath, key, body, strict()), 403, 'NOT_ADMIN')
      assertError(await call('/v1/roles', { key: demo.keys[key] }), 403, 'NOT_ADMIN')
    }
  } finally {
    await change('workspace', 'cr_admin', [user_id], platform)
  }
  assertPage(await post(rolesPath, 'user', body))
})

test('an instance key means its home organization, or the one of its instance that org_id names [S-roles-5 P2-instance-2]', async () => {
  const { both, one } = await peopleOfInstance()
  assert.deepEqual(await change('instance', 'cr_admin', [one]), success(one))
  assert.equal(await roleOf('instance', one), 'cr_admin')
  assert.deepEqual(await change('instance', 'cr_member', [one], firmware), success(one))
  assert.equal(await roleOf('instance', one), 'cr_member')
  assert.deepEqual(codesOf(await change('instance', 'cr_admin', [one], fleet)), [[one, 'USER_NOT_FOUND']])
  assert.deepEqual(await change('instance', 'cr_admin', [both], fleet), success(both))
  assert.equal(await roleOf('instance', both), 'cr_member', 'the home organization is another')
  await change('instance', 'cr_member', [both], fleet)
  const body = { role: 'cr_member', user_ids: [both] }
  const unknown = await post(rolesPath, 'instance', { ...body, org_id: platform })
  assertError(unknown, 404, 'ORGANIZATION_NOT_FOUND')
  const narrow = await post(rolesPath, 'instance_narrow', { ...body, org_id: fleet })
  assertError(narrow, 403, 'ORGANIZATION_OUT_OF_SCOPE')
})

test('ALL, in any case, changes every organization where the user is a member; in none is USER_NOT_FOUND [S-roles-5 S-auth-9 P3-roles-4]', async () => {
  const { admin, both, one } = await peopleOfInstance()
  assert.deepEqual(codesOf(await change('instance', 'cr_member', [admin], fleet)), [[admin, 'LAST_ADMIN']])
  const result = await change('instance', 'cr_admin', ['nobody', both, one, both], 'aLl')
  assert.equal(result.status, 'partial_success')
  assert.deepEqual(result.succeeded, [both, one])
  assert.deepEqual(codesOf(result), [['nobody', 'USER_NOT_FOUND']])
  assert.equal(await roleOf('instance', both), 'cr_admin')
  // There is another admin in the second organization now.
  assert.deepEqual(await change('instance', 'cr_member', [admin], fleet), success(admin))
  assert.deepEqual(await change('instance', 'cr_admin', [admin], 'ALL'), success(admin))
  assert.deepEqual(await change('instance', 'cr_member', [both, one], 'all'), success(both, one))
})

test('ALL is not atomic: a user who fails in one organization is changed in the others, and has failed [S-roles-8 S-roles-9]', async () => {
  const { admin, one } = await peopleOfInstance()
  await change('instance', 'cr_admin', [one], firmware)
  const result = await change('instance', 'cr_member', [admin], 'ALL')
  assert.deepEqual([result.status, codesOf(result)], ['failure', [[admin, 'LAST_ADMIN']]])
  assert.equal(await roleOf('instance', admin), 'cr_member')
  assert.deepEqual(await change('instance', 'cr_admin', [admin], 'ALL'), success(admin))
  await change('instance', 'cr_member', [one], firmware)
})

test('ALL of a key that is authorized for some organizations leaves the others alone [S-roles-5]', async () => {
  const { both } = await peopleOfInstance()
  assert.deepEqual(await change('instance_narrow', 'cr_admin', [both], 'ALL'), success(both))
  assert.equal(await roleOf('instance', both), 'cr_admin')
  const ids = (await readUsers('instance', '?role_filter=admin')).users.map(({ user_id }) => user_id)
  const inFleet = await change('instance', 'cr_member', ids, fleet)
  assert.deepEqual(
    inFleet.failed.map(({ code }) => code),
    ['LAST_ADMIN'],
    'the second organization has no other admin than before',
  )
  await change('instance', 'cr_member', [both], firmware)
})

test('ALL with any key but an instance key is 400, legacy and agentic ones included [S-roles-6 P1-order-11]', async () => {
  const keys = ['organization', 'user', 'workspace', 'legacy', 'agentic', 'workspace_demoted_owner'] as const
  for (const key of keys) {
    for (const org_id of ['ALL', 'all', 'All']) {
      const reply = await post(rolesPath, key, { role: 'cr_member', user_ids: ['1'], org_id })
      assertError(reply, 400, 'INVALID_REQUEST', key)
    }
  }
  assertError(await post(rolesPath, 'legacy', { org_id: 'ALL' }), 400, 'INVALID_REQUEST')
  assertError(await post(rolesPath, 'expired', { org_id: 'ALL' }), 401, 'UNAUTHORIZED')
})

test('role changes are refused: legacy 410, agentic and lower plans 403, whatever else is wrong [S-err-12 S-err-15 P1-order-11 P2-kinds-6]', async () => {
  const body = { role: 'cr_member', user_ids: ['1'] }
  for (const [key, status, code] of [
    ['legacy', 410, 'LEGACY_API_KEY'],
    ['agentic', 403, 'KEY_KIND_NOT_ALLOWED'],
    ['lower_plan', 403, 'ENTERPRISE_REQUIRED'],
    ['expired', 401, 'UNAUTHORIZED'],
    ['workspace_demoted_owner', 403, 'OWNER_NOT_ADMIN'],
  ] as const)
    assertError(await post(rolesPath, key, body), status, code, key)
  const malformed = { method: 'POST', key: demo.keys.legacy, body: '{' }
  assertError(await call(rolesPath, malformed), 410, 'LEGACY_API_KEY')
  assertError(await post(rolesPath, 'legacy', {}), 410, 'LEGACY_API_KEY')
})

test('the same Idempotency-Key gives the first answer of a role change again, also of ALL [P1-idem-4 P3-roles-5]', async () => {
  const { both } = await peopleOfInstance()
  for (const org_id of [firmware, 'ALL']) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const send = (role: string) => {
      const body = JSON.stringify({ role, user_ids: [both, 'nobody'], org_id })
      return call(rolesPath, { method: 'POST', key: demo.keys.instance, headers, body })
    }
    const first = await send('cr_admin')
    assertPage(first)
    await change('instance', 'cr_member', [both], org_id)
    const again = await send('cr_admin')
    assert.equal(again.text, first.text)
    assert.equal(await roleOf('instance', both), 'cr_member', 'it was not done twice')
    assertError(await send('cr_member'), 409, 'IDEMPOTENCY_KEY_REUSED')
  }
})

test('a request that lost its connection is carried out, and the same Idempotency-Key tells how [P3-roles-5]', async () => {
  const { both } = await peopleOfInstance()
  const headers = {
    'content-type': 'application/json',
    'x-service-api-key': demo.keys.instance,
    'idempotency-key': randomUUID(),
  }
  const body = JSON.stringify({ role: 'cr_admin', user_ids: [both], org_id: 'ALL' })
  const leaving = new AbortController()
  const lost = fetch(demo.base_url + rolesPath, { method: 'POST', headers, body, signal: leaving.signal })
  setTimeout(() => leaving.abort(), 40)
  await lost.catch(() => null)
  const again = await call(rolesPath, { method: 'POST', headers, body })
  assert.deepEqual(again.body, success(both))
  assert.equal(await roleOf('instance', both), 'cr_admin')
  await change('instance', 'cr_member', [both], 'ALL')
})

test('a role change leaves one audit row an organization and request, and none where nothing changed [P3-roles-6]', async () => {
  const { both, one } = await peopleOfInstance()
  const rows = async () => (await readAudit('actions=person_role_changed', 'instance')).pagination.total_count
  const before = await rows()
  await change('instance', 'cr_admin', [both, one], 'ALL')
  assert.equal(await rows(), before + 2)
  await change('instance', 'cr_admin', [both, one], 'ALL')
  assert.equal(await rows(), before + 2)
  await change('instance', 'cr_member', [both, one, 'nobody'], firmware)
  assert.equal(await rows(), before + 3)
  await change('instance', 'cr_member', [both], 'ALL')
  assert.equal(await rows(), before + 4)
})

test('role changes are 10 in 60 s [S-err-16 S-limit-7 P1-limit-10]', async () => {
  const body = { role: 'cr_member', user_ids: ['nobody'] }
  await assertWindow('"roles";q=10;w=60', () => post(rolesPath, 'metrics_off', body, strict()))
})
