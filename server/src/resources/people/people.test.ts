import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import type { PersonId, RootId } from '../../ids.ts'
import {
  addPerson,
  deactivatePerson,
  findPerson,
  grantRepositoryAccess,
  type NewPerson,
  promotePerson,
  setRole,
} from './manage.ts'
import { readPeople } from './sql.ts'

const { database, tenant } = await openTenant()

let number = 0
function add(root: RootId, fields: Partial<NewPerson> = {}): Promise<PersonId> {
  number += 1
  const accounts = [{ provider: 'github', host: 'github.com', accountId: `a${number}`, username: 'ada' }]
  const person = { email: `ada${number}@example.com`, name: 'Ada', accounts, memberships: [], ...fields }
  return tenant.change(root, (change) => addPerson(change, person))
}

test('an e-mail belongs to one person of a root in any case, and to another person in other roots [P2-people-1]', async () => {
  const { workspace, alone } = tenant
  const id = await add(workspace.root, { email: 'Grace@Example.com' })
  await assert.rejects(add(workspace.root, { email: 'grace@example.com' }), /e-mail grace@example.com/)
  await add(alone.root, { email: 'grace@example.com' })
  const found = await tenant.change(workspace.root, ({ scope, tx }) =>
    findPerson(scope, tx, 'GRACE@example.com'),
  )
  assert.equal(found.id, id)
  const foreign = tenant.change(alone.root, ({ scope, tx }) => findPerson(scope, tx, id))
  await assert.rejects(foreign, /no person/)
})

test('an account belongs to one person, and a refused person leaves no rows [P2-people-1]', async () => {
  const { root } = tenant.workspace
  const account = { provider: 'github', host: 'github.com', accountId: 'taken', username: 'x' }
  await add(root, { accounts: [account] })
  await assert.rejects(add(root, { email: 'late@example.com', accounts: [account] }), /account taken/)
  await add(root, { email: 'late@example.com', accounts: [{ ...account, host: 'git.example.com' }] })
})

test('a member requires an account at the provider of the organization and an existing role', async () => {
  const { workspace, instance } = tenant
  const [first] = workspace.organizations
  const member = { organization: first.id, role: { system: 'cr_member' } } as const
  await add(workspace.root, { memberships: [member] })
  await assert.rejects(add(workspace.root, { accounts: [], memberships: [member] }), /cannot join/)
  await assert.rejects(add(workspace.root, { memberships: [member, member] }), /cannot join/)
  const odd = { organization: first.id, role: { custom: randomUUID() } }
  await assert.rejects(add(workspace.root, { memberships: [odd] }), /cannot join/)
  const foreign = { ...member, organization: instance.organizations[0].id }
  await assert.rejects(add(workspace.root, { memberships: [foreign] }), /cannot join/)
})

test('a person without an e-mail is managed like others, and only an erased one is refused [P13-email-1]', async () => {
  const { root } = tenant.workspace
  const id = await add(root)
  const superuser = database.superuser()
  await superuser.query('update person set email = null where id = $1', [id])
  assert.equal(await tenant.change(root, (change) => promotePerson(change, id)), true)
  assert.equal(await tenant.change(root, (change) => deactivatePerson(change, id)), true)
  await superuser.query('update person set erased_at = now() where id = $1', [id])
  await assert.rejects(
    tenant.change(root, (change) => deactivatePerson(change, id)),
    /is erased/,
  )
  await assert.rejects(
    superuser.query('update person set email = $2 where id = $1', [id, 'back@example.com']),
    /person_erased/,
  )
})

test('only a workspace has workspace admins', async () => {
  const { workspace, instance, alone } = tenant
  const id = await add(workspace.root)
  assert.equal(await tenant.change(workspace.root, (change) => promotePerson(change, id)), true)
  for (const { root, admin } of [instance, alone]) {
    await assert.rejects(add(root, { workspaceAdmin: true }), /Only a workspace/)
    await assert.rejects(
      tenant.change(root, (change) => promotePerson(change, admin)),
      /Only a workspace/,
    )
  }
})

test('only members get a role, and access only to repositories of the organization', async () => {
  const { root, organizations, admin } = tenant.workspace
  const [first, second] = organizations
  assert.ok(second)
  const stranger = await add(root)
  const give = (person: PersonId) =>
    tenant.change(root, (change) =>
      setRole(change, { person, organization: first.id, role: { system: 'cr_billing_admin' } }),
    )
  await give(admin)
  await assert.rejects(give(stranger), /not a member/)
  const grant = (person: PersonId, repositories: string[]) =>
    tenant.change(root, (change) =>
      grantRepositoryAccess(change, { person, organization: first.id, repositories }),
    )
  const own = first.repositories.map(({ id }) => id)
  await grant(admin, own)
  await assert.rejects(
    grant(admin, [...own, second.repositories[0]?.id ?? '']),
    /one of the repositories does not exist/,
  )
  await assert.rejects(grant(stranger, own), /not a member/)
})

test('people are listed by page, for a root or for one organization', async () => {
  const { root, organizations, admin } = tenant.alone
  await add(root)
  const list = (organization: (typeof organizations)[0]['id'] | null, from: string | null = null) =>
    tenant.change(root, ({ scope, tx }) => readPeople(scope, tx, organization, { after: from, limit: 2 }))
  const all = await list(null)
  assert.equal(all.length, 2)
  const rest = await list(null, all.at(-1)?.id ?? null)
  assert.equal(new Set([...all, ...rest].map(({ id }) => id)).size, all.length + rest.length)
  assert.deepEqual(
    (await list(organizations[0].id)).map(({ id }) => id),
    [admin],
  )
})
