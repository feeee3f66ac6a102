import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, readSelf, withKey } from './keys-data.ts'
import { assertError, call, demo, home, type KeyName, organizationsOf } from './service.ts'

const kinds = ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic'] as const
const owners = { workspace: 'Ingrid Solheim', instance: null } as const

test('every kind of key may ask what it is: kind, owner, tenant root, organizations, permissions and expiry', async () => {
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

const hasWindow = (path: string) => path.startsWith('/v1/metrics/') && !path.endsWith('/changes')

test('keys/self reports for each endpoint what the endpoint returns, and every refusal has its code', async () => {
  const names: readonly KeyName[] = [...kinds, 'lower_plan', 'metrics_off', 'instance_narrow', 'other_tenant']
  const window = 'start_date=2026-01-01&end_date=2026-01-31'
  const codes = new Set<string>()
  for (const name of names) {
    const key = demo.keys[name]
    const { endpoints } = await readSelf(key)
    // Those that can be asked without knowing anything else.
    for (const { method, path, allowed, code } of endpoints) {
      if (method !== 'GET' || path.includes('{')) continue
      const query = hasWindow(path) ? `?${window}` : ''
      const org = path === '/v1/roles' && name === 'workspace' ? '?org_id=41207731' : ''
      const reply = await call(path + query + org, { key })
      const body = reply.body as { error?: { code: string }; errors?: { code: string }[] }
      const found = body.error?.code ?? body.errors?.[0]?.code ?? null
      assert.deepEqual(
        [allowed, code],
        [reply.status === 200, found],
        `${name} ${path} ${reply.text.slice(0, 200)}`,
      )
      if (found) codes.add(found)
    }
  }
  for (const code of ['KEY_KIND_NOT_ALLOWED', 'LEGACY_API_KEY', 'ENTERPRISE_REQUIRED', 'METRICS_UNAVAILABLE'])
    assert.ok(codes.has(code), code)
})

test('a key that lacks a permission is told so, before and by the endpoint', async () => {
  await withKey(demo.keys.user, { kind: 'user', permissions: ['metrics:read'] }, async ({ value }) => {
    const { permissions, endpoints, tools } = await readSelf(value)
    assert.deepEqual(permissions, ['metrics:read'])
    const said = endpoints.find(({ method, path }) => method === 'GET' && path === '/v1/organizations')
    assert.deepEqual([said?.allowed, said?.code], [false, 'PERMISSION_DENIED'])
    assertError(await call('/v1/organizations', { key: value }), 403, 'PERMISSION_DENIED')
    assert.ok(tools.length > 0 && tools.every(({ code }) => code === 'PERMISSION_DENIED'))
  })
})

test('a workspace token whose owner was demoted is 403 OWNER_NOT_ADMIN here too; without a key it is 401', async () => {
  assertError(await ask(demo.keys.workspace_demoted_owner, 'GET', '/self'), 403, 'OWNER_NOT_ADMIN')
  for (const name of ['expired', 'revoked', 'ingest'] as const)
    assertError(await ask(demo.keys[name], 'GET', '/self'), 401, 'UNAUTHORIZED', name)
  assertError(await ask(demo.keys.user, 'GET', '/self?org_id=1'), 400, 'INVALID_REQUEST')
})
