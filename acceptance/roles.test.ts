import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { read as readAudit } from './audit-data.ts'
import { readUsers, withNewcomers } from './people-data.ts'
import { assertPage, call, demo, type KeyName, uuidPattern } from './service.ts'
import { assertWindow, strict } from './windows.ts'

const path = '/v1/roles'
const platform = '41207731'

type Permission = { resource_id: string; access_type: string }
type Role = {
  id: string
  name: string
  description: string
  type: string
  is_default: boolean
  user_count?: number
  permissions?: Permission[]
}

const resourceIds = [
  'organization_management',
  'repository_management',
  'user_management',
  'role_management',
  'learning',
  'metrics',
  'security',
  'audit_log',
  'api_key',
  'billing',
]
const everything = resourceIds.flatMap((resource) =>
  ['read', 'write', 'delete'].map((access) => `${resource}:${access}`),
)
const ofMembers = [
  'learning:read',
  'learning:write',
  'metrics:read',
  'organization_management:read',
  'repository_management:read',
  'security:read',
]

function send(
  method: string,
  place: string,
  key: KeyName,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return call(path + place, { method, key: demo.keys[key], headers: { ...type, ...headers }, ...sent })
}

async function list(key: KeyName, query = ''): Promise<Role[]> {
  const reply = await send('GET', query, key)
  assertPage(reply)
  assert.deepEqual(Object.keys(reply.body as object), ['roles'])
  return (reply.body as { roles: Role[] }).roles
}

async function create(key: KeyName, body: object): Promise<Role> {
  const reply = await send('POST', '', key, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body as Role
}

async function remove(key: KeyName, { id }: Role, query = ''): Promise<void> {
  const reply = await send('DELETE', `/${id}${query}`, key)
  assert.deepEqual([reply.status, reply.text], [204, ''])
}

async function withRole(key: KeyName, body: object, work: (role: Role) => Promise<void>): Promise<void> {
  const role = await create(key, { name: randomUUID(), ...body })
  try {
    await work(role)
  } finally {
    await remove(key, role)
  }
}

const parts = (names: readonly string[]) =>
  names.map((name) => {
    const [resource_id = '', access_type = ''] = name.split(':')
    return { resource_id, access_type }
  })
const namesOf = ({ permissions = [] }: Role) =>
  permissions.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`).sort()
const defaultsOf = (roles: readonly Role[]) =>
  roles.filter(({ is_default }) => is_default).map(({ id }) => id)

test('roles are listed, system roles first, each with its fields and how many users have it [P3-custom-1]', async () => {
  await withRole('organization', { name: 'Zebra' }, async () => {
    const roles = await list('organization')
    assert.deepEqual(
      roles.slice(0, 3).map(({ id, name, type }) => [id, name, type]),
      ['cr_admin', 'cr_member', 'cr_billing_admin'].map((name) => [name, name, 'system']),
    )
    for (const role of roles)
      assert.deepEqual(Object.keys(role).sort(), [
        'description',
        'id',
        'is_default',
        'name',
        'type',
        'user_count',
      ])
    const { users } = await readUsers('organization')
    assert.equal(
      roles.reduce((sum, { user_count = 0 }) => sum + user_count, 0),
      users.length,
    )
    assert.equal(roles.find(({ name }) => name === 'Zebra')?.user_count, 0)
  })
})

test('role_type separates system and custom roles; permissions are returned on request, user counts by default [P3-custom-1]', async () => {
  await withRole('organization', {}, async (made) => {
    const all = await list('organization', '?role_type=all')
    const system = await list('organization', '?role_type=system')
    const custom = await list('organization', '?role_type=custom')
    assert.deepEqual([...system, ...custom], all)
    assert.ok(system.every(({ type }) => type === 'system') && system.length === 3)
    assert.ok(custom.some(({ id }) => id === made.id) && custom.every(({ type }) => type === 'custom'))
    const bare = await list('organization', '?include_user_count=false')
    assert.ok(bare.every((role) => !('user_count' in role) && !('permissions' in role)))
    const full = await list('organization', '?include_permissions=true&include_user_count=true')
    assert.ok(full.every((role) => 'user_count' in role && 'permissions' in role))
  })
  for (const query of ['?role_type=own', '?include_permissions=1', '?include_user_count=TRUE', '?limit=1'])
    assertError(await send('GET', query, 'organization'), 400, 'INVALID_REQUEST', query)
})

test('cr_admin has all permissions, cr_member those of a member [P3-custom-9 P3-custom-10]', async () => {
  const [admin, member] = await list('organization', '?include_permissions=true')
  assert.ok(admin && member)
  assert.deepEqual(namesOf(admin), everything.toSorted())
  assert.deepEqual(namesOf(member), ofMembers)
})

test('a role is read by its id; unknown and foreign ones are 404, what is no id is 400 [P3-custom-2]', async () => {
  await withRole('organization', { description: 'Cuts releases' }, async (made) => {
    const reply = await send('GET', `/${made.id}`, 'organization')
    assertPage(reply)
    assert.deepEqual(reply.body, made)
    assert.equal(made.description, 'Cuts releases')
    for (const [id, key] of [
      [randomUUID(), 'organization'],
      [made.id, 'other_tenant'],
    ] as const) {
      assertError(await send('GET', `/${id}`, key), 404, 'NOT_FOUND')
      assertError(await send('PATCH', `/${id}`, key, { name: 'x' }), 404, 'NOT_FOUND')
      assertError(await send('DELETE', `/${id}`, key), 404, 'NOT_FOUND')
    }
  })
  assert.equal(((await send('GET', '/cr_admin', 'organization')).body as Role).type, 'system')
  assertError(await send('GET', '/admin', 'organization'), 400, 'INVALID_REQUEST')
})

test('a role is made with a name alone as a copy of cr_member, with permissions, or as a copy of another role [P3-custom-3]', async () => {
  const plain = await create('organization', { name: 'Plain' })
  assert.match(plain.id, uuidPattern)
  assert.deepEqual(
    { ...plain, id: '', permissions: namesOf(plain) },
    {
      id: '',
      name: 'Plain',
      description: '',
      type: 'custom',
      is_default: false,
      user_count: 0,
      permissions: ofMembers,
    },
  )
  const asked = ['metrics:read', 'audit_log:read', 'metrics:read']
  const auditor = await create('organization', { name: 'Auditor', permissions: parts(asked) })
  assert.deepEqual(namesOf(auditor), ['audit_log:read', 'metrics:read'])
  const copy = await create('organization', { name: 'Copy', duplicate_from: auditor.id })
  assert.deepEqual(namesOf(copy), namesOf(auditor))
  const owner = await create('organization', { name: 'Owner', duplicate_from: 'cr_admin' })
  assert.deepEqual(namesOf(owner), everything.toSorted())
  const nothing = await create('organization', { name: 'Nothing', permissions: [] })
  assert.deepEqual(namesOf(nothing), [])
  for (const role of [plain, auditor, copy, owner, nothing]) await remove('organization', role)
  const unknown = { name: 'Lost', duplicate_from: randomUUID() }
  assertError(await send('POST', '', 'organization', unknown), 404, 'NOT_FOUND')
})

test('an invalid new role is 400 [P3-custom-3]', async () => {
  for (const body of [
    {},
    { name: '' },
    { name: ' Auditor' },
    { name: 'Auditor\n' },
    { name: 'x'.repeat(101) },
    { name: 7 },
    { name: 'cr_owner' },
    { name: 'Auditor', description: null },
    { name: 'Auditor', is_default: 'true' },
    { name: 'Auditor', permissions: ['metrics:read'] },
    { name: 'Auditor', permissions: parts(['metrics:admin']) },
    { name: 'Auditor', permissions: parts(['everything:read']) },
    { name: 'Auditor', permissions: [{ resource_id: 'metrics' }] },
    { name: 'Auditor', permissions: [], duplicate_from: 'cr_member' },
    { name: 'Auditor', duplicate_from: 'Owner' },
    { name: 'Auditor', type: 'custom' },
  ])
    assertError(await send('POST', '', 'organization', body), 400, 'INVALID_REQUEST', JSON.stringify(body))
})

test('a role name is unique in its organization: 409 ROLE_NAME_TAKEN, and other organizations may use it too [P1-code-19 P3-custom-7]', async () => {
  const name = 'Release manager'
  await withRole('organization', { name }, async () => {
    for (const taken of [name, name.toUpperCase(), 'cr_admin'])
      assertError(await send('POST', '', 'organization', { name: taken }), 409, 'ROLE_NAME_TAKEN', taken)
    await withRole('organization', {}, async ({ id }) => {
      for (const taken of [name, name.toLowerCase()])
        assertError(await send('PATCH', `/${id}`, 'organization', { name: taken }), 409, 'ROLE_NAME_TAKEN')
    })
    await withRole('other_tenant', { name }, async () => {})
  })
})

test('a role is changed in what is passed, and only in that [P3-custom-4]', async () => {
  await withRole('organization', { description: 'Before', permissions: [] }, async (made) => {
    const renamed = await send('PATCH', `/${made.id}`, 'organization', { name: 'Renamed' })
    assertPage(renamed)
    assert.deepEqual(renamed.body, { ...made, name: 'Renamed' })
    const permissions = parts(['security:read'])
    const changed = await send('PATCH', `/${made.id}`, 'organization', { permissions, description: '' })
    assert.deepEqual(changed.body, { ...made, name: 'Renamed', description: '', permissions })
    assert.deepEqual((await send('GET', `/${made.id}`, 'organization')).body, changed.body)
    for (const body of [
      {},
      { org_id: platform },
      { name: '' },
      { permissions: null },
      { duplicate_from: 'cr_admin' },
    ])
      assertError(await send('PATCH', `/${made.id}`, 'organization', body), 400, 'INVALID_REQUEST')
  })
})

test('a deleted role is gone: 204, then 404 [P3-custom-5]', async () => {
  const role = await create('organization', { name: randomUUID() })
  await remove('organization', role)
  assertError(await send('GET', `/${role.id}`, 'organization'), 404, 'NOT_FOUND')
  assertError(await send('DELETE', `/${role.id}`, 'organization'), 404, 'NOT_FOUND')
})

test('the default role is what new members get; while users have it, deleting it is 409 ROLE_IN_USE [P1-code-19 P2-people-2 P3-custom-5]', async () => {
  const role = await create('other_tenant', { name: 'Newcomer', is_default: true })
  await withNewcomers('other_tenant', 1, async ([id = '']) => {
    const users = async () => (await readUsers('other_tenant')).users.find(({ user_id }) => user_id === id)
    const before = await users()
    assert.deepEqual([before?.role_name, before?.role_type], ['Newcomer', 'custom'])
    assertError(await send('DELETE', `/${role.id}`, 'other_tenant'), 409, 'ROLE_IN_USE')
    const listed = (await list('other_tenant')).find((one) => one.id === role.id)
    assert.equal(listed?.user_count, 1)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ role: 'cr_member', user_ids: [id] })
    const given = await call('/v1/users/roles', {
      method: 'POST',
      key: demo.keys.other_tenant,
      headers,
      body,
    })
    assert.equal((given.body as { status: string }).status, 'success')
    const after = await users()
    assert.deepEqual([after?.role_name, after?.role_type], ['cr_member', 'system'], 'one role a membership')
    await remove('other_tenant', role)
  })
})

test('one role is the default: the last that was made so, else cr_member [P3-custom-7]', async () => {
  assert.deepEqual(defaultsOf(await list('organization')), ['cr_member'])
  await withRole('organization', { is_default: true }, async (first) => {
    assert.deepEqual(defaultsOf(await list('organization')), [first.id])
    await withRole('organization', { is_default: true }, async (second) => {
      assert.deepEqual(defaultsOf(await list('organization')), [second.id])
      await send('PATCH', `/${first.id}`, 'organization', { is_default: true })
      assert.deepEqual(defaultsOf(await list('organization')), [first.id])
      await send('PATCH', `/${first.id}`, 'organization', { is_default: false })
      assert.deepEqual(defaultsOf(await list('organization')), ['cr_member'])
    })
  })
})

test('system roles cannot be changed or deleted [P3-custom-7]', async () => {
  for (const id of ['cr_admin', 'cr_member', 'cr_billing_admin']) {
    assertError(await send('PATCH', `/${id}`, 'organization', { name: 'x' }), 400, 'INVALID_REQUEST')
    assertError(await send('DELETE', `/${id}`, 'organization'), 400, 'INVALID_REQUEST')
  }
})

test('the permissions that a role can have are listed [P3-custom-6 P3-custom-8]', async () => {
  assertError(await send('GET', '/permissions', 'workspace'), 400, 'ORG_ID_REQUIRED')
  for (const [key, query] of [
    ['organization', ''],
    ['workspace', `?org_id=${platform}`],
    ['instance', ''],
  ] as const) {
    const reply = await send('GET', `/permissions${query}`, key)
    assertPage(reply)
    assert.deepEqual(reply.body, { resource_ids: resourceIds, access_types: ['read', 'write', 'delete'] })
  }
})

test('a workspace token passes org_id: in the query to read and delete, in the body to create and change [S-named-3 S-auth-20 S-auth-21 S-auth-23]', async () => {
  const query = `?org_id=${platform}`
  const made = await create('workspace', { name: randomUUID(), org_id: platform })
  const { id } = made
  assert.deepEqual((await send('GET', `/${id}${query}`, 'workspace')).body, made)
  assert.deepEqual((await send('GET', `/${id}`, 'organization')).body, made, 'it is that organization’s')
  assert.ok((await list('workspace', query)).some((role) => role.id === id))
  assert.ok(!(await list('workspace', '?org_id=41207915')).some((role) => role.id === id))
  for (const [method, place, body] of [
    ['GET', '', undefined],
    ['GET', `/${id}`, undefined],
    ['DELETE', `/${id}`, undefined],
    ['POST', '', { name: 'x' }],
    ['PATCH', `/${id}`, { name: 'x' }],
  ] as const)
    assertError(await send(method, place, 'workspace', body), 400, 'ORG_ID_REQUIRED', `${method} ${place}`)
  assertError(await send('POST', query, 'workspace', { name: 'x' }), 400, 'INVALID_REQUEST')
  assertError(await send('PATCH', `/${id}${query}`, 'workspace', { name: 'x' }), 400, 'INVALID_REQUEST')
  for (const org_id of ['1', '58801264', '9000009'])
    assertError(await send('GET', `?org_id=${org_id}`, 'workspace'), 404, 'ORGANIZATION_NOT_FOUND')
  const changed = await send('PATCH', `/${id}`, 'workspace', { name: 'Renamed by token', org_id: platform })
  assert.equal((changed.body as Role).name, 'Renamed by token')
  await remove('workspace', made, query)
})

test('other keys ignore org_id on roles; an instance key means its home organization [S-auth-9 P2-instance-4]', async () => {
  await withRole('instance', { org_id: '27' }, async ({ id }) => {
    assert.ok((await list('instance')).some((role) => role.id === id))
    assert.ok((await list('instance', '?org_id=27')).some((role) => role.id === id))
    assert.ok((await list('instance_narrow')).some((role) => role.id === id))
  })
  await withRole('user', { org_id: '58801264' }, async ({ id }) => {
    assert.ok((await list('organization', '?org_id=58801264')).some((role) => role.id === id))
  })
})

test('roles need Enterprise and an Admin’s key: legacy 410, agentic and lower plans 403 [P2-kinds-6]', async () => {
  for (const [key, status, code] of [
    ['legacy', 410, 'LEGACY_API_KEY'],
    ['agentic', 403, 'KEY_KIND_NOT_ALLOWED'],
    ['lower_plan', 403, 'ENTERPRISE_REQUIRED'],
    ['expired', 401, 'UNAUTHORIZED'],
    ['workspace_demoted_owner', 403, 'OWNER_NOT_ADMIN'],
  ] as const) {
    for (const [method, place, body] of [
      ['GET', '', undefined],
      ['GET', '/permissions', undefined],
      ['GET', '/cr_admin', undefined],
      ['POST', '', { name: 'x', org_id: platform }],
    ] as const) {
      const query = key === 'workspace_demoted_owner' && method === 'GET' ? `?org_id=${platform}` : ''
      assertError(await send(method, place + query, key, body), status, code, `${method} ${place} ${key}`)
    }
  }
})

test('making a role twice with one Idempotency-Key makes one [P3-custom-3]', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const name = randomUUID()
  const first = await send('POST', '', 'organization', { name }, headers)
  const again = await send('POST', '', 'organization', { name }, headers)
  assert.deepEqual([again.status, again.text], [201, first.text])
  await remove('organization', first.body as Role)
})

test('what is done with a role is in the audit log, with its name [P3-custom-3]', async () => {
  const actions = 'role_created,role_changed,role_deleted'
  const name = `Audited ${randomUUID()}`
  const role = await create('organization', { name })
  await send('PATCH', `/${role.id}`, 'organization', { name })
  await send('PATCH', `/${role.id}`, 'organization', { description: 'Changed' })
  await remove('organization', role)
  const { data } = await readAudit(`actions=${actions}&page_size=3`, 'organization')
  assert.deepEqual(
    data.map(({ action }) => action),
    ['role_deleted', 'role_changed', 'role_created'],
  )
  for (const { resourceSummary } of data) assert.ok(resourceSummary.includes(name))
})

test('roles allow 10 requests in 60 s [P1-limit-10]', async () => {
  await assertWindow('"custom-roles";q=10;w=60', () =>
    call(`${path}?role_type=system`, { key: demo.keys.metrics_off, base: strict() }),
  )
})
