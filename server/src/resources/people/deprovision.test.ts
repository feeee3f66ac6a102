import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import { plantSession } from '../../../test/planted/sessions.ts'
import { waitForLocks } from '../../../test/wait.ts'
import { exportAudit } from '../../access/audit/export.ts'
import { verifyExport } from '../../access/audit/verify.ts'
import type { Actor } from '../../access/audit.ts'
import { rootScope } from '../../access/scope.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { KeyId, OrganizationId, PersonId } from '../../ids.ts'
import { createKey } from '../keys/manage.ts'
import { type DeprovisionOptions, deprovisionPerson } from './deprovision.ts'
import { addPerson, grantRepositoryAccess, reactivatePerson } from './manage.ts'

let person: PersonId
let keys: Record<'first' | 'second' | 'workspace' | 'expired', { id: KeyId; value: string }>

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database))
const { root } = tenant.workspace
const [one, two] = tenant.workspace.organizations
assert.ok(two)
const [first, second] = [one, two]

/** A person with one thing of every kind. */
beforeEach(async () => {
  const accountId = String(Math.trunc(Math.random() * 1e9))
  keys = await tenant.change(root, async (change) => {
    person = await addPerson(change, {
      email: `${accountId}@example.com`,
      name: 'Noor Haddad',
      workspaceAdmin: true,
      accounts: [{ provider: 'github', host: 'github.com', accountId, username: `noor-${accountId}` }],
      memberships: [
        { organization: first.id, role: { system: 'cr_admin' } },
        { organization: second.id, role: { system: 'cr_member' } },
      ],
    })
    const repositories = first.repositories.map(({ id }) => id)
    await grantRepositoryAccess(change, { person, organization: first.id, repositories })
    const expiresAt = new Date(change.at.getTime() + 30 * 86_400_000)
    const bound = (organization: OrganizationId) =>
      createKey(change, { kind: 'user', organization, owner: person, name: 'laptop' })
    return {
      first: await bound(first.id),
      second: await bound(second.id),
      workspace: await createKey(change, { kind: 'workspace', owner: person, name: 'job', expiresAt }),
      expired: await bound(first.id),
    }
  })
  await superuser.query(`update api_key set expires_at = now() - interval '1 day' where id = $1`, [
    keys.expired.id,
  ])
  await superuser.query(`insert into seat (root_id, person_id) values ($1, $2)`, [root, person])
  await superuser.query(
    `insert into seat_request (root_id, person_id, organization_id, requested_at) values ($1, $2, $3, now())`,
    [root, person, first.id],
  )
  await plantSession(superuser, root, person)
})

/** As a request does it: with the role of the API. */
function deprovision(options: DeprovisionOptions) {
  const scope = { ...rootScope(root), organizations: options.organization && [options.organization] }
  const actor: Actor = { kind: 'operator', id: null }
  return inTransaction(service.apiPool, scope, (tx) =>
    deprovisionPerson({ tx, scope, actor, at: new Date() }, person, options),
  )
}

async function readState() {
  const { rows } = await superuser.query<Record<string, unknown>>(
    `select p.active, p.workspace_admin,
       (select count(*)::int from session where person_id = p.id and ended_at is null) as sessions,
       (select count(*)::int from seat where person_id = p.id) as seats,
       (select count(*)::int from seat_request where person_id = p.id and requested_at is not null) as requests,
       (select count(*)::int from membership where person_id = p.id) as memberships,
       (select count(*)::int from repository_access where person_id = p.id) as repositories
     from person p where p.id = $1`,
    [person],
  )
  return rows[0]
}

async function readStatuses() {
  const call = async (key: { value: string }) =>
    (await service.call('/v1/keys/self', { key: key.value })).status
  return {
    first: await call(keys.first),
    second: await call(keys.second),
    workspace: await call(keys.workspace),
  }
}

async function readEvents() {
  const { rows } = await superuser.query<{ type: string }>(
    `select type from outbox where root_id = $1 and payload::text like '%' || $2::text || '%' order by type`,
    [root, person],
  )
  return rows.map(({ type }) => type)
}

const nobody = { active: false, workspace_admin: false, sessions: 0, seats: 0, requests: 0 }

test('offboarding from the whole root takes everything, and the chain contains a row for each item', async () => {
  const done = await deprovision({ organization: null, roles: 'remove' })
  assert.deepEqual(await readState(), { ...nobody, memberships: 0, repositories: 0 })
  assert.deepEqual(await readStatuses(), { first: 401, second: 401, workspace: 401 })
  assert.deepEqual(
    done.keys.map(({ id }) => id).toSorted(),
    [keys.first.id, keys.second.id, keys.workspace.id].toSorted(),
  )
  const { sessions, seats, requests, repositories, deactivated, demoted } = done
  assert.deepEqual(
    { sessions: sessions.length, seats, requests, repositories, deactivated, demoted },
    { sessions: 1, seats: 1, requests: 1, repositories: 2, deactivated: true, demoted: true },
  )
  assert.deepEqual(
    done.audit.map(({ action }) => action),
    [
      'session_ended',
      ...Array<string>(3).fill('api_key_revoked'),
      'seat_unassigned',
      'seat_declined',
      'person_demoted',
      'person_left',
      'person_left',
      'person_deactivated',
      'person_deactivated',
    ],
  )
  const { rows } = await superuser.query<{ id: string; position: number; hash: string }>(
    `select id, position::int, encode(hash, 'hex') as hash from audit_log where root_id = $1 and id = any ($2::uuid[])
     order by position`,
    [root, done.audit.map(({ id }) => id)],
  )
  assert.deepEqual(
    rows,
    done.audit.map(({ id, position, hash }) => ({ id, position, hash })),
  )
  await verifyExport(exportAudit(tenant.pool, rootScope(root), true), () => Promise.resolve(null))
  assert.deepEqual(await readEvents(), ['person.deprovisioned', 'seat.declined', 'seat.unassigned'])
})

test('a second time there is nothing to take, and nothing is recorded', async () => {
  await deprovision({ organization: null, roles: 'remove' })
  const again = await deprovision({ organization: null, roles: 'remove' })
  assert.deepEqual([again.audit, again.keys, again.deactivated], [[], [], false])
})

test('kept roles come back with a reactivation; keys, sessions and the seat do not', async () => {
  await deprovision({ organization: null, roles: 'keep' })
  assert.deepEqual(await readState(), { ...nobody, workspace_admin: true, memberships: 2, repositories: 2 })
  await tenant.change(root, (change) => reactivatePerson(change, person))
  assert.deepEqual(await readState(), {
    ...nobody,
    active: true,
    workspace_admin: true,
    memberships: 2,
    repositories: 2,
  })
  assert.deepEqual(await readStatuses(), { first: 401, second: 401, workspace: 401 })
})

test('limited to one organization, only its membership and its keys end', async () => {
  const done = await deprovision({ organization: first.id, roles: 'remove' })
  assert.deepEqual(await readState(), {
    active: true,
    workspace_admin: true,
    sessions: 1,
    seats: 1,
    requests: 1,
    memberships: 1,
    repositories: 0,
  })
  assert.deepEqual(await readStatuses(), { first: 401, second: 200, workspace: 200 })
  assert.deepEqual(
    done.audit.map(({ action }) => action),
    ['api_key_revoked', 'person_left'],
  )
})

test('the creation of a key waits for an offboarding and is refused afterwards', async () => {
  const scope = rootScope(root)
  const actor: Actor = { kind: 'operator', id: null }
  let created: Promise<unknown> = Promise.resolve()
  await inTransaction(service.apiPool, scope, async (tx) => {
    await deprovisionPerson({ tx, scope, actor, at: new Date() }, person, {
      organization: null,
      roles: 'keep',
    })
    created = tenant.change(root, (change) =>
      createKey(change, { kind: 'user', organization: first.id, owner: person, name: 'late' }),
    )
    created.catch(() => {})
    await waitForLocks(superuser)
  })
  await assert.rejects(created, /is inactive/)
})
