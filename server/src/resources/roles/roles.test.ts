import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import { createAuthenticator } from '../../access/authenticate.ts'
import { getSystemRolePermissions } from '../../access/permissions.ts'
import { connect } from '../../db/connect.ts'
import { Refusal } from '../../errors.ts'
import { setRole } from '../people/manage.ts'
import { findRole, listRoles } from './list.ts'
import { changeRole, createRole, deleteRole, type NewRole, type RoleChange } from './manage.ts'

const { database, tenant } = await openTenant()

const getOrganization = () => ({
  root: tenant.workspace.root,
  organization: tenant.workspace.organizations[0].id,
})
const create = (role: NewRole) =>
  tenant.change(getOrganization().root, (change) => createRole(change, getOrganization().organization, role))
const alter = (role: string, wanted: RoleChange) =>
  tenant.change(getOrganization().root, (change) =>
    changeRole(change, getOrganization().organization, role, wanted),
  )
const remove = (role: string) =>
  tenant.change(getOrganization().root, (change) => deleteRole(change, getOrganization().organization, role))
const list = () =>
  tenant.change(getOrganization().root, ({ scope, tx }) =>
    listRoles(scope, tx, getOrganization().organization),
  )

const hasCode = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

test('a role is a copy of cr_member by default', async () => {
  const id = await create({ name: 'Plain' })
  const role = (await list()).find((listed) => listed.id === id)
  assert.deepEqual(role?.permissions, getSystemRolePermissions('cr_member'))
  assert.equal(role?.members, 0)
})

test('a role name is unique in its organization, and the prefix cr_ is reserved', async () => {
  await create({ name: 'Auditor' })
  for (const name of ['Auditor', 'auditor', 'AUDITOR'])
    await assert.rejects(create({ name }), hasCode('ROLE_NAME_TAKEN'))
  await create({ name: 'Prüfer' })
  await assert.rejects(create({ name: 'PRÜFER' }), hasCode('ROLE_NAME_TAKEN'))
  const other = await create({ name: 'Releaser' })
  await assert.rejects(alter(other, { name: 'auditor' }), hasCode('ROLE_NAME_TAKEN'))
  await alter(other, { name: 'RELEASER' })
  await alter(other, { name: 'Releaser', description: 'Cuts releases' })
  await assert.rejects(create({ name: 'cr_owner' }), /system role/)
  await assert.rejects(alter(other, { name: 'CR_admin' }), /system role/)
  await assert.rejects(alter(randomUUID(), { name: 'Nobody' }), hasCode('NOT_FOUND'))
})

test('at most one role is the default: a new default replaces the previous one', async () => {
  const first = await create({ name: 'First default', isDefault: true })
  const second = await create({ name: 'Second default', isDefault: true })
  const defaults = async () => (await list()).filter(({ is_default }) => is_default).map(({ id }) => id)
  assert.deepEqual(await defaults(), [second])
  await alter(first, { isDefault: true })
  assert.deepEqual(await defaults(), [first])
})

test('concurrent requests: one gets the name, and one role is the default', async () => {
  const many = Array.from({ length: 8 }, (_, index) => index)
  const named = await Promise.allSettled(many.map(() => create({ name: 'Wanted' })))
  assert.equal(named.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of named)
    assert.ok(result.status === 'fulfilled' || hasCode('ROLE_NAME_TAKEN')(result.reason))
  const ids = await Promise.all(many.map((index) => create({ name: `Default ${index}`, isDefault: true })))
  const defaults = (await list()).filter(({ is_default }) => is_default).map(({ id }) => id)
  assert.equal(defaults.length, 1)
  assert.ok(ids.includes(defaults[0] ?? ''))
  const renamed = await Promise.allSettled(ids.map((id) => alter(id, { name: 'Renamed', isDefault: true })))
  assert.equal(renamed.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of renamed)
    assert.ok(result.status === 'fulfilled' || hasCode('ROLE_NAME_TAKEN')(result.reason))
})

test('system roles are listed first and found by name, custom ones by id or name', async () => {
  const roles = await list()
  assert.deepEqual(
    roles.slice(0, 3).map(({ id }) => id),
    ['cr_admin', 'cr_member', 'cr_billing_admin'],
  )
  const find = (text: string) =>
    tenant.change(getOrganization().root, ({ scope, tx }) =>
      findRole(scope, tx, getOrganization().organization, text),
    )
  assert.equal((await find('cr_admin')).type, 'system')
  const { id } = await find('Auditor')
  assert.equal((await find(id)).name, 'Auditor')
  await assert.rejects(find('Nobody'), hasCode('NOT_FOUND'))
})

test('a role in use cannot be deleted, and a change takes effect on the next request of a key', async () => {
  const authPool = connect({ url: database.urls.auth, name: 'test-auth', connections: 1 })
  try {
    const { organization, root } = getOrganization()
    const key = await tenant.createKey('user', { role: ['metrics:read'] })
    const { owner } = key
    assert.ok(owner)
    const used = (await list()).find(({ members, type }) => type === 'custom' && members === 1)
    assert.ok(used)
    await assert.rejects(remove(used.id), hasCode('ROLE_IN_USE'))
    const permissions = async () => [...(await createAuthenticator(authPool)(key.value)).permissions]
    assert.deepEqual(await permissions(), ['metrics:read'])
    await alter(used.id, { permissions: ['audit_log:read'] })
    assert.deepEqual(await permissions(), ['audit_log:read'])
    await tenant.change(root, (change) =>
      setRole(change, { person: owner, organization, role: { system: 'cr_admin' } }),
    )
    await remove(used.id)
    await assert.rejects(remove(used.id), hasCode('NOT_FOUND'))
  } finally {
    await authPool.end()
  }
})
