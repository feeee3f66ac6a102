import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { revokeKey } from '../src/resources/keys/manage.ts'
import { deactivatePerson, demotePerson, setRole } from '../src/resources/people/manage.ts'
import { createRole } from '../src/resources/roles/manage.ts'
import type { Tenant, TestKey } from './tenant.ts'

/** A way to invalidate a key, and how to undo it for the next trial. */
export interface KeyInvalidation {
  readonly key: string
  readonly invalidate: () => Promise<unknown>
  readonly restore: () => Promise<unknown>
}

const EXPIRES_IN_MS = 20

/** Revocation, deactivation and demotion of the owner, a role without the permission, and expiry. */
export function makeKeyInvalidations(tenant: Tenant, superuser: pg.Pool): Promise<KeyInvalidation[]> {
  const factories = [makeRevocation, makeDeactivation, makeDemotion, makeRoleChange, makeExpiry]
  return Promise.all(factories.map((makeInvalidation) => makeInvalidation(tenant, superuser)))
}

async function makeRevocation(tenant: Tenant, superuser: pg.Pool): Promise<KeyInvalidation> {
  const key = await tenant.createKey('user')
  return {
    key: key.value,
    invalidate: () => tenant.change(key.root, (change) => revokeKey(change, key.id)),
    restore: () => superuser.query('update api_key set revoked_at = null where id = $1', [key.id]),
  }
}

async function makeDeactivation(tenant: Tenant, superuser: pg.Pool): Promise<KeyInvalidation> {
  const key = await tenant.createKey('organization', { role: 'cr_admin' })
  return {
    key: key.value,
    invalidate: () => tenant.change(key.root, (change) => deactivatePerson(change, requireOwner(key))),
    restore: () => superuser.query('update person set active = true where id = $1', [key.owner]),
  }
}

async function makeDemotion(tenant: Tenant, superuser: pg.Pool): Promise<KeyInvalidation> {
  const key = await tenant.createKey('workspace', { role: 'cr_member' })
  return {
    key: key.value,
    invalidate: () => tenant.change(key.root, (change) => demotePerson(change, requireOwner(key))),
    restore: () => superuser.query('update person set workspace_admin = true where id = $1', [key.owner]),
  }
}

async function makeRoleChange(tenant: Tenant, superuser: pg.Pool): Promise<KeyInvalidation> {
  const key = await tenant.createKey('user', { role: 'cr_member' })
  const [{ id: organization }] = tenant.workspace.organizations
  const custom = await tenant.change(key.root, (change) =>
    createRole(change, organization, { name: randomUUID(), permissions: [] }),
  )
  const powerless = { person: requireOwner(key), organization, role: { custom } }
  const restoreRole = `update membership set system_role = 'cr_member', custom_role_id = null where person_id = $1`
  return {
    key: key.value,
    invalidate: () => tenant.change(key.root, (change) => setRole(change, powerless)),
    restore: () => superuser.query(restoreRole, [key.owner]),
  }
}

async function makeExpiry(tenant: Tenant, superuser: pg.Pool): Promise<KeyInvalidation> {
  const key = await tenant.createKey('agentic')
  const expireSoon = `update api_key set expires_at = clock_timestamp() + $2 * interval '1 ms' where id = $1`
  return {
    key: key.value,
    async invalidate() {
      await superuser.query(expireSoon, [key.id, EXPIRES_IN_MS])
      await sleep(EXPIRES_IN_MS + 1)
    },
    restore: () => superuser.query('update api_key set expires_at = null where id = $1', [key.id]),
  }
}

function requireOwner(key: TestKey) {
  if (key.owner === null) throw new Error('This key has no owner.')
  return key.owner
}
