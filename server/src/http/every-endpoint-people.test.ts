import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Answer, startService, type TestService } from '../../test/call.ts'
import { makeDatabase, type TestDatabase } from '../../test/database.ts'
import { makeTenant, type Tenant, type TestKey } from '../../test/tenant.ts'
import { type KeyKind, keyKinds } from '../access/key-format.ts'
import { allPermissions, type Permission } from '../access/permissions.ts'
import { type ErrorCode, statusOf } from '../errors.ts'
import { endpoints } from '../routes.ts'
import type { Endpoint } from './endpoint.ts'

// The routes whose good requests differ from one kind of key to another. The whole matrix is in every-endpoint.test.ts.

interface Row {
  /** organization · user · workspace · instance · legacy · agentic */
  readonly kinds: string
  readonly permission: Permission
  readonly body?: (kind: KeyKind) => Record<string, unknown>
  /** Where a workspace token has to name its organization. */
  readonly orgIdIn?: 'query' | 'body'
  /** What a good request is answered with, of an organization that is not self-hosted. */
  readonly inCloud?: ErrorCode
  /** What a good request is answered with, because nothing has the id that it names. */
  readonly nothing?: ErrorCode
}

const ofRoles = { kinds: '● ● ● ● 410 403', orgIdIn: 'query' } as const

const rows: Readonly<Record<string, Row>> = {
  'GET /v1/audit-logs': { kinds: '● ● ● ● 410 403', permission: 'audit_log:read' },
  'GET /v1/users': { kinds: '● ● ● ● 410 403', permission: 'user_management:read' },
  'POST /v1/users/seats': {
    kinds: '● ● ● ● 410 403',
    permission: 'user_management:write',
    body: (kind) => ({
      action: 'unassign',
      ...(kind === 'workspace' ? { members: [{ email: 'nobody@example.com' }] } : { user_ids: ['nobody'] }),
    }),
  },
  'POST /v1/users/seats/assignment': {
    kinds: '● ● 403 ● 410 403',
    permission: 'user_management:write',
    body: () => ({ mode: 'manual' }),
    inCloud: 'SELF_HOSTED_ONLY',
  },
  'POST /v1/users/roles': {
    ...ofRoles,
    orgIdIn: 'body',
    permission: 'user_management:write',
    body: () => ({ role: 'cr_member', user_ids: ['nobody'] }),
  },
  'GET /v1/roles': { ...ofRoles, permission: 'role_management:read' },
  'GET /v1/roles/permissions': { ...ofRoles, permission: 'role_management:read' },
  'GET /v1/roles/{role_id}': { ...ofRoles, permission: 'role_management:read', nothing: 'NOT_FOUND' },
  'POST /v1/roles': {
    ...ofRoles,
    orgIdIn: 'body',
    permission: 'role_management:write',
    body: () => ({ name: randomUUID() }),
  },
  'PATCH /v1/roles/{role_id}': {
    ...ofRoles,
    orgIdIn: 'body',
    permission: 'role_management:write',
    body: () => ({ description: 'Changed' }),
    nothing: 'NOT_FOUND',
  },
  'DELETE /v1/roles/{role_id}': { ...ofRoles, permission: 'role_management:delete', nothing: 'NOT_FOUND' },
}

let database: TestDatabase
let tenant: Tenant
let service: TestService
before(async () => {
  database = await makeDatabase()
  tenant = await makeTenant(database)
  const limits = ['AUDIT', 'USERS', 'SEATS', 'SEAT_MODE', 'ROLES', 'CUSTOM_ROLES']
  service = startService(database, Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, 'off'])))
})
after(async () => {
  await Promise.all([service.stop(), tenant.close()])
  await database.drop()
})

const named = Object.entries(rows).map(([name, row]) => {
  const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === name)
  return { name, row, endpoint: endpoint ?? assert.fail(`${name} is not there`) }
})

function refusalOf({ kinds }: Row, kind: KeyKind): ErrorCode | null {
  const verdict = kinds.split(' ')[keyKinds.indexOf(kind)]
  if (verdict === '●') return null
  return verdict === '410' ? 'LEGACY_API_KEY' : 'KEY_KIND_NOT_ALLOWED'
}

const allowed = (row: Row) => keyKinds.filter((kind) => refusalOf(row, kind) === null)
const served = (row: Row, kind: KeyKind) =>
  row.nothing ?? (kind === 'instance' ? null : (row.inCloud ?? null))

interface Asked {
  readonly endpoint: Endpoint
  readonly row: Row
}

function send(
  { endpoint, row }: Asked,
  kind: KeyKind,
  { value }: TestKey,
  of: Tenant = tenant,
): Promise<Answer> {
  const { method, path } = endpoint
  const [{ orgId }] = of.workspace.organizations
  const place = kind === 'workspace' ? row.orgIdIn : undefined
  const url = path.replace('{role_id}', randomUUID()) + (place === 'query' ? `?org_id=${orgId}` : '')
  const body = row.body && { ...row.body(kind), ...(place === 'body' && { org_id: orgId }) }
  return service.call(url, { key: value, method, ...(body && { body }) })
}

function check({ status, body }: Answer, code: ErrorCode | null, what: string): void {
  assert.equal(body.error?.code ?? null, code, what)
  if (code === null) assert.ok(status === 200 || status === 201, `${what} ${status}`)
  else assert.equal(status, statusOf(code), what)
}

test('each kind of key is answered as the contract’s table says', async () => {
  for (const kind of keyKinds) {
    const key = await tenant.keyOf(kind)
    for (const { name, row, endpoint } of named) {
      const refusal = refusalOf(row, kind)
      assert.equal(endpoint.keys[kind], refusal ?? 'allowed')
      check(await send({ endpoint, row }, kind, key), refusal ?? served(row, kind), `${name} ${kind}`)
    }
  }
})

test('the owner of a workspace token must still be a workspace admin', async () => {
  const key = await tenant.keyOf('workspace', { demotedOwner: true })
  for (const { name, row, endpoint } of named) {
    const code = refusalOf(row, 'workspace') ?? 'OWNER_NOT_ADMIN'
    check(await send({ endpoint, row }, 'workspace', key), code, name)
  }
})

test('a lower plan is 403 and a subscription that has ended is 402', async () => {
  const superuser = database.superuser()
  for (const [code, state] of [
    ['ENTERPRISE_REQUIRED', `plan = 'pro'`],
    ['NO_ACTIVE_SUBSCRIPTION', 'active = false'],
  ] as const) {
    const of = await makeTenant(database)
    const keys = await Promise.all(keyKinds.map(async (kind) => [kind, await of.keyOf(kind)] as const))
    const roots = [of.workspace.root, of.instance.root]
    await superuser.query(`update subscription set ${state} where root_id = any ($1)`, [roots])
    for (const [kind, key] of keys) {
      for (const { name, row, endpoint } of named.filter((one) => allowed(one.row).includes(kind)))
        check(await send({ endpoint, row }, kind, key, of), code, `${name} ${kind}`)
    }
    await of.close()
  }
  await superuser.end()
})

test('an Admin’s key needs the permission too', async () => {
  for (const { name, row, endpoint } of named) {
    assert.equal(endpoint.permission, row.permission)
    const others = allPermissions.filter((permission) => permission !== row.permission)
    for (const kind of allowed(row)) {
      const lacking = await tenant.keyOf(kind, { permissions: others })
      check(await send({ endpoint, row }, kind, lacking), 'PERMISSION_DENIED', `${name} ${kind}`)
      const sufficient = await tenant.keyOf(kind, { permissions: [row.permission] })
      check(await send({ endpoint, row }, kind, sufficient), served(row, kind), `${name} ${kind}`)
    }
  }
})

test('who is not an Admin is 403, whatever the permissions', async () => {
  for (const { name, row, endpoint } of named) {
    for (const kind of ['organization', 'user'] as const) {
      for (const role of ['cr_member', 'cr_billing_admin', allPermissions] as const) {
        const key = await tenant.keyOf(kind, { role })
        check(await send({ endpoint, row }, kind, key), 'NOT_ADMIN', `${name} ${kind}`)
      }
    }
  }
})
