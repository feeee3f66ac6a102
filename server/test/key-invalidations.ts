import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { KeyKind } from '../src/access/key-format.ts'
import { revokeKey } from '../src/resources/keys/manage.ts'
import { deactivatePerson, demotePerson, setRole } from '../src/resources/people/manage.ts'
import { createRole } from '../src/resources/roles/manage.ts'
import type { Tenant, TestKey } from './tenant.ts'

/** A way to invalidate a key, and how to undo it for the next trial. */
export interface KeyInvalidation {
  /** The kind of the key and what happens to it. */
  readonly name: string
  /** A path that accepts the key. */
  readonly path: string
  /** The status of requests after the invalidation. */
  readonly status: 401 | 403
  readonly key: string
  readonly invalidate: () => Promise<unknown>
  readonly restore: () => Promise<unknown>
}

const EXPIRES_IN_MS = 20
const keyKinds: readonly KeyKind[] = ['organization', 'user', 'legacy', 'agentic', 'workspace', 'instance']
const withOwner = keyKinds.filter((kind) => kind !== 'instance')
const ofMembers = withOwner.filter((kind) => kind !== 'workspace')

type Invalidate = (
  tenant: Tenant,
  superuser: pg.Pool,
  key: TestKey,
) =>
  | Pick<KeyInvalidation, 'invalidate' | 'restore'>
  | Promise<Pick<KeyInvalidation, 'invalidate' | 'restore'>>

const ways: readonly {
  readonly name: string
  readonly kinds: readonly KeyKind[]
  readonly status: 401 | 403
  readonly prepare: Invalidate
}[] = [
  { name: 'revoked', kinds: keyKinds, status: 401, prepare: prepareRevocation },
  { name: 'expired', kinds: keyKinds, status: 401, prepare: prepareExpiry },
  { name: 'owner deactivated', kinds: withOwner, status: 401, prepare: prepareDeactivation },
  { name: 'owner demoted', kinds: ['workspace'], status: 403, prepare: prepareDemotion },
  { name: 'SSO disabled', kinds: ['workspace'], status: 403, prepare: prepareLossOfSso },
  { name: 'role changed', kinds: ofMembers, status: 403, prepare: prepareRoleChange },
]

/** Every kind of key in every way that it can become invalid. Run one at a time: some affect other keys of the tenant. */
export function createKeyInvalidations(tenant: Tenant, superuser: pg.Pool): Promise<KeyInvalidation[]> {
  return Promise.all(
    ways.flatMap(({ name, kinds, status, prepare }) =>
      kinds.map(async (kind) => {
        const role = kind === 'instance' ? {} : ({ role: 'cr_member' } as const)
        const key = await tenant.createKey(kind, role)
        const prepared = await prepare(tenant, superuser, key)
        return { name: `${kind} key, ${name}`, path: pathFor(kind), status, key: key.value, ...prepared }
      }),
    ),
  )
}

/** Legacy keys read metrics and Learnings only. */
function pathFor(kind: KeyKind): string {
  return kind === 'legacy'
    ? '/v1/metrics/review-comments?start_date=2026-01-01&end_date=2026-01-31'
    : '/v1/organizations'
}

function prepareRevocation(tenant: Tenant, superuser: pg.Pool, key: TestKey) {
  return {
    invalidate: () => tenant.change(key.root, (change) => revokeKey(change, key.id)),
    restore: () => superuser.query('update api_key set revoked_at = null where id = $1', [key.id]),
  }
}

async function prepareExpiry(_tenant: Tenant, superuser: pg.Pool, key: TestKey) {
  const expireSoon = `update api_key set expires_at = clock_timestamp() + $2 * interval '1 ms' where id = $1`
  const { rows } = await superuser.query<{ expires_at: Date | null }>(
    'select expires_at from api_key where id = $1',
    [key.id],
  )
  return {
    async invalidate() {
      await superuser.query(expireSoon, [key.id, EXPIRES_IN_MS])
      await sleep(EXPIRES_IN_MS + 1)
    },
    restore: () =>
      superuser.query('update api_key set expires_at = $2 where id = $1', [
        key.id,
        rows[0]?.expires_at ?? null,
      ]),
  }
}

function prepareDeactivation(tenant: Tenant, superuser: pg.Pool, key: TestKey) {
  return {
    invalidate: () => tenant.change(key.root, (change) => deactivatePerson(change, requireOwner(key))),
    restore: () => superuser.query('update person set active = true where id = $1', [key.owner]),
  }
}

function prepareDemotion(tenant: Tenant, superuser: pg.Pool, key: TestKey) {
  return {
    invalidate: () => tenant.change(key.root, (change) => demotePerson(change, requireOwner(key))),
    restore: () => superuser.query('update person set workspace_admin = true where id = $1', [key.owner]),
  }
}

function prepareLossOfSso(_tenant: Tenant, superuser: pg.Pool, key: TestKey) {
  const setSso = (sso: boolean) => superuser.query('update root set sso = $2 where id = $1', [key.root, sso])
  return { invalidate: () => setSso(false), restore: () => setSso(true) }
}

async function prepareRoleChange(tenant: Tenant, superuser: pg.Pool, key: TestKey) {
  const [{ id: organization }] = tenant.workspace.organizations
  const custom = await tenant.change(key.root, (change) =>
    createRole(change, organization, { name: randomUUID(), permissions: [] }),
  )
  const powerless = { person: requireOwner(key), organization, role: { custom } }
  const restoreRole = `update membership set system_role = 'cr_member', custom_role_id = null where person_id = $1`
  return {
    invalidate: () => tenant.change(key.root, (change) => setRole(change, powerless)),
    restore: () => superuser.query(restoreRole, [key.owner]),
  }
}

function requireOwner(key: TestKey) {
  if (key.owner === null) throw new Error('This key has no owner.')
  return key.owner
}
