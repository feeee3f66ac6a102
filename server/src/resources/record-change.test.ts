import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openDatabase } from '../../test/fixture.ts'
import { createTenant, type Tenant } from '../../test/tenant.ts'
import type { ChangeContext } from '../access/change-context.ts'
import type { InstanceId, KeyId, ProviderOrganizationId, RootId } from '../ids.ts'
import { createInstance, setSendsMetrics } from './instances/manage.ts'
import { createKey, revokeKey, rotateKey } from './keys/manage.ts'
import {
  activateOrganization,
  addRepository,
  createOrganization,
  deactivateOrganization,
  renameOrganization,
  setOrganizationMetrics,
} from './organizations/manage.ts'
import {
  addPerson,
  deactivatePerson,
  demotePerson,
  grantRepositoryAccess,
  promotePerson,
  reactivatePerson,
  setRole,
} from './people/manage.ts'
import { requestMove } from './placements/move.ts'
import { changeRole, createRole, deleteRole } from './roles/manage.ts'
import { createWorkspace } from './workspaces/manage.ts'

// Every change writes one audit row, and one event if the change is published, in its own transaction.

const subscription = { plan: 'enterprise', seats: 5, active: true } as const
const providerOrganizationId = '4242' as ProviderOrganizationId
const { database, superuser, use } = await openDatabase()
let tenant: Tenant

async function renewTenant(): Promise<void> {
  tenant = use(await createTenant(database))
}
await renewTenant()

interface Trace {
  readonly actions: string[]
  readonly events: string[]
  readonly metadata: string
  readonly transactions: string[]
}

async function traceOf(root: RootId): Promise<Trace> {
  const { rows: audits } = await superuser.query<{ action: string; metadata: unknown; xmin: string }>(
    `select action, metadata, xmin::text from audit_log where root_id = $1 order by position`,
    [root],
  )
  const { rows: events } = await superuser.query<{ type: string; payload: unknown; xmin: string }>(
    `select type, payload, xmin::text from outbox where root_id = $1 order by id`,
    [root],
  )
  return {
    actions: audits.map(({ action }) => action),
    events: events.map(({ type }) => type),
    metadata: JSON.stringify([audits.map((row) => row.metadata), events.map((row) => row.payload)]),
    transactions: [...audits, ...events].map(({ xmin }) => xmin),
  }
}

const NAME = 'Wilhelmina Quist'

interface Case {
  readonly action: string
  readonly event: string | null
  /** Two = one in the log of each organization of the person. */
  readonly auditRows?: 1 | 2
  readonly prepare?: (change: ChangeContext) => Promise<unknown>
  readonly run: (change: ChangeContext) => Promise<unknown>
}

const own = { name: NAME, subscription }
const first = () => tenant.workspace.organizations[0]
const person = () => tenant.workspace.admin
const bound = () => ({ kind: 'user', organization: first().id, owner: person() }) as const
const role = randomUUID()
const keyId = randomUUID() as KeyId
const instanceId = randomUUID() as InstanceId
const key = () => ({ ...bound(), id: keyId, name: NAME })

const foundings: readonly Case[] = [
  {
    action: 'workspace_created',
    event: 'workspace.created',
    run: (change) => createWorkspace(change, { ...own, sso: true }),
  },
  {
    action: 'instance_created',
    event: 'instance.created',
    run: (change) =>
      createInstance(change, { ...own, provider: 'gitlab', host: 'git.example.com', sendsMetrics: true }),
  },
  {
    action: 'organization_created',
    event: 'organization.created',
    run: (change) => createOrganization(change, { ...own, providerOrganizationId }),
  },
]

const cases: readonly Case[] = [
  {
    action: 'organization_created',
    event: 'organization.created',
    run: (change) => createOrganization(change, { name: NAME, providerOrganizationId, subscription: null }),
  },
  {
    action: 'organization_renamed',
    event: 'organization.changed',
    run: (change) => renameOrganization(change, first().id, NAME),
  },
  {
    action: 'organization_deactivated',
    event: 'organization.changed',
    run: (change) => deactivateOrganization(change, first().id),
  },
  {
    action: 'organization_activated',
    event: 'organization.changed',
    prepare: (change) => deactivateOrganization(change, first().id),
    run: (change) => activateOrganization(change, first().id),
  },
  {
    action: 'organization_metrics_disabled',
    event: 'organization.changed',
    run: (change) => setOrganizationMetrics(change, first().id, false),
  },
  {
    action: 'instance_metrics_disabled',
    event: 'instance.changed',
    prepare: (change) =>
      createInstance(change, {
        id: instanceId,
        name: NAME,
        provider: 'gitlab',
        host: 'git.example.com',
        sendsMetrics: true,
        subscription: null,
      }),
    run: (change) => setSendsMetrics(change, instanceId, false),
  },
  {
    action: 'metrics_move_requested',
    event: 'metrics.move_requested',
    run: (change) => requestMove(change, 'isolated'),
  },
  {
    action: 'repository_added',
    event: null,
    run: (change) => addRepository(change, first().id, { providerRepositoryId: '77', name: NAME }),
  },
  {
    action: 'person_added',
    event: null,
    run: (change) =>
      addPerson(change, { email: 'W.Q@example.com', name: NAME, accounts: [], memberships: [] }),
  },
  {
    action: 'person_deactivated',
    event: null,
    auditRows: 2,
    run: (change) => deactivatePerson(change, person()),
  },
  {
    action: 'person_reactivated',
    event: null,
    auditRows: 2,
    prepare: (change) => deactivatePerson(change, person()),
    run: (change) => reactivatePerson(change, person()),
  },
  { action: 'person_demoted', event: null, run: (change) => demotePerson(change, person()) },
  {
    action: 'person_promoted',
    event: null,
    prepare: (change) => demotePerson(change, person()),
    run: (change) => promotePerson(change, person()),
  },
  {
    action: 'person_role_changed',
    event: null,
    run: (change) =>
      setRole(change, { person: person(), organization: first().id, role: { system: 'cr_member' } }),
  },
  {
    action: 'person_repository_access_granted',
    event: null,
    run: (change) => {
      const repositories = first().repositories.map(({ id }) => id)
      return grantRepositoryAccess(change, { person: person(), organization: first().id, repositories })
    },
  },
  {
    action: 'role_created',
    event: 'role.created',
    run: (change) => createRole(change, first().id, { id: role, name: NAME }),
  },
  {
    action: 'role_changed',
    event: 'role.changed',
    prepare: (change) => createRole(change, first().id, { id: role, name: 'Auditor' }),
    run: (change) => changeRole(change, first().id, role, { name: NAME }),
  },
  {
    action: 'role_deleted',
    event: 'role.deleted',
    prepare: (change) => createRole(change, first().id, { id: role, name: NAME }),
    run: (change) => deleteRole(change, first().id, role),
  },
  {
    action: 'api_key_created',
    event: 'key.created',
    run: (change) => createKey(change, key()),
  },
  {
    action: 'api_key_rotated',
    event: 'key.rotated',
    prepare: (change) => createKey(change, key()),
    run: (change) => rotateKey(change, keyId, { overlapDays: 0, ring: null }),
  },
  {
    action: 'api_key_revoked',
    event: 'key.revoked',
    prepare: (change) => createKey(change, key()),
    run: (change) => revokeKey(change, keyId),
  },
]

/** Makes the change once to take it back, and once for good. */
async function check(root: RootId, { action, event, auditRows = 1, prepare, run }: Case): Promise<void> {
  if (prepare) await tenant.change(root, prepare)
  const start = await traceOf(root)
  const takenBack = tenant.change(root, async (change) => {
    await run(change)
    throw new Error('taken back')
  })
  await assert.rejects(takenBack, /taken back/)
  assert.deepEqual(await traceOf(root), start, `${action}: taken back, it leaves nothing`)
  await tenant.change(root, run)
  const end = await traceOf(root)
  assert.deepEqual(
    end.actions.slice(start.actions.length),
    Array.from({ length: auditRows }, () => action),
  )
  assert.deepEqual(end.events.slice(start.events.length), event === null ? [] : [event])
  const fresh = end.transactions.filter((id) => !start.transactions.includes(id))
  assert.equal(new Set(fresh).size, 1, `${action}: audit row and event are of one transaction`)
  assert.ok(!end.metadata.includes(NAME), `${action}: no name outside of what can be erased`)
  assert.ok(!/@example\.com/.test(end.metadata), `${action}: no e-mail outside of what can be erased`)
  assert.ok(!/sch_[a-z]{3}_\w{8}/.test(end.metadata), `${action}: no key value anywhere`)
}

test('founding a tenant root leaves one audit row and one event, in one transaction', async () => {
  for (const founding of foundings) await check(randomUUID() as RootId, founding)
})

for (const one of cases) {
  const rows = one.auditRows === 2 ? 'an audit row in each organization' : 'one audit row'
  test(`${one.action} leaves ${rows} and ${one.event ?? 'no event'}, in one transaction`, async () => {
    await renewTenant()
    await check(tenant.workspace.root, one)
  })
}

test('a change that changes nothing leaves nothing', async () => {
  await renewTenant()
  const { root, admin } = tenant.workspace
  const start = await traceOf(root)
  await tenant.change(root, async (change) => {
    assert.equal(await activateOrganization(change, first().id), false)
    assert.equal(await setOrganizationMetrics(change, first().id, true), false)
    assert.equal(await reactivatePerson(change, admin), false)
    assert.equal(await promotePerson(change, admin), false)
  })
  assert.deepEqual(await traceOf(root), start)
})

test('the operator is the actor, and the clear values lie in the erasable table', async () => {
  const { root, admin } = tenant.workspace
  await tenant.change(root, (change) => demotePerson(change, admin))
  const { rows } = await superuser.query<{ actor_kind: string; person_id: string; clear: string }>(
    `select l.actor_kind, c.person_id, c.clear::text from audit_log l join audit_clear c using (root_id, position)
     where root_id = $1 order by position desc limit 1`,
    [root],
  )
  assert.equal(rows[0]?.actor_kind, 'operator')
  assert.equal(rows[0]?.person_id, admin)
  assert.match(rows[0]?.clear ?? '', /@example\.com/)
})
