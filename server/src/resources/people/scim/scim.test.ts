import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { plantSession } from '../../../../test/planted/sessions.ts'
import { createScimCaller, makeScimCredential } from '../../../../test/scim.ts'
import { rootScope } from '../../../access/scope.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { PersonId, RootId } from '../../../ids.ts'
import { createLog, type Log } from '../../../observe/log.ts'
import { scimEndpoints } from '../../../routes.ts'
import { createKey } from '../../keys/manage.ts'
import { createRole } from '../../roles/manage.ts'
import { addPerson, deactivatePerson, promotePerson, reactivatePerson } from '../manage.ts'
import { findIdentity, linkIdentity } from '../sign-in/sql.ts'
import { revokeScimCredential } from './credentials.ts'
import { linkUser } from './link-user.ts'
import { mapGroup, unmapGroup } from './map-group.ts'
import { findPersonByExternalId } from './sql.ts'

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database))
const { root } = tenant.workspace
const organization = tenant.workspace.organizations[0].id
const credential = await makeScimCredential(tenant, tenant.workspace)
const call = createScimCaller(service, credential.value)
const callOther = createScimCaller(service, (await makeScimCredential(tenant, tenant.alone)).value)

const createName = () => `${randomUUID().slice(0, 8)}@example.com`
const patch = (...operations: unknown[]) => ({ Operations: operations })
const replace = (value: unknown) => patch({ op: 'replace', value })

async function createUser(more: Record<string, unknown> = {}): Promise<string> {
  const userName = createName()
  const { status, body } = await call('POST', '/Users', {
    userName,
    emails: [{ value: userName, primary: true }],
    ...more,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

/** A person who was there before the identity provider. */
async function createPerson(role: 'cr_admin' | 'cr_member' = 'cr_member') {
  const email = createName()
  const accountId = String(Math.trunc(Math.random() * 1e9))
  return tenant.change(root, async (change) => {
    const id = await addPerson(change, {
      email,
      name: 'Ines Duarte',
      accounts: [{ provider: 'github', host: 'github.com', accountId, username: accountId }],
      memberships: [{ organization, role: { system: role } }],
    })
    const key = await createKey(change, { kind: 'user', organization, owner: id, name: 'laptop' })
    return { id, email, key: key.value, keyId: key.id }
  })
}

async function linkPerson({ email }: { readonly email: string }): Promise<string> {
  const { status, body } = await call('POST', '/Users', { userName: email, emails: [{ value: email }] })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

async function readRole(person: string): Promise<string | undefined> {
  const { rows } = await superuser.query<{ role: string }>(
    `select coalesce(system_role, custom_role_id::text) as role from membership
     where organization_id = $1 and person_id = $2`,
    [organization, person],
  )
  return rows[0]?.role
}

async function readActions(id: string): Promise<string[]> {
  const { rows } = await superuser.query<{ action: string }>(
    'select action from audit_log where root_id = $1 and resource_id = $2 order by position',
    [root, id],
  )
  return rows.map(({ action }) => action)
}

test('a missing, malformed, foreign, expired or revoked credential is 401 in the shape of SCIM [P13-scim-1]', async () => {
  const [user, expired, revoked] = await Promise.all([
    tenant.createKey('user'),
    makeScimCredential(tenant, tenant.workspace),
    makeScimCredential(tenant, tenant.workspace),
  ])
  await superuser.query(
    `update scim_credential set created_at = now() - interval '2 days', expires_at = now() where id = $1`,
    [expired.id],
  )
  assert.equal((await createScimCaller(service, revoked.value)('GET', '/Users')).status, 200)
  await tenant.change(root, (change) => revokeScimCredential(change, revoked.id))
  for (const value of ['', 'x', user.value, expired.value, revoked.value, `${credential.value}x`]) {
    const { status, headers, body } = await createScimCaller(service, value)('GET', '/Users')
    assert.equal(status, 401, value.slice(0, 8))
    assert.equal(body.status, '401')
    assert.equal(headers['content-type'], 'application/scim+json; charset=utf-8')
    assert.match(headers['www-authenticate'] ?? '', /^Bearer/)
  }
  const asKey = await service.call('/v1/organizations', { key: credential.value })
  assert.equal(asKey.status, 401, 'a SCIM credential is no API key')
})

test('a credential is listed with the time of its last use', async () => {
  await call('GET', '/Users?count=0')
  const { rows } = await superuser.query<{ recent: boolean }>(
    `select last_used_at > now() - interval '5 minutes' as recent from scim_credential where id = $1`,
    [credential.id],
  )
  assert.deepEqual(rows, [{ recent: true }])
})

test('a credential of another root sees and changes nothing of this one [P13-scim-1]', async () => {
  const externalId = randomUUID()
  const user = await createUser({ externalId })
  const { body: group } = await call('POST', '/Groups', {
    displayName: createName(),
    members: [{ value: user }],
  })
  const stranger = (await callOther('POST', '/Users', { userName: createName() })).body.id
  for (const [method, path, body] of [
    ['GET', `/Users/${user}`],
    ['PUT', `/Users/${user}`, { userName: 'x' }],
    ['PATCH', `/Users/${user}`, replace({ active: false })],
    ['DELETE', `/Users/${user}`],
    ['GET', `/Groups/${group.id}`],
    ['PUT', `/Groups/${group.id}`, { displayName: 'x' }],
    ['PATCH', `/Groups/${group.id}`, patch({ op: 'add', path: 'members', value: [{ value: stranger }] })],
    ['DELETE', `/Groups/${group.id}`],
  ] as const) {
    const foreign = await callOther(method, path, body)
    const unknown = await callOther(method, path.replace(/[0-9a-f-]{36}$/, randomUUID()), body)
    assert.equal(foreign.status, 404, `${method} ${path}`)
    assert.deepEqual(foreign.body, unknown.body)
  }
  for (const filter of [`id eq "${user}"`, `externalId eq "${externalId}"`]) {
    const { body } = await callOther('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    assert.equal(body.totalResults, 0, filter)
  }
  const list = await callOther('GET', '/Users')
  assert.ok(!list.body.Resources.some(({ id }) => id === user))
  const own = await callOther('POST', '/Groups', { displayName: createName() })
  const joined = await callOther(
    'PATCH',
    `/Groups/${own.body.id}`,
    patch({ op: 'add', path: 'members', value: [{ value: user }] }),
  )
  assert.deepEqual([joined.status, joined.body.scimType], [400, 'invalidValue'])
  const taken = await callOther('POST', '/Users', { userName: createName(), externalId })
  assert.equal(taken.status, 201, 'ids of one root say nothing about another')
  assert.equal((await call('GET', `/Users/${user}`)).body.active, true)
})

test('a user whose address belongs to a person of the root is that person', async () => {
  const person = await createPerson()
  const id = await linkPerson(person)
  assert.equal(id, person.id)
  const again = await call('POST', '/Users', { userName: createName(), emails: [{ value: person.email }] })
  assert.deepEqual([again.status, again.body.status, again.body.scimType], [409, '409', 'uniqueness'])
  assert.ok((await readActions(id)).includes('person_scim_linked'))
})

test('a user without an address is a person of its own', async () => {
  const { status, body } = await call('POST', '/Users', { userName: createName(), displayName: 'Ada' })
  assert.equal(status, 201)
  const { rows } = await superuser.query('select name, email, active from person where id = $1', [body.id])
  assert.deepEqual(rows, [{ name: 'Ada', email: null, active: true }])
})

test('active: false ends access on the next request, and active: true restores none of it [P13-scim-6]', async () => {
  for (const deactivate of [
    (id: string) => call('PATCH', `/Users/${id}`, replace({ active: false })),
    (id: string) => call('PUT', `/Users/${id}`, { userName: createName(), active: 'False' }),
    (id: string) => call('DELETE', `/Users/${id}`),
  ]) {
    const person = await createPerson()
    const id = await linkPerson(person)
    await superuser.query('insert into seat (root_id, person_id) values ($1, $2)', [root, id])
    await startSession(id)
    assert.equal((await service.call('/v1/organizations', { key: person.key })).status, 200)
    assert.ok((await deactivate(id)).status < 300)
    assert.equal((await service.call('/v1/organizations', { key: person.key })).status, 401)
    const read = async () => {
      const { rows } = await superuser.query(
        `select p.active, (select count(*)::int from seat s where s.person_id = p.id) as seats,
           (select count(*)::int from session s where s.person_id = p.id and ended_at is null) as sessions,
           (select count(*)::int from api_key k where k.owner_id = p.id and revoked_at is null) as keys
         from person p where p.id = $1`,
        [id],
      )
      return rows[0] as object
    }
    assert.deepEqual(await read(), { active: false, seats: 0, sessions: 0, keys: 0 })
    const again = await call('PATCH', `/Users/${id}`, replace({ active: true }))
    if (again.status === 404) await linkPerson(person)
    assert.deepEqual(await read(), { active: true, seats: 0, sessions: 0, keys: 0 })
    assert.equal((await service.call('/v1/organizations', { key: person.key })).status, 401)
    // A user that is created again may be somebody else with the same address.
    const isDeleted = again.status === 404
    assert.equal(await readRole(id), isDeleted ? undefined : 'cr_member')
    const { rows } = await superuser.query(
      `select count(*)::int as events from outbox where type = 'person.deprovisioned' and payload::jsonb ->> 'person_id' = $1`,
      [id],
    )
    assert.deepEqual(rows, [{ events: isDeleted ? 2 : 1 }])
  }
})

test('somebody who gets the address of a former colleague gets none of their roles [P13-scim-6]', async () => {
  const isWorkspaceAdmin = async (id: string) => {
    const { rows } = await superuser.query<{ workspace_admin: boolean }>(
      'select workspace_admin from person where id = $1',
      [id],
    )
    return rows[0]?.workspace_admin
  }
  for (const reuse of [
    'created again',
    'created again, inactive',
    'another account',
    'another account at the deactivation',
    'another address',
  ] as const) {
    const person = await createPerson('cr_admin')
    const user = { userName: person.email, emails: [{ value: person.email }], active: true }
    const created = await call('POST', '/Users', { ...user, externalId: randomUUID() })
    assert.equal(created.body.id, person.id)
    await tenant.change(root, (change) => promotePerson(change, person.id))
    const scope = rootScope(root)
    const identity = { issuer: 'https://id.example.com', subject: randomUUID(), person: person.id }
    await inTransaction(service.apiPool, scope, (tx) => linkIdentity(scope, tx, identity, new Date()))
    const externalId = randomUUID()
    const atOnce = reuse === 'another account at the deactivation' ? { externalId } : {}
    const left = await call('PATCH', `/Users/${person.id}`, replace({ active: false, ...atOnce }))
    assert.deepEqual([left.status, left.body.active], [200, false], 'a provider may always end access')
    if (reuse === 'another account') {
      await call('PUT', `/Users/${person.id}`, { ...user, externalId })
    } else if (reuse === 'another address') {
      const emails = [{ value: createName() }]
      await call('PATCH', `/Users/${person.id}`, replace({ active: true, emails }))
    } else if (reuse === 'another account at the deactivation') {
      await call('PATCH', `/Users/${person.id}`, replace({ active: true }))
    } else {
      await call('DELETE', `/Users/${person.id}`)
      await call('POST', '/Users', { ...user, externalId, active: reuse === 'created again' })
      await call('PATCH', `/Users/${person.id}`, replace({ active: true }))
    }
    const { body } = await call('GET', `/Users/${person.id}`)
    assert.equal(body.active, true, reuse)
    assert.equal(await readRole(person.id), undefined, reuse)
    assert.equal(await isWorkspaceAdmin(person.id), false, reuse)
    const { issuer, subject } = identity
    const found = inTransaction(service.apiPool, scope, (tx) => findIdentity(scope, tx, issuer, subject))
    assert.equal(await found, null, 'the former account signs nobody in')
    for (const action of ['person_demoted', 'person_identity_unlinked'])
      assert.ok((await readActions(person.id)).includes(action), action)
  }
})

test('the same account of the provider has its roles again [P13-scim-6]', async () => {
  const person = await createPerson('cr_admin')
  const externalId = randomUUID()
  const user = { userName: person.email, externalId, emails: [{ value: person.email }], active: true }
  await call('POST', '/Users', user)
  await call('PATCH', `/Users/${person.id}`, replace({ active: false }))
  await call('PUT', `/Users/${person.id}`, user)
  assert.equal(await readRole(person.id), 'cr_admin')
  // The id of the account is known after DELETE, because the person signed in with it.
  const identity = {
    issuer: 'https://id.example.com',
    subject: `${randomUUID()}:${externalId}`,
    person: person.id,
  }
  const scope = rootScope(root)
  await inTransaction(service.apiPool, scope, (tx) => linkIdentity(scope, tx, identity, new Date()))
  await call('DELETE', `/Users/${person.id}`)
  await call('POST', '/Users', user)
  assert.equal((await call('GET', `/Users/${person.id}`)).body.active, true)
  assert.equal(await readRole(person.id), 'cr_admin')
})

test('active: true restores no key that the deactivation by the operator left [P13-scim-6]', async () => {
  const person = await createPerson()
  const id = await linkPerson(person)
  await tenant.change(root, (change) => deactivatePerson(change, person.id))
  const { body } = await call('PATCH', `/Users/${id}`, replace({ active: true }))
  assert.equal(body.active, true)
  assert.equal((await service.call('/v1/organizations', { key: person.key })).status, 401)
  assert.equal(await readRole(id), 'cr_member')
  assert.ok((await readActions(person.keyId)).includes('api_key_revoked'))
})

test('keys of a person whom the operator deactivated are revoked too [P13-scim-6]', async () => {
  const person = await createPerson()
  const id = (await linkPerson(person)) as PersonId
  await superuser.query('update person set active = false where id = $1', [id])
  await call('PATCH', `/Users/${id}`, replace({ active: false }))
  await tenant.change(root, (change) => reactivatePerson(change, id))
  assert.equal((await service.call('/v1/organizations', { key: person.key })).status, 401)
})

test('the last admin and workspace admins can be deactivated [P13-scim-6]', async () => {
  const alerts: { organizations: string[] }[] = []
  const log: Log = Object.create(createLog('test', 'silent'), {
    warn: { value: (fields: { organizations: string[] }) => alerts.push(fields) },
  }) as Log
  const watched = startService(database, {}, undefined, undefined, undefined, { log })
  const callWatched = createScimCaller(watched, credential.value)
  const account = { userName: createName(), externalId: randomUUID() }
  const body = await tenant.change(root, (change) => linkUser(change, tenant.workspace.admin, account))
  await superuser.query(`update person set active = false where root_id = $1 and id <> $2`, [root, body.id])
  const { status } = await callWatched('PATCH', `/Users/${body.id}`, replace({ active: false }))
  await watched.stop()
  assert.equal(status, 200)
  assert.ok(alerts.some(({ organizations }) => organizations.includes(organization)))
  const { rows } = await superuser.query<{ without_admin: number }>(
    `select (payload::jsonb ->> 'without_admin')::int as without_admin from outbox
     where type = 'person.deprovisioned' and payload::jsonb ->> 'person_id' = $1`,
    [body.id],
  )
  assert.ok((rows[0]?.without_admin ?? 0) > 0)
  await call('PATCH', `/Users/${body.id}`, replace({ active: true }))
})

test('the last workspace admin leaves every organization without an admin [P13-scim-6]', async () => {
  const alerts: { organizations: string[] }[] = []
  const log: Log = Object.create(createLog('test', 'silent'), {
    warn: { value: (fields: { organizations: string[] }) => alerts.push(fields) },
  }) as Log
  const watched = startService(database, {}, undefined, undefined, undefined, { log })
  const id = (await createUser()) as PersonId
  await tenant.change(root, (change) => promotePerson(change, id))
  const { rows: people } = await superuser.query<{ id: string }>(
    'update person set active = false where root_id = $1 and id <> $2 and active returning id',
    [root, id],
  )
  await createScimCaller(watched, credential.value)('PATCH', `/Users/${id}`, replace({ active: false }))
  await watched.stop()
  const all = tenant.workspace.organizations.map((one) => one.id).toSorted()
  assert.deepEqual(
    alerts.find(({ organizations }) => organizations !== undefined)?.organizations.toSorted(),
    all,
  )
  const { rows } = await superuser.query(
    `select (payload::jsonb ->> 'without_admin')::int as without_admin from outbox
     where type = 'person.deprovisioned' and payload::jsonb ->> 'person_id' = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ without_admin: all.length }])
  await superuser.query('update person set active = true where id = any($1)', [people.map((one) => one.id)])
})

test('a name that no index can hold is refused', async () => {
  let text = ''
  for (let code = 0x4e00; text.length < 1000; code += 7) text += String.fromCodePoint(code)
  const { status, body } = await call('POST', '/Users', { userName: text })
  assert.deepEqual([status, body.scimType], [400, 'invalidValue'])
  const id = await createUser()
  const changed = await call('PATCH', `/Users/${id}`, replace({ externalId: text }))
  assert.deepEqual([changed.status, changed.body.scimType], [400, 'invalidValue'])
})

test('a change of name or address is audited, and a taken address is 409', async () => {
  const id = await createUser()
  const other = createName()
  await createUser({ emails: [{ value: other }] })
  const renamed = await call(
    'PATCH',
    `/Users/${id}`,
    patch({ op: 'replace', path: 'displayName', value: 'New Name' }),
  )
  assert.equal(renamed.status, 200)
  assert.ok((await readActions(id)).includes('person_changed'))
  const taken = await call('PATCH', `/Users/${id}`, replace({ emails: [{ value: other.toUpperCase() }] }))
  assert.deepEqual([taken.status, taken.body.scimType], [409, 'uniqueness'])
})

const startSession = async (person: string) => (await plantSession(superuser, root, person as PersonId)).id

async function isOpen(session: string): Promise<boolean> {
  const { rows } = await superuser.query('select from session where id = $1 and ended_at is null', [session])
  return rows.length === 1
}

async function signInWith(person: PersonId, subject: string): Promise<() => Promise<string | undefined>> {
  const scope = rootScope(root)
  const identity = { issuer: 'https://id.example.com', subject, person }
  await inTransaction(service.apiPool, scope, (tx) => linkIdentity(scope, tx, identity, new Date()))
  return async () => {
    const { rows } = await superuser.query<{ person_id: string }>(
      'select person_id from identity where root_id = $1 and subject = $2',
      [root, subject],
    )
    return rows[0]?.person_id
  }
}

test('a changed external id of an active person is another account: the former one signs nobody in [P13-scim-9]', async () => {
  const person = await createPerson()
  const [former, next] = [randomUUID(), randomUUID()]
  const user = { userName: person.email, externalId: former, emails: [{ value: person.email }] }
  await call('POST', '/Users', user)
  const findFormer = await signInWith(person.id, former)
  const session = await startSession(person.id)
  const path = `/Users/${person.id}`

  const renamed = { ...user, userName: createName(), emails: [{ value: createName() }] }
  assert.equal((await call('PUT', path, renamed)).status, 200)
  assert.ok(await isOpen(session), 'another name and address of the same account is a rename')
  assert.equal(await findFormer(), person.id)

  assert.equal((await call('PATCH', path, replace({ externalId: next }))).status, 200)
  assert.equal(await isOpen(session), false)
  assert.equal(await findFormer(), undefined)
  const actions = await readActions(person.id)
  assert.equal(actions.filter((action) => action === 'person_scim_changed').length, 2)
  assert.ok(actions.includes('person_identity_unlinked'))
  assert.equal((await service.call('/v1/organizations', { key: person.key })).status, 200, 'keys stay')
  assert.equal(await readRole(person.id), 'cr_member')

  // The account has signed in as the person, by an invitation: only the other links end.
  const findKnown = await signInWith(person.id, former)
  await signInWith(person.id, next)
  await call('PATCH', path, replace({ externalId: former }))
  assert.equal(await findKnown(), person.id)
})

test('an active workspace admin is linked and rebound only with an account that signed in as the person [P13-scim-10]', async () => {
  const person = await createPerson()
  await tenant.change(root, (change) => promotePerson(change, person.id))
  const [own, other] = [randomUUID(), randomUUID()]
  const user = { userName: person.email, emails: [{ value: person.email }] }
  await signInWith(person.id, own)
  for (const externalId of [other, undefined]) {
    const { status, body } = await call('POST', '/Users', { ...user, externalId })
    assert.deepEqual([status, body.scimType], [409, 'uniqueness'])
    assert.match(body.detail, /scim-user link/)
  }
  assert.equal((await call('POST', '/Users', { ...user, externalId: own })).status, 201)
  const path = `/Users/${person.id}`
  const session = await startSession(person.id)
  for (const change of [{ externalId: other }, { externalId: '' }, { emails: [{ value: createName() }] }]) {
    const { status, body } = await call('PATCH', path, replace(change))
    assert.deepEqual([status, body.scimType], [400, 'mutability'], JSON.stringify(change))
  }
  assert.equal((await call('PUT', path, { userName: createName() })).status, 400, 'PUT without the address')
  assert.ok(await isOpen(session))
  const refused = await superuser.query(
    `select from audit_log where root_id = $1 and action = 'request_refused' and actor_id = $2
       and resource_id = 'PATCH /scim/v2/Users/{id}'`,
    [root, credential.id],
  )
  assert.ok(refused.rows.length > 0)
  assert.equal((await call('PATCH', path, replace({ displayName: 'A', userName: createName() }))).status, 200)

  await signInWith(person.id, other)
  assert.equal((await call('PATCH', path, replace({ externalId: other }))).status, 200)
  assert.equal((await call('PATCH', path, replace({ active: false }))).body.active, false)
})

test('the person of an external id is found in its own root only', async () => {
  const externalId = randomUUID()
  const id = await createUser({ externalId, emails: [] })
  const find = (of: RootId) => {
    const scope = rootScope(of)
    return inTransaction(service.apiPool, scope, (tx) => findPersonByExternalId(scope, tx, externalId))
  }
  assert.deepEqual(await find(root), { person_id: id, active: true, email: null })
  assert.equal(await find(tenant.alone.root), null)
})

async function createGroup(people: readonly string[]) {
  const displayName = `Group ${randomUUID()}`
  const members = people.map((value) => ({ value }))
  const { status, body } = await call('POST', '/Groups', { displayName, members })
  assert.equal(status, 201, JSON.stringify(body))
  return { id: body.id, name: displayName }
}

const join = (group: string, person: string) =>
  call('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: person }] }))
const leave = (group: string, person: string) =>
  call('PATCH', `/Groups/${group}`, patch({ op: 'remove', path: `members[value eq "${person}"]` }))

test('a mapped group gives its role while somebody is in it [P13-scim-8]', async () => {
  const [early, late] = await Promise.all([createPerson(), createPerson()])
  await Promise.all([linkPerson(early), linkPerson(late)])
  const group = await createGroup([early.id])
  await tenant.change(root, (change) => mapGroup(change, group.name, organization, { system: 'cr_admin' }))
  assert.equal(await readRole(early.id), 'cr_admin')
  assert.equal((await join(group.id, late.id)).status, 204)
  assert.equal(await readRole(late.id), 'cr_admin')
  await leave(group.id, late.id)
  assert.equal(await readRole(late.id), 'cr_member')
  assert.deepEqual(
    (await readActions(late.id)).filter((action) => action === 'person_role_changed').length,
    2,
  )
  const role = await tenant.change(root, (change) =>
    createRole(change, organization, {
      name: `Role ${group.id}`,
      description: '',
      permissions: ['metrics:read'],
    }),
  )
  await tenant.change(root, (change) => mapGroup(change, group.name, organization, { custom: role }))
  assert.equal(await readRole(early.id), role)
  await tenant.change(root, (change) => unmapGroup(change, group.name, organization))
  assert.equal(await readRole(early.id), 'cr_member')
})

test('a mapped group gives its role to somebody who joined the organization after the group [P13-scim-8]', async () => {
  const { id: person, email } = await createPerson()
  await linkPerson({ email })
  const { rows } = await superuser.query('delete from membership where person_id = $1 returning *', [person])
  const group = await createGroup([person])
  await tenant.change(root, (change) => mapGroup(change, group.name, organization, { system: 'cr_admin' }))
  await superuser.query('insert into membership select * from json_populate_record(null::membership, $1)', [
    JSON.stringify(rows[0]),
  ])
  assert.equal(await readRole(person), 'cr_member')
  await call('PATCH', `/Groups/${group.id}`, replace({ externalId: randomUUID() }))
  assert.equal(await readRole(person), 'cr_admin')
  assert.equal((await call('DELETE', `/Groups/${group.id}`)).status, 204)
})

test('of two groups the admin’s decides, and deleting a group takes its role', async () => {
  const person = await createPerson()
  await linkPerson(person)
  const [admins, members] = [await createGroup([person.id]), await createGroup([person.id])]
  await tenant.change(root, (change) => mapGroup(change, admins.name, organization, { system: 'cr_admin' }))
  await tenant.change(root, (change) => mapGroup(change, members.name, organization, { system: 'cr_member' }))
  assert.equal(await readRole(person.id), 'cr_admin')
  await call('DELETE', `/Groups/${admins.id}`)
  assert.equal(await readRole(person.id), 'cr_member')
})

test('leaving a group never takes the role of the last admin [P13-scim-8]', async () => {
  const person = await createPerson()
  await linkPerson(person)
  const group = await createGroup([person.id])
  await tenant.change(root, (change) => mapGroup(change, group.name, organization, { system: 'cr_admin' }))
  await superuser.query(
    `update membership set system_role = 'cr_member', custom_role_id = null where organization_id = $1 and person_id <> $2`,
    [organization, person.id],
  )
  await leave(group.id, person.id)
  assert.equal(await readRole(person.id), 'cr_admin')
  const billing = await createPerson()
  await linkPerson(billing)
  await superuser.query(`update membership set system_role = 'cr_billing_admin' where person_id = $1`, [
    billing.id,
  ])
  await join(group.id, billing.id)
  assert.equal(await readRole(billing.id), 'cr_billing_admin')
})

test('every change is audited in the name of the credential', async () => {
  const person = await createUser()
  const group = await createGroup([])
  const bodies: Readonly<Record<string, unknown>> = {
    'POST /scim/v2/Users': { userName: createName() },
    'PUT /scim/v2/Users/{id}': { userName: createName(), displayName: 'Put' },
    'PATCH /scim/v2/Users/{id}': replace({ displayName: 'Patched' }),
    'DELETE /scim/v2/Users/{id}': undefined,
    'POST /scim/v2/Groups': { displayName: createName() },
    'PUT /scim/v2/Groups/{id}': { displayName: createName() },
    'PATCH /scim/v2/Groups/{id}': replace({ displayName: createName() }),
    'DELETE /scim/v2/Groups/{id}': undefined,
  }
  const count = async () => {
    const { rows } = await superuser.query<{ rows: number }>(
      `select count(*)::int as rows from audit_log where root_id = $1 and actor_kind = 'key' and actor_id = $2`,
      [root, credential.id],
    )
    return rows[0]?.rows ?? 0
  }
  const changes = scimEndpoints.filter(({ method }) => method !== 'GET')
  assert.deepEqual(changes.map(({ method, path }) => `${method} ${path}`).sort(), Object.keys(bodies).sort())
  for (const { method, path } of changes) {
    const rowsBefore = await count()
    const id = path.includes('Users') ? person : group.id
    const { status } = await call(
      method,
      path.slice('/scim/v2'.length).replace('{id}', id),
      bodies[`${method} ${path}`],
    )
    assert.ok(status < 300, `${method} ${path}: ${status}`)
    assert.ok((await count()) > rowsBefore, `${method} ${path}`)
  }
})

test('the rate limit of a credential is its own, and 429 has the shape of SCIM', async () => {
  const limited = startService(database, { LIMIT_SCIM: '2/60' })
  try {
    const [one, other] = await Promise.all([
      makeScimCredential(tenant, tenant.workspace),
      makeScimCredential(tenant, tenant.workspace),
    ])
    const callOne = createScimCaller(limited, one.value)
    assert.deepEqual(
      [(await callOne('GET', '/Users')).status, (await callOne('GET', '/Groups')).status],
      [200, 200],
    )
    const refused = await callOne('GET', '/Users')
    assert.deepEqual([refused.status, refused.body.status], [429, '429'])
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal((await createScimCaller(limited, other.value)('GET', '/Users')).status, 200)
  } finally {
    await limited.stop()
  }
})

test('requests that are not SCIM get the errors of RFC 7644 [P13-scim-5]', async () => {
  const id = await createUser()
  for (const [method, path, body, status, scimType] of [
    ['GET', '/Users?filter=userName', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=title%20eq%20%22x%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=', undefined, 400, 'invalidFilter'],
    ['GET', '/Groups?filter=', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', [], 400, 'invalidSyntax'],
    ['POST', '/Users', { userName: 'a\u0000b' }, 400, 'invalidSyntax'],
    ['POST', '/Users', { userName: createName(), active: 'maybe' }, 400, 'invalidValue'],
    ['PATCH', `/Users/${id}`, {}, 400, 'invalidSyntax'],
    ['PATCH', `/Users/${id}`, patch({ op: 'move', path: 'title' }), 400, 'invalidSyntax'],
    ['PATCH', `/Users/${id}`, patch({ op: 'remove' }), 400, 'noTarget'],
    ['PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'name[', value: 'x' }), 400, 'invalidPath'],
    ['PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'userName' }), 400, 'invalidValue'],
    ['PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'id', value: 'x' }), 400, 'mutability'],
    ['POST', '/Groups', { members: [] }, 400, 'invalidValue'],
    ['GET', '/Unknown', undefined, 404, undefined],
    ['PUT', '/Users', {}, 405, undefined],
    ['GET', '/Users/', undefined, 404, undefined],
  ] as const) {
    const answer = await call(method, path, body)
    assert.deepEqual(
      [answer.status, answer.body.scimType],
      [status, scimType],
      `${method} ${path} ${JSON.stringify(answer.body)}`,
    )
    assert.equal(answer.body.status, String(status))
    assert.equal(answer.headers['content-type'], 'application/scim+json; charset=utf-8')
  }
  const authorization = `Bearer ${credential.value}`
  const text = await service.call('/scim/v2/Users', {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/plain' },
    payload: '{}',
  })
  assert.equal(text.status, 415)
  const versioned = await service.call(`/scim/v2/Users/${id}`, {
    method: 'DELETE',
    headers: { authorization, 'if-match': 'W/"1"' },
  })
  assert.equal(versioned.status, 412)
  const json = await service.call('/scim/v2/Users', {
    method: 'POST',
    headers: { authorization },
    body: { userName: createName() },
  })
  assert.equal(json.status, 201, 'application/json is accepted too')
})
