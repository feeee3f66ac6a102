import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService, withEmptyQueue } from '../../../../test/call.ts'
import { getErrorCode, sendValidRequest } from '../../../../test/contract/send.ts'
import { findContract, toEndpointName } from '../../../../test/contract/table.ts'
import { openDatabase } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { plantLearning } from '../../../../test/planted/learnings.ts'
import { createTenant, type KeyOptions, type Tenant, type TestKey } from '../../../../test/tenant.ts'
import { type KeyKind, keyKinds } from '../../../access/key-format.ts'
import { eventKinds } from '../../../consumers.ts'
import { type ErrorCode, getHttpStatus } from '../../../errors.ts'
import { listErrorCodes } from '../../../http/docs/openapi.ts'
import type { Endpoint } from '../../../http/endpoint.ts'
import { endpoints as listed, tools } from '../../../routes.ts'

interface Verdict {
  readonly allowed: boolean
  readonly code: ErrorCode | null
}
interface Self {
  readonly kind: KeyKind
  readonly owner: { readonly cr_user_id: string; readonly name: string } | null
  readonly tenant_root: Readonly<Record<'id' | 'kind' | 'plan', string>>
  readonly organizations: { readonly count: number; readonly first: readonly { readonly id: string }[] }
  readonly admin: boolean
  readonly permissions: readonly string[]
  readonly expires_at: string | null
  readonly endpoints: readonly (Verdict & { readonly method: string; readonly path: string })[]
  readonly tools: readonly (Verdict & { readonly name: string })[]
}

const endpoints = [...new Set([...listed, ...tools.map((tool) => tool.endpoint)])]

const { database, superuser, use } = await openDatabase()
const service = use(startService(database, limitsOff, endpoints, eventKinds, tools, withEmptyQueue))

async function createPlantedTenant(): Promise<Tenant> {
  const tenant = await createTenant(database)
  for (const organization of [...tenant.workspace.organizations, ...tenant.instance.organizations])
    await plantLearning(superuser, organization, `as is usual in ${organization.name}`)
  return tenant
}

async function getSelf(key: TestKey): Promise<Self> {
  const { status, body, text } = await service.call('/v1/keys/self', { key: key.value })
  assert.equal(status, 200, text)
  return body as unknown as Self
}

function verdictsByEndpoint(self: Self): Map<Endpoint, Verdict> {
  const ofEndpoints = listed.map((endpoint) => {
    const { method, path } = endpoint
    const verdict = self.endpoints.find((entry) => entry.method === method && entry.path === path)
    return [endpoint, verdict ?? assert.fail(`no verdict for ${toEndpointName(endpoint)}`)] as const
  })
  const ofTools = tools.map(({ name, endpoint }) => {
    const verdict = self.tools.find((entry) => entry.name === name)
    return [endpoint, verdict ?? assert.fail(`no verdict for ${name}`)] as const
  })
  assert.equal(self.endpoints.length + self.tools.length, ofEndpoints.length + ofTools.length)
  return new Map<Endpoint, Verdict>([...ofEndpoints, ...ofTools])
}

/** Reads the verdicts of the key, then tries every endpoint; returns the error codes it met. */
async function compareKey(tenant: Tenant, kind: KeyKind, key: TestKey, about: string): Promise<string[]> {
  const own = key.root === tenant.instance.root ? tenant.instance : tenant.workspace
  const [first, second] = own.organizations
  // Where an organization is required, keys that see several name an active one.
  const named = kind === 'workspace' || kind === 'instance' ? (second ?? assert.fail()) : first
  const mustName = (endpoint: Endpoint) =>
    kind === 'workspace' && findContract(endpoint).selector === 'org_id required'
  const codes: string[] = []
  const self = await getSelf(key)
  for (const [endpoint, { allowed, code }] of verdictsByEndpoint(self)) {
    const orgId = mustName(endpoint) ? named.orgId : null
    const response = await sendValidRequest(service, endpoint, { value: key.value, kind }, named.id, orgId)
    const found = getErrorCode(response) as ErrorCode | null
    const what = `${about} ${kind} ${toEndpointName(endpoint)}: ${response.status}`
    if (response.status >= 400) {
      assert.ok(found, `${what} has no code`)
      assert.equal(getHttpStatus(found), response.status, what)
      assert.ok(listErrorCodes(endpoint).includes(found), `${what} ${found} is not documented`)
    }
    // A 404 for an unknown id means that the access checks passed.
    const refusal = found === findContract(endpoint).notFoundCode ? null : found
    assert.deepEqual({ allowed, code }, { allowed: refusal === null, code: refusal }, what)
    if (code) codes.push(code)
  }
  return codes
}

async function compareAll(about: string, options: KeyOptions, restriction?: string): Promise<string[]> {
  const tenant = await createPlantedTenant()
  const keys = await Promise.all(
    keyKinds.map(async (kind) => [kind, await tenant.createKey(kind, options)] as const),
  )
  const { workspace, instance } = tenant
  if (restriction) {
    const firsts = [workspace.organizations[0].id, instance.organizations[0].id]
    const roots = [workspace.root, instance.root]
    await superuser.query(restriction, [restriction.includes('subscription') ? roots : firsts])
  }
  const codes: string[] = []
  for (const [kind, key] of keys) codes.push(...(await compareKey(tenant, kind, key, about)))
  await tenant.close()
  return codes
}

test('the verdicts of a key match the response of every endpoint, for every kind and restriction [P9-5]', async (t) => {
  const codes = [
    await compareAll('plain', {}),
    await compareAll('few permissions', { permissions: ['metrics:read', 'api_key:read'] }),
    await compareAll('a member', { role: 'cr_member' }),
    await compareAll('a role of few permissions', { role: ['metrics:read', 'learning:write'] }),
    await compareAll('a lower plan', {}, `update subscription set plan = 'pro' where root_id = any ($1)`),
    await compareAll(
      'inactive subscription',
      {},
      'update subscription set active = false where root_id = any ($1)',
    ),
    await compareAll(
      'inactive organization',
      {},
      'update organization set active = false where id = any ($1)',
    ),
    await compareAll('no metrics', {}, 'update organization set metrics_enabled = false where id = any ($1)'),
  ].flat()
  assert.deepEqual([...new Set(codes)].sort(), [
    'ENTERPRISE_REQUIRED',
    'KEY_KIND_NOT_ALLOWED',
    'LEGACY_API_KEY',
    'METRICS_UNAVAILABLE',
    'NOT_ADMIN',
    'NO_ACTIVE_SUBSCRIPTION',
    'ORGANIZATION_NOT_FOUND',
    'PERMISSION_DENIED',
    'SELF_HOSTED_ONLY',
  ])
  t.diagnostic(
    `${8 * keyKinds.length * endpoints.length} requests, ${codes.length} of them refused as predicted`,
  )
})

test('returns the kind, owner, tenant root, organizations, permissions and expiry of the key', async () => {
  const tenant = await createTenant(database, { organizations: 3 })
  const { workspace, instance } = tenant
  const ids = (of: typeof workspace) => of.organizations.map(({ id }) => id).toSorted()
  for (const kind of keyKinds) {
    const key = await tenant.createKey(kind, { permissions: ['metrics:read', 'learning:read'] })
    const self = await getSelf(key)
    const [root, seen] =
      kind === 'instance'
        ? ([instance, ids(instance)] as const)
        : ([workspace, kind === 'workspace' ? ids(workspace) : [workspace.organizations[0].id]] as const)
    assert.equal(self.kind, kind)
    assert.equal(self.owner?.cr_user_id ?? null, key.owner)
    assert.equal(self.owner === null, kind === 'instance')
    assert.equal(self.tenant_root.id, root.root)
    assert.equal(self.tenant_root.kind, kind === 'instance' ? 'instance' : 'workspace')
    assert.equal(self.tenant_root.plan, 'enterprise')
    assert.equal(self.organizations.count, seen.length)
    assert.deepEqual(
      self.organizations.first.map(({ id }) => id),
      seen,
    )
    assert.deepEqual(self.permissions.toSorted(), ['learning:read', 'metrics:read'])
    assert.equal(self.expires_at === null, kind !== 'workspace')
    assert.equal(self.admin, true)
  }
  await tenant.close()
})

test('returns the organizations an instance key is authorized for, and only the first 100 [P9-5]', async () => {
  const tenant = await createTenant(database, { organizations: 103, repositories: 0 })
  const [home] = tenant.instance.organizations
  const whole = await getSelf(await tenant.createKey('instance'))
  assert.deepEqual([whole.organizations.count, whole.organizations.first.length], [103, 100])
  const narrow = await getSelf(await tenant.createKey('instance', { authorized: [home.id] }))
  assert.deepEqual(
    narrow.organizations.first.map(({ id }) => id),
    [home.id],
  )
  await tenant.close()
})

test('returns only the permissions that the role of the owner allows', async () => {
  const tenant = await createTenant(database)
  const { permissions, admin } = await getSelf(await tenant.createKey('user', { role: ['audit_log:read'] }))
  assert.deepEqual([permissions, admin], [['audit_log:read'], false])
  await tenant.close()
})
