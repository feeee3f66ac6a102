import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInventory, inventoryEvent, isInventoryPayload } from '../../../test/inventory.ts'
import type { OrganizationId, RootId } from '../../ids.ts'
import { createInstance } from '../instances/manage.ts'
import { normalizeInventory } from './schema.ts'

const inventory = await createInventory()

const at = (id: string, provider = 'github') => ({ provider, id })
const account = (id: string, fields: object = {}) => {
  return { ...at(id), username: `user-${id}`, email: `${id}@example.com`, name: `Person ${id}`, ...fields }
}

async function organizationsOf(
  root: RootId,
): Promise<{ id: string; instance: string | null; name: string }[]> {
  return inventory.read(
    `select provider_organization_id as id, instance_id as instance, name from organization
     where root_id = $1 order by name`,
    [root],
  )
}

test('a workspace accepts new organizations and assigns them to the instance with their provider and host', async () => {
  const { root } = inventory.tenant.workspace
  const ref = { provider: 'gitlab', host: 'git.inside.example.com' }
  const instance = await inventory.tenant.change(root, (change) =>
    createInstance(change, { ...ref, name: 'Inside', sendsMetrics: true, subscription: null }),
  )
  const organizations = [
    { ...at('1'), name: 'Cloud' },
    { ...ref, id: '1', name: 'Inside' },
    { ...ref, provider: 'github', id: '2', name: 'Other provider' },
  ]
  assert.deepEqual(await inventory.applyPayload(root, { organizations }), [])
  const fresh = (await organizationsOf(root)).filter(({ name }) =>
    organizations.some((reported) => reported.name === name),
  )
  assert.deepEqual(fresh, [
    { id: '1', instance: null, name: 'Cloud' },
    { id: '1', instance, name: 'Inside' },
    { id: '2', instance: null, name: 'Other provider' },
  ])
})

test('an instance accepts new organizations only of its provider and host', async () => {
  const { root, instance } = inventory.tenant.instance
  const [{ host }] = (await inventory.read<{ host: string }>('select host from instance where root_id = $1', [
    root,
  ])) as [{ host: string }]
  const refused = [
    { ...at('1'), name: 'Cloud' },
    { ...at('1', 'gitlab'), host, name: 'Other provider' },
  ]
  for (const organization of refused) {
    const [reason] = await inventory.applyPayload(root, { organizations: [organization] })
    assert.match(reason ?? '', /another provider or host than the instance/)
  }
  assert.deepEqual(
    await inventory.applyPayload(root, { organizations: [{ ...at('1'), host, name: 'Own' }] }),
    [],
  )
  const own = (await organizationsOf(root)).filter(({ id }) => id === '1')
  assert.deepEqual(own, [{ id: '1', instance, name: 'Own' }])
})

test('a root that is a single organization accepts no other and is renamed with it', async () => {
  const { root, organizations } = inventory.tenant.alone
  const [own] = organizations
  const payload = {
    organizations: [
      { ...at('1'), name: 'Another' },
      { ...at(own.orgId), name: 'Renamed' },
    ],
    repositories: [{ organization: at('1'), id: '1', name: 'lost' }],
  }
  const [reason] = await inventory.applyPayload(root, payload)
  assert.equal(
    reason,
    'The tenant root is a single organization and cannot have another one. The rest of the event is stored.',
  )
  assert.deepEqual(await organizationsOf(root), [{ id: own.orgId, instance: null, name: 'Renamed' }])
  assert.deepEqual(await inventory.read('select name from root where id = $1', [root]), [{ name: 'Renamed' }])
})

test('unknown references are deferred while the rest of the event is stored, and resolve on redelivery', async () => {
  const { root, organizations } = inventory.tenant.workspace
  const [first] = organizations
  const [repository] = first.repositories
  const here = at(first.orgId)
  const readable = { organization: here, repository_id: repository?.repositoryId, granted: true }
  const parts: [object, RegExp][] = [
    [{ repositories: [{ organization: at('77'), id: '1', name: 'x' }] }, /^An organization is unknown/],
    [
      { memberships: [{ organization: here, account_id: 'stranger' }] },
      /^The account of a member is unknown/,
    ],
    [{ repository_access: [{ ...readable, account_id: 'stranger' }] }, /^The account of a member is unknown/],
    [{ repository_access: [{ ...readable, account_id: 'guest' }] }, /is not a member of the organization/],
    [
      { repository_access: [{ ...readable, repository_id: '?', account_id: 'guest' }] },
      /^A repository is unknown/,
    ],
  ]
  await inventory.applyPayload(root, { accounts: [account('guest')] })
  for (const [index, [part, expected]] of parts.entries()) {
    const organization = { ...at(`8${index}`), name: `Rest ${index}` }
    const payload = { ...part, organizations: [organization] }
    const [reason] = await inventory.applyPayload(root, payload, { at: 1 })
    assert.match(reason ?? '', expected)
    assert.match(reason ?? '', /The rest of the event is stored\.$/)
    assert.doesNotMatch(reason ?? '', /stranger|guest|77/)
    assert.ok((await organizationsOf(root)).some(({ name }) => name === organization.name))
  }
  const missing = {
    organizations: [{ ...at('77'), name: 'Known now' }],
    accounts: [account('stranger')],
    memberships: [{ organization: here, account_id: 'guest' }],
    repositories: [{ organization: here, id: '?', name: 'known now' }],
  }
  assert.deepEqual(await inventory.applyPayload(root, missing), [])
  await inventory.applyPayload(
    root,
    { memberships: [{ organization: here, account_id: 'stranger' }] },
    { at: 1 },
  )
  for (const [part] of parts) assert.deepEqual(await inventory.applyPayload(root, part, { at: 2 }), [])
})

test('a credential limited to organizations changes no other organization and creates none', async () => {
  const { root, organizations } = inventory.tenant.workspace
  const [first, second] = organizations
  assert.ok(second)
  const limited = { at: 50, organizations: [first.id] }
  const start = await organizationsOf(root)
  const [member] = await inventory.read<{ account_id: string }>(
    'select account_id from membership where root_id = $1 and organization_id = $2 limit 1',
    [root, second.id],
  )
  const refused: object[] = [
    { organizations: [{ ...at(second.orgId), name: 'Taken' }] },
    { organizations: [{ ...at('new'), name: 'New' }] },
    { repositories: [{ organization: at(second.orgId), id: '1', name: 'Taken' }] },
    { memberships: [{ organization: at(second.orgId), account_id: member?.account_id, active: false }] },
    {
      repository_access: second.repositories.map(({ repositoryId: repository_id }) => {
        const organization = at(second.orgId)
        return { organization, repository_id, account_id: member?.account_id, granted: false }
      }),
    },
  ]
  const actions = await inventory.readAuditActions(root)
  for (const payload of refused) {
    const [reason] = await inventory.applyPayload(root, payload, limited)
    assert.match(
      reason ?? '',
      /^The credential is not authorized for every organization/,
      JSON.stringify(payload),
    )
  }
  assert.deepEqual(await inventory.readAuditActions(root), actions)
  assert.deepEqual(await organizationsOf(root), start)
  const allowed = {
    organizations: [{ ...at(first.orgId), name: 'Allowed' }],
    accounts: [account('limited')],
    memberships: [{ organization: at(first.orgId), account_id: 'limited' }],
  }
  assert.deepEqual(await inventory.applyPayload(root, allowed, limited), [])
  const reported = (await inventory.readAuditActions(root)).slice(actions.length)
  assert.deepEqual(reported, ['organization_renamed', 'person_added', 'person_joined'])
})

test('a credential limited to organizations does not change people of others', async () => {
  const { root, organizations } = inventory.tenant.workspace
  const [first, second] = organizations as readonly { id: OrganizationId; orgId: string }[]
  assert.ok(first && second)
  const inBoth = [first, second].map(({ orgId }) => ({ organization: at(orgId), account_id: 'both' }))
  await inventory.applyPayload(root, { accounts: [account('both'), account('one')], memberships: inBoth })
  const joined = { memberships: [{ organization: at(first.orgId), account_id: 'one' }] }
  const renamed = { accounts: ['both', 'one'].map((id) => account(id, { name: 'Renamed' })) }
  const limited = { at: 60, organizations: [first.id] }
  assert.deepEqual(await inventory.applyPayload(root, { ...joined, ...renamed }, limited), [])
  const nameOf = async (email: string) => {
    const [row] = await inventory.read<{ name: string }>(
      'select name from person where root_id = $1 and email = $2',
      [root, email],
    )
    return row?.name
  }
  assert.equal(await nameOf('one@example.com'), 'Renamed')
  assert.equal(await nameOf('both@example.com'), 'Person both')
  await inventory.applyPayload(root, renamed, { at: 60 })
  assert.equal(await nameOf('both@example.com'), 'Renamed')
})

test('an event cannot change another root, and an event without a root is deferred', async () => {
  const { workspace, lower } = inventory.tenant
  const [foreign] = lower.organizations
  const start = await inventory.read('select * from organization where root_id = $1', [lower.root])
  const payload = {
    organizations: [{ ...at(foreign.orgId), name: 'Seized' }],
    repositories: [{ organization: at(foreign.orgId), id: '1', name: 'x' }],
  }
  assert.deepEqual(await inventory.applyPayload(workspace.root, payload), [])
  assert.deepEqual(await inventory.read('select * from organization where root_id = $1', [lower.root]), start)
  const nowhere = '00000000-0000-4000-8000-000000000000' as RootId
  assert.match((await inventory.applyPayload(nowhere, payload))[0] ?? '', /^The tenant root is unknown/)
})

test('an event can have 500 objects of each kind', async () => {
  const { root } = inventory.tenant.workspace
  const numbers = Array.from({ length: 500 }, (_, index) => `b${index}`)
  const payload = {
    organizations: numbers.map((id) => ({ ...at(id), name: `Organization ${id}` })),
    repositories: numbers.map((id) => ({ organization: at(id), id, name: id })),
    accounts: numbers.map((id) => account(id)),
    memberships: numbers.map((id) => ({ organization: at(id), account_id: id })),
    repository_access: numbers.map((id) => {
      return { organization: at(id), repository_id: id, account_id: id, granted: true }
    }),
  }
  const start = (await inventory.readAuditActions(root)).length
  assert.deepEqual(await inventory.applyPayload(root, payload), [])
  assert.equal((await inventory.readAuditActions(root)).length - start, 2500)
  const size = Buffer.byteLength(JSON.stringify(inventoryEvent(payload)))
  assert.ok(size < 512 * 1024, 'it fits into a message')
  const leave = { memberships: payload.memberships.map((reported) => ({ ...reported, active: false })) }
  assert.deepEqual(await inventory.applyPayload(root, leave, { at: 1 }), [])
  const left = (await inventory.readAuditActions(root)).slice(start + 2500)
  assert.deepEqual(left, Array(500).fill('person_left'))
})

test('schema: lists are optional, unknown fields are ignored, ids are one line, and an e-mail is required', () => {
  const fits = (payload: object) => isInventoryPayload(payload)
  assert.ok(fits({}))
  assert.ok(fits({ surprise: [1], organizations: [{ ...at('1'), name: 'x'.repeat(200), surprise: {} }] }))
  assert.ok(fits({ accounts: [account('é'), account('👩‍💻')] }))
  assert.ok(!fits({ organizations: Array.from({ length: 501 }, (_, id) => ({ ...at(`${id}`), name: 'x' })) }))
  for (const name of ['', 'x'.repeat(201), 7, null]) {
    assert.ok(!fits({ organizations: [{ ...at('1'), name }] }), String(name))
  }
  for (const id of ['', 'x'.repeat(201), 'two\nlines', 'nul\u0000', 'half \ud800', 'c1 \u0085', 7, null]) {
    assert.ok(!fits({ organizations: [{ ...at('1'), id, name: 'x' }] }), String(id))
  }
  for (const email of ['', 'none', '@', 'a b@example.com', 'a@b@c', `${'x'.repeat(310)}@example.com`]) {
    assert.ok(!fits({ accounts: [account('1', { email })] }), email)
  }
  assert.ok(!fits({ memberships: [{ organization: at('1') }] }))
  assert.ok(!fits({ repository_access: [{ organization: at('1'), repository_id: '1', account_id: '1' }] }))
  const normalized = inventoryEvent({
    accounts: [account('A', { email: 'A@B.C', phone: '1' })],
    surprise: 1,
  }).payload
  const { username, name } = account('A')
  assert.deepEqual(normalized, {
    accounts: [{ provider: 'github', id: 'A', username, email: 'a@b.c', name }],
  })
})

test('names are cleaned of control and bidirectional characters, and an empty one falls back [P11-names-3]', () => {
  const hostile = ' Eve\u001b[31m\u202e\u009b\r\nRed\u2066 '
  const hidden = '\u0007\u200f'
  const { payload } = inventoryEvent({
    organizations: [
      { ...at('1'), name: hostile },
      { ...at('2'), name: hidden },
    ],
    repositories: [
      { organization: at('1'), id: '3', name: hostile },
      { organization: at('1'), id: '4', name: hidden },
    ],
    accounts: [
      account('5', { username: hostile, name: hidden }),
      account('6', { username: hidden, name: hostile }),
    ],
  })
  const { organizations, repositories, accounts } = payload as Record<
    string,
    { name: string; username?: string }[]
  >
  const names = [...(organizations ?? []), ...(repositories ?? []), ...(accounts ?? [])]
  const clean = 'Eve[31m Red'
  assert.deepEqual(
    names.map(({ name }) => name),
    [clean, '2', clean, '4', clean, clean],
  )
  assert.deepEqual(
    accounts?.map(({ username }) => username),
    [clean, '6'],
  )
})

test('names without a character that can be shown are those of the id, or none', () => {
  const hostile = '\u202e\u2066'
  const cleaned = normalizeInventory({
    organizations: [{ ...at(`9${hostile}gnp`), name: hostile }],
    accounts: [{ ...at(hostile), username: hostile, name: hostile }],
  }) as Record<'organizations' | 'accounts', { name: string; username?: string }[]>
  assert.deepEqual(
    [...cleaned.organizations, ...cleaned.accounts].map(({ name }) => name),
    ['9gnp', 'unnamed'],
  )
})
