import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import type { TestRoot } from '../../../test/tenant.ts'
import { allPermissions } from '../../access/permissions.ts'
import { runChange } from '../../admin/operator.ts'
import { type ErrorCode, Refusal } from '../../errors.ts'
import type { InstanceId, OrganizationId, PersonId, RootId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import { deactivateOrganization } from '../organizations/manage.ts'
import { addPerson, deactivatePerson } from '../people/manage.ts'
import { createWorkspace } from '../workspaces/manage.ts'
import { createKey } from './manage.ts'
import type { KeyRequest } from './request.ts'
import { readKeys } from './sql.ts'

const at = new Date('2026-05-01T12:00:00.000Z')
const later = (days: number, ms = 0) => new Date(at.getTime() + days * DAY_MS + ms)

const { tenant } = await openTenant()

/** At a fixed time, so that limits are tested to the millisecond. */
function create(root: RootId, request: KeyRequest) {
  return runChange({ ...tenant.operator, now: () => at }, root, (change) => createKey(change, request))
}

async function assertRefused(
  root: RootId,
  request: KeyRequest,
  code: ErrorCode,
  says: RegExp,
): Promise<void> {
  await assert.rejects(create(root, request), (error) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, says)
    return true
  })
}

function stored(root: RootId) {
  const page = { after: null, limit: 1000, kind: null, organization: null, owner: null }
  return tenant.change(root, ({ scope, tx }) => readKeys(scope, tx, page))
}

const token = (fields: Partial<KeyRequest & { kind: 'workspace' }> = {}): KeyRequest => {
  return { kind: 'workspace', owner: tenant.workspace.admin, name: 'CI', expiresAt: later(30), ...fields }
}
const userKey = (of: TestRoot = tenant.workspace): KeyRequest & { kind: 'user' } => {
  return { kind: 'user', organization: of.organizations[0].id, owner: of.admin }
}

test('a workspace token lives 1 to 366 days, to the millisecond [P2-format-7]', async () => {
  const { root } = tenant.workspace
  await create(root, token({ expiresAt: later(1) }))
  await create(root, token({ expiresAt: later(366) }))
  const expiries = [null, later(1, -1), later(366, 1), later(0), later(-1)]
  for (const expiresAt of expiries)
    await assertRefused(root, token({ expiresAt }), 'INVALID_REQUEST', /expir/)
})

test('a workspace token requires a name [P2-format-7]', async () => {
  const { name: _name, ...nameless } = token()
  await assertRefused(tenant.workspace.root, nameless, 'INVALID_REQUEST', /name/)
  await assertRefused(tenant.workspace.root, token({ name: '  ' }), 'INVALID_REQUEST', /name/)
})

test('a workspace token exists only in an Enterprise workspace with SSO [S-auth-6 P2-format-7]', async () => {
  const { instance, alone, lower } = tenant
  for (const { root, admin } of [instance, alone, lower]) {
    await assertRefused(root, token({ owner: admin }), 'INVALID_REQUEST', /Enterprise workspaces with SSO/)
  }
  for (const { sso, plan } of [
    { sso: false, plan: 'enterprise' },
    { sso: true, plan: 'pro' },
  ] as const) {
    const root = randomUUID() as RootId
    const owner = await tenant.change(root, async (change) => {
      await createWorkspace(change, { name: 'Small', sso, subscription: { plan, seats: 1, active: true } })
      const person = {
        email: 'a@example.com',
        name: 'A',
        workspaceAdmin: true,
        accounts: [],
        memberships: [],
      }
      return addPerson(change, person)
    })
    await assertRefused(root, token({ owner }), 'INVALID_REQUEST', /Enterprise workspaces with SSO/)
  }
})

test('the owner of a workspace token must be a workspace admin', async () => {
  const { owner } = await tenant.createKey('user', { role: 'cr_admin' })
  assert.ok(owner)
  await assertRefused(tenant.workspace.root, token({ owner }), 'OWNER_NOT_ADMIN', /workspace admin/)
})

test('the owner of a key must exist, be active and belong to its organization', async () => {
  const { workspace } = tenant
  const [, second] = workspace.organizations
  assert.ok(second)
  const nobody = { ...userKey(), owner: randomUUID() as PersonId }
  await assertRefused(workspace.root, nobody, 'NOT_FOUND', /no person/)
  const { owner } = await tenant.createKey('user', { role: 'cr_member' })
  assert.ok(owner)
  await create(workspace.root, { ...userKey(), owner })
  await tenant.change(workspace.root, (change) => deactivatePerson(change, owner))
  await assertRefused(workspace.root, { ...userKey(), owner }, 'INVALID_REQUEST', /inactive/)
  const email = 'stranger@example.com'
  const stranger = await tenant.change(workspace.root, (change) =>
    addPerson(change, { email, name: 'Stranger', accounts: [], memberships: [] }),
  )
  await assertRefused(workspace.root, { ...userKey(), owner: stranger }, 'INVALID_REQUEST', /not a member/)
})

test('the organization of a key must exist in its root and be active', async () => {
  const { workspace, alone } = tenant
  const foreign = { ...userKey(), organization: alone.organizations[0].id }
  await assertRefused(workspace.root, foreign, 'ORGANIZATION_NOT_FOUND', /no organization/)
  const [, second] = workspace.organizations
  assert.ok(second)
  await tenant.change(workspace.root, (change) => deactivateOrganization(change, second.id))
  await assertRefused(
    workspace.root,
    { ...userKey(), organization: second.id },
    'INVALID_REQUEST',
    /inactive/,
  )
})

test('an instance key is limited to organizations of its instance and includes its home', async () => {
  const { root, instance, organizations } = tenant.instance
  const [first, second] = organizations
  assert.ok(second)
  const request = { kind: 'instance', instance, home: first.id, organizations: null } as const
  await create(root, request)
  await create(root, { ...request, organizations: [first.id, second.id] })
  const elsewhere = { ...request, instance: randomUUID() as InstanceId }
  await assertRefused(root, elsewhere, 'ORGANIZATION_OUT_OF_SCOPE', /does not belong/)
  await assertRefused(root, { ...request, organizations: [second.id] }, 'INVALID_REQUEST', /home/)
  const unknown = [first.id, randomUUID() as OrganizationId]
  await assertRefused(
    root,
    { ...request, organizations: unknown },
    'ORGANIZATION_NOT_FOUND',
    /no organization/,
  )
})

test('an ingest credential lives at most 366 days and names organizations of its root [P2-ingest-2]', async () => {
  const { workspace, alone, ring } = tenant
  const request = { kind: 'ingest', organizations: null, ring } as const
  await create(workspace.root, { ...request, expiresAt: later(366) })
  await assertRefused(workspace.root, request, 'INVALID_REQUEST', /366/)
  await assertRefused(workspace.root, { ...request, expiresAt: later(366, 1) }, 'INVALID_REQUEST', /366/)
  const foreign = { ...request, organizations: [alone.organizations[0].id], expiresAt: later(1) }
  await assertRefused(workspace.root, foreign, 'ORGANIZATION_NOT_FOUND', /no organization/)
  const many = Array.from({ length: 101 }, () => randomUUID() as OrganizationId)
  const wide = { ...request, organizations: many, expiresAt: later(1) }
  await assertRefused(workspace.root, wide, 'INVALID_REQUEST', /at most 100/)
})

test('other kinds never expire, or expire at any time in the future', async () => {
  for (const kind of ['organization', 'user', 'legacy', 'agentic'] as const) {
    await create(tenant.alone.root, { ...userKey(tenant.alone), kind })
    await create(tenant.alone.root, { ...userKey(tenant.alone), kind, expiresAt: later(5000) })
    await assertRefused(
      tenant.alone.root,
      { ...userKey(tenant.alone), kind, expiresAt: at },
      'INVALID_REQUEST',
      /past/,
    )
  }
})

test('a key is stored as its hash with prefix, last four characters and all permissions listed', async () => {
  const { root } = tenant.lower
  const all = await create(root, userKey(tenant.lower))
  const few = await create(root, {
    ...userKey(tenant.lower),
    permissions: ['metrics:read'],
    name: ' Reports ',
  })
  const rows = new Map((await stored(root)).map((row) => [row.id, row]))
  const row = rows.get(all.id)
  assert.deepEqual([...(row?.permissions ?? [])].sort(), [...allPermissions].sort())
  assert.equal(row?.prefix, 'sch_usr_')
  assert.equal(row.last_four, all.value.slice(-4))
  assert.equal(row.created_at, at.toISOString())
  assert.deepEqual(rows.get(few.id)?.permissions, ['metrics:read'])
  assert.equal(rows.get(few.id)?.name, 'Reports')
  const { rows: texts } = await tenant.pool.query<{ text: string }>(
    `select set_config('app.root', $1, false), (select string_agg(k::text, ' ') from api_key k) as text`,
    [root],
  )
  assert.ok(!JSON.stringify(texts).includes(all.value))
})
