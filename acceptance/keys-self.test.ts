import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { ask, readSelf, withKey } from './keys-data.ts'
import { call, demo, home, organizationsOf } from './service.ts'

const kinds = ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic'] as const
const owners = { workspace: 'Ingrid Solheim', instance: null } as const

test('every kind of key may ask what it is: kind, owner, tenant root, organizations, permissions and expiry [P2-instance-1 P2-kinds-12 P9-5]', async () => {
  for (const kind of kinds) {
    const self = await readSelf(demo.keys[kind])
    const { owner, tenant_root, organizations, permissions, expires_at } = self
    assert.equal(self.kind, kind)
    assert.equal(owner?.name ?? null, kind in owners ? owners[kind as 'workspace'] : 'Amara Okafor')
    const isInstance = kind === 'instance'
    assert.equal(tenant_root.name, isInstance ? 'Halden Robotics' : 'Meridian Freight')
    assert.equal(tenant_root.kind, isInstance ? 'instance' : 'workspace')
    const active = organizationsOf(isInstance ? 'instance' : 'workspace').filter(
      ({ name }) => name !== 'Dormant',
    )
    const seen = kind === 'workspace' || isInstance ? active : [home]
    assert.equal(organizations.count, seen.length)
    assert.deepEqual(
      organizations.first.map(({ id }) => id),
      seen.map(({ id }) => id).toSorted(),
    )
    assert.equal(permissions.length, 30)
    // The legacy key has an end when it was regenerated.
    if (kind !== 'legacy') assert.equal(expires_at === null, kind !== 'workspace')
    assert.ok(!JSON.stringify(self).includes(demo.keys[kind]))
  }
})

test('a missing permission is reported by keys/self and by the endpoint [S-org-5 S-auth-17 P1-code-10 P2-perm-1 P9-5]', async () => {
  await withKey(demo.keys.user, { kind: 'user', permissions: ['metrics:read'] }, async ({ value }) => {
    const { permissions, endpoints, tools } = await readSelf(value)
    assert.deepEqual(permissions, ['metrics:read'])
    const said = endpoints.find(({ method, path }) => method === 'GET' && path === '/v1/organizations')
    assert.deepEqual([said?.allowed, said?.code], [false, 'PERMISSION_DENIED'])
    assertError(await call('/v1/organizations', { key: value }), 403, 'PERMISSION_DENIED')
    assert.ok(tools.length > 0 && tools.every(({ code }) => code === 'PERMISSION_DENIED'))
  })
})

test('a workspace token whose owner was demoted is 403 OWNER_NOT_ADMIN here too; without a key it is 401 [S-auth-22 P9-5]', async () => {
  assertError(await ask(demo.keys.workspace_demoted_owner, 'GET', '/self'), 403, 'OWNER_NOT_ADMIN')
  for (const name of ['expired', 'revoked', 'ingest'] as const)
    assertError(await ask(demo.keys[name], 'GET', '/self'), 401, 'UNAUTHORIZED', name)
  assertError(await ask(demo.keys.user, 'GET', '/self?org_id=1'), 400, 'INVALID_REQUEST')
})
