import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInventory, timestampAt } from '../../../test/inventory.ts'
import { chainHash, contentDigest, genesis } from '../../access/audit/chain.ts'
import type { OrganizationId, RootId } from '../../ids.ts'
import { deactivatePerson, setRole } from '../people/manage.ts'
import { createRole } from '../roles/manage.ts'

let root: RootId
const inventory = await createInventory()
root = inventory.tenant.workspace.root

const at = (id: string) => ({ provider: 'github', id })
const account = (id: string, fields: object = {}) => {
  return { ...at(id), username: `user-${id}`, email: `${id}@example.com`, name: `Person ${id}`, ...fields }
}
const first = () => inventory.tenant.workspace.organizations[0]
const here = () => at(first().orgId)
/** A new time for each event without a time. */
let clock = 0
const applyNext = (payload: object) => {
  clock += 1
  return inventory.applyPayload(root, payload, { at: clock })
}

/** The actions that `work` adds to the audit log. */
async function readActionsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const start = (await inventory.readAuditActions(root)).length
  await work()
  return (await inventory.readAuditActions(root)).slice(start)
}

interface StoredPerson {
  readonly id: string
  readonly email: string | null
  readonly name: string
  readonly active: boolean
  readonly username: string
}

async function findPerson(accountId: string): Promise<StoredPerson> {
  const [person] = await inventory.read<StoredPerson>(
    `select p.id, p.email, p.name, p.active, a.username from account a
     join person p on p.root_id = a.root_id and p.id = a.person_id
     where a.root_id = $1 and a.account_id = $2`,
    [root, accountId],
  )
  assert.ok(person, `account ${accountId}`)
  return person
}

async function rolesIn(organization: OrganizationId, accountId: string): Promise<string[]> {
  const rows = await inventory.read<{ role: string }>(
    `select coalesce(system_role, custom_role_id::text) as role from membership
     where root_id = $1 and organization_id = $2 and account_id = $3`,
    [root, organization, accountId],
  )
  return rows.map(({ role }) => role)
}

async function accessOf(accountId: string): Promise<[string, string][]> {
  const rows = await inventory.read<{ repository: string; verified_at: Date }>(
    `select r.provider_repository_id as repository, v.verified_at from repository_access v
     join repository r on r.root_id = v.root_id and r.organization_id = v.organization_id and r.id = v.repository_id
     where v.root_id = $1 and v.person_id = $2 order by 1`,
    [root, (await findPerson(accountId)).id],
  )
  return rows.map(({ repository, verified_at }) => [repository, verified_at.toISOString()])
}

/** Every row of the root, with the transaction that wrote it. */
async function readEverything(): Promise<unknown[]> {
  const tables = [
    'root',
    'organization',
    'repository',
    'person',
    'account',
    'membership',
    'repository_access',
  ]
  const found = []
  for (const table of [...tables, 'inventory_removal', 'audit_log', 'audit_head', 'outbox']) {
    const key = table === 'root' ? 'id' : 'root_id'
    found.push(
      await inventory.read(`select xmin::text, t.* from ${table} t where ${key} = $1 order by t::text`, [
        root,
      ]),
    )
  }
  return found
}

test('one event stores all objects, and a redelivery changes nothing [P10-6]', async () => {
  const mixed = {
    organizations: [
      { ...at('100'), name: 'New ground', surprise: 1 },
      { ...at('101'), name: 'Gone', active: false },
    ],
    repositories: [
      { organization: at('100'), id: '1001', name: 'core', private: false },
      { organization: here(), id: '1002', name: 'attic', active: false },
    ],
    accounts: [account('ada', { email: 'ADA@Example.com' }), account('bob')],
    memberships: [
      { organization: at('100'), account_id: 'ada' },
      { organization: here(), account_id: 'bob' },
      { organization: here(), account_id: 'nobody', active: false },
    ],
    repository_access: [
      { organization: at('100'), repository_id: '1001', account_id: 'ada', granted: true },
      { organization: here(), repository_id: '1002', account_id: 'bob', granted: false },
    ],
  }
  const actions = await readActionsDuring(async () =>
    assert.deepEqual(await inventory.applyPayload(root, mixed, { at: 1 }), []),
  )
  assert.deepEqual(actions.toSorted(), [
    'organization_created',
    'organization_created',
    'person_added',
    'person_added',
    'person_joined',
    'person_joined',
    'person_repository_access_granted',
    'repository_added',
    'repository_added',
  ])
  const organizations = await inventory.read(
    `select provider_organization_id as id, host, name, active, instance_id from organization
     where root_id = $1 and provider_organization_id in ('100', '101') order by 1`,
    [root],
  )
  assert.deepEqual(organizations, [
    { id: '100', host: 'github.com', name: 'New ground', active: true, instance_id: null },
    { id: '101', host: 'github.com', name: 'Gone', active: false, instance_id: null },
  ])
  const repositories = await inventory.read(
    `select provider_repository_id as id, provider, name, private, active from repository
     where root_id = $1 and provider_repository_id in ('1001', '1002') order by 1`,
    [root],
  )
  assert.deepEqual(repositories, [
    { id: '1001', provider: 'github', name: 'core', private: false, active: true },
    { id: '1002', provider: 'github', name: 'attic', private: true, active: false },
  ])
  assert.equal((await findPerson('ada')).email, 'ada@example.com')
  assert.equal((await findPerson('bob')).active, true)
  assert.deepEqual(await rolesIn(first().id, 'bob'), ['cr_member'])
  assert.deepEqual(await accessOf('ada'), [['1001', timestampAt(1)]])
  const stored = await readEverything()
  assert.deepEqual(await inventory.applyPayload(root, mixed, { at: 1 }), [])
  assert.deepEqual(await readEverything(), stored)
})

test('audit rows name the credential, form one chain, and have names and addresses only as erasable values', async () => {
  interface Row {
    readonly position: string
    readonly at: Date
    readonly previous_hash: Buffer
    readonly hash: Buffer
    readonly metadata: object
  }
  const rows = await inventory.read<Row>(
    `select position, id, organization_id, at, action, resource_type, resource_id, actor_kind, actor_id, metadata,
       sealed, previous_hash, hash
     from audit_log where root_id = $1 order by position`,
    [root],
  )
  let previous: Buffer = genesis
  for (const { position, previous_hash, hash, ...content } of rows) {
    assert.deepEqual(previous_hash, previous)
    const digest = contentDigest({ ...content, at: content.at.toISOString() })
    assert.deepEqual(hash, chainHash(previous, Number(position), digest))
    previous = hash
  }
  const [head] = await inventory.read('select position, hash from audit_head where root_id = $1', [root])
  assert.deepEqual(head, { position: String(rows.length), hash: previous })
  const [joined] = await inventory.read(
    `select l.actor_kind, l.actor_id, l.organization_id, c.clear -> 'email' ->> 'value' as email, c.person_id
     from audit_log l join audit_clear c using (root_id, position)
     where root_id = $1 and action = 'person_joined' and l.organization_id = $2`,
    [root, first().id],
  )
  const { id } = await findPerson('bob')
  assert.deepEqual(joined, {
    actor_kind: 'key',
    actor_id: inventory.credential,
    organization_id: first().id,
    email: 'bob@example.com',
    person_id: id,
  })
  const metadata = JSON.stringify(rows.map((row) => row.metadata))
  assert.ok(!/Person|@example|New ground|core|user-/.test(metadata))
})

test('renaming, deactivating and reactivating an organization publishes one event each', async () => {
  const applyAndReadActions = async (fields: object) => {
    const start = await inventory.read(`select from outbox where root_id = $1`, [root])
    const actions = await readActionsDuring(() =>
      applyNext({ organizations: [{ ...here(), name: 'Renamed', ...fields }] }),
    )
    const rows = await inventory.read<{ type: string; payload: object }>(
      `select type, payload from outbox where root_id = $1 order by id offset $2`,
      [root, start.length],
    )
    return [actions, rows.map(({ type, payload }) => [type, payload])]
  }
  const changed = (active: boolean) => [['organization.changed', { active, organization_id: first().id }]]
  assert.deepEqual(await applyAndReadActions({}), [['organization_renamed'], changed(true)])
  assert.deepEqual(await applyAndReadActions({ active: false }), [
    ['organization_deactivated'],
    changed(false),
  ])
  assert.deepEqual(await applyAndReadActions({ name: 'Back', active: true }), [
    ['organization_renamed', 'organization_activated'],
    changed(true),
  ])
  assert.deepEqual(await applyAndReadActions({ name: 'Back' }), [[], []])
})

test('a repository follows its provider’s name, visibility and activity', async () => {
  const [repository] = first().repositories
  assert.ok(repository)
  const applyAndReadActions = (fields: object) =>
    readActionsDuring(() =>
      applyNext({ repositories: [{ organization: here(), id: repository.repositoryId, ...fields }] }),
    )
  assert.deepEqual(await applyAndReadActions({ name: repository.name }), [])
  assert.deepEqual(await applyAndReadActions({ name: 'open', private: false }), ['repository_changed'])
  assert.deepEqual(await applyAndReadActions({ name: 'open', private: false, active: false }), [
    'repository_changed',
  ])
  const [row] = await inventory.read<{ entry: string; active: boolean }>(
    `select entry, active from repository where root_id = $1 and id = $2`,
    [root, repository.id],
  )
  assert.equal(row?.active, false)
  assert.match(row?.entry ?? '', /"name":"open".*"private":false/)
})

test('an account joins the person with its e-mail; name and e-mail follow a person’s only account [P10-6]', async () => {
  assert.deepEqual(await readActionsDuring(() => applyNext({ accounts: [account('cyd')] })), ['person_added'])
  const moved = account('cyd', { username: 'cyd2', email: 'Cyd@new.example.com', name: 'Cyd Renamed' })
  const actions = await readActionsDuring(() => applyNext({ accounts: [moved] }))
  assert.deepEqual(actions, ['person_account_renamed', 'person_changed'])
  const { id, ...rest } = await findPerson('cyd')
  const now = { email: 'cyd@new.example.com', name: 'Cyd Renamed', active: true, username: 'cyd2' }
  assert.deepEqual(rest, now)

  const elsewhere = { ...account('cyd-lab'), provider: 'gitlab', email: 'cyd@new.example.com', name: 'C.' }
  assert.deepEqual(await readActionsDuring(() => applyNext({ accounts: [elsewhere] })), [
    'person_account_added',
  ])
  assert.equal((await findPerson('cyd-lab')).id, id)
  const flapping = { ...elsewhere, email: 'other@example.com' }
  assert.deepEqual(await readActionsDuring(() => applyNext({ accounts: [flapping, moved] })), [])
  assert.equal((await findPerson('cyd')).name, 'Cyd Renamed')

  await applyNext({ accounts: [account('dee')] })
  const taken = account('dee', { email: 'cyd@new.example.com' })
  assert.deepEqual(
    await readActionsDuring(() => applyNext({ accounts: [taken] })),
    [],
    'no account changes its person',
  )
  assert.equal((await findPerson('dee')).email, 'dee@example.com')
})

test('an account without an e-mail is a person of its own until an event shows a free address [P13-email-1]', async () => {
  const { email: _, ...ivy } = account('ivy')
  const jan = account('jan', { email: null })
  const actions = await readActionsDuring(() => applyNext({ accounts: [ivy, jan] }))
  assert.deepEqual(actions, ['person_added', 'person_added'])
  const [ivyPerson, janPerson] = [await findPerson('ivy'), await findPerson('jan')]
  assert.notEqual(ivyPerson.id, janPerson.id)
  assert.deepEqual([ivyPerson.email, janPerson.email], [null, null])
  const [row] = await inventory.read<{ clear: object }>(
    `select c.clear from audit_log l join audit_clear c using (root_id, position)
     where root_id = $1 and action = 'person_added' and l.resource_id = $2`,
    [root, ivyPerson.id],
  )
  assert.deepEqual(Object.keys(row?.clear ?? {}), ['name'])

  assert.deepEqual(await readActionsDuring(() => applyNext({ accounts: [account('ivy')] })), [
    'person_changed',
  ])
  assert.equal((await findPerson('ivy')).email, 'ivy@example.com')
  assert.deepEqual(await readActionsDuring(() => applyNext({ accounts: [ivy] })), [], 'unknown, not removed')
  assert.equal((await findPerson('ivy')).email, 'ivy@example.com')
  const taken = account('jan', { email: 'ivy@example.com' })
  assert.deepEqual(await readActionsDuring(() => applyNext({ accounts: [taken] })), [])
  assert.deepEqual(await findPerson('jan'), janPerson, 'two people are never merged by an event')
})

test('people can swap addresses, and accounts with one address in an event are one person', async () => {
  await applyNext({ accounts: [account('eve'), account('fay')] })
  const freed = [account('eve', { email: 'eve2@example.com' }), account('fay', { email: 'eve@example.com' })]
  assert.deepEqual(await applyNext({ accounts: freed }), [])
  assert.equal((await findPerson('eve')).email, 'eve2@example.com')
  assert.equal(
    (await findPerson('fay')).email,
    'fay@example.com',
    'not yet: it was taken when the event came',
  )
  await applyNext({ accounts: freed })
  assert.equal((await findPerson('fay')).email, 'eve@example.com')
  const twins = [account('gil'), { ...account('gil'), host: 'git.example.com' }]
  const actions = await readActionsDuring(() => applyNext({ accounts: twins }))
  assert.deepEqual(actions, ['person_added', 'person_account_added'])
})

test('a new member gets the default role, an existing one keeps the role, and nobody is reactivated [P10-6]', async () => {
  const second = inventory.tenant.workspace.organizations[1]
  assert.ok(second)
  const role = await inventory.tenant.change(root, (change) =>
    createRole(change, second.id, { name: 'Newcomer', isDefault: true }),
  )
  const joins = { memberships: [{ organization: at(second.orgId), account_id: 'bob' }] }
  assert.deepEqual(await readActionsDuring(() => applyNext(joins)), ['person_joined'])
  assert.deepEqual(await rolesIn(second.id, 'bob'), [role])
  const { id: person } = await findPerson('bob')
  await inventory.tenant.change(root, async (change) => {
    const given = { person: person as never, organization: second.id, role: { system: 'cr_admin' } } as const
    await setRole(change, given)
    await deactivatePerson(change, person as never)
  })
  assert.deepEqual(await readActionsDuring(() => applyNext({ ...joins, accounts: [account('bob')] })), [])
  assert.deepEqual(await rolesIn(second.id, 'bob'), ['cr_admin'])
  assert.equal((await findPerson('bob')).active, false)
})

test('access is verified at the time of the event; a repetition is not recorded [P10-6]', async () => {
  const applyAndReadActions = (granted: boolean) => {
    const repository_access = first().repositories.map(({ repositoryId: repository_id }) => {
      return { organization: here(), repository_id, account_id: 'bob', granted }
    })
    return readActionsDuring(() => applyNext({ repository_access }))
  }
  const ids = first().repositories.map(({ repositoryId }) => repositoryId)
  assert.deepEqual(await applyAndReadActions(true), ['person_repository_access_granted'])
  assert.deepEqual(await applyAndReadActions(true), [])
  assert.deepEqual(
    await accessOf('bob'),
    ids.map((id) => [id, timestampAt(clock)]),
  )
  assert.deepEqual(await applyAndReadActions(false), ['person_repository_access_revoked'])
  assert.deepEqual(await applyAndReadActions(false), [])
  assert.deepEqual(await accessOf('bob'), [])
  await applyAndReadActions(true)
})

test('a person who leaves loses membership and access but is not deleted', async () => {
  const leaves = { memberships: [{ organization: here(), account_id: 'bob', active: false }] }
  assert.deepEqual(await readActionsDuring(() => applyNext(leaves)), ['person_left'])
  assert.deepEqual(await rolesIn(first().id, 'bob'), [])
  assert.deepEqual(await accessOf('bob'), [])
  const { email } = await findPerson('bob')
  assert.equal(email, 'bob@example.com')
  assert.deepEqual(await readActionsDuring(() => applyNext(leaves)), [])
})

test('a member’s new account takes over membership and role before the old account leaves', async () => {
  const { id } = first()
  await applyNext({ accounts: [account('hal')], memberships: [{ organization: here(), account_id: 'hal' }] })
  const { id: person } = await findPerson('hal')
  await inventory.tenant.change(root, (change) =>
    setRole(change, { person: person as never, organization: id, role: { system: 'cr_billing_admin' } }),
  )
  const replaced = {
    accounts: [account('hal-new', { email: 'hal@example.com' })],
    memberships: [
      { organization: here(), account_id: 'hal', active: false },
      { organization: here(), account_id: 'hal-new' },
    ],
  }
  const actions = await readActionsDuring(() => applyNext(replaced))
  assert.deepEqual(actions, ['person_account_added', 'person_member_account_changed'])
  assert.deepEqual(await rolesIn(id, 'hal'), [])
  assert.deepEqual(await rolesIn(id, 'hal-new'), ['cr_billing_admin'])
})

test('the last admin can leave, and the audit log records that no admin is left', async () => {
  const { tenant } = inventory
  const [organization] = tenant.alone.organizations
  const [admin] = await inventory.read<{ account_id: string }>(
    `select account_id from membership where root_id = $1 and system_role = 'cr_admin'`,
    [tenant.alone.root],
  )
  const leaves = { organization: at(organization.orgId), account_id: admin?.account_id, active: false }
  // Later than the access that the operator granted.
  const later = { at: 1000 * 86_400 }
  assert.deepEqual(await inventory.applyPayload(tenant.alone.root, { memberships: [leaves] }, later), [])
  const [left] = await inventory.read(
    `select action, metadata from audit_log where root_id = $1 order by position desc limit 1`,
    [tenant.alone.root],
  )
  const metadata = { role: 'cr_admin', repositories: 2, without_admin: true, before: { role: 'cr_admin' } }
  assert.deepEqual(left, { action: 'person_left', metadata })
})
