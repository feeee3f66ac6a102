import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createInventory, inventoryEvent, timestampAt } from '../../../test/inventory.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'
import type { RootId } from '../../ids.ts'
import { createWorkspace } from '../workspaces/manage.ts'

const inventory = await createInventory({ organizations: 1, repositories: 1 })

const home = { provider: 'github', id: '7' }
const organization = (name: string, active = true) => ({ organizations: [{ ...home, name, active }] })
const repository = (name: string, fields: object = {}) => {
  return { repositories: [{ organization: home, id: 'r', name, ...fields }] }
}
const account = (name: string, id = 'ada') => {
  return {
    accounts: [
      { provider: 'github', id, username: name, email: `${name}@example.com`, name: `Name of ${name}` },
    ],
  }
}
const member = (active: boolean, account_id = 'ada') => {
  return { memberships: [{ organization: home, account_id, active }] }
}
const access = (granted: boolean, account_id = 'ada') => {
  return { repository_access: [{ organization: home, repository_id: 'r', account_id, granted }] }
}

async function createRoot(): Promise<RootId> {
  const root = randomUUID() as RootId
  const subscription = { plan: 'enterprise', seats: 1, active: true } as const
  await inventory.tenant.change(root, (change) =>
    createWorkspace(change, { name: root, sso: true, subscription }),
  )
  return root
}

/** Applies events one by one and redelivers deferred ones, as the queue does. */
async function applyInOrder(events: readonly IngestEvent[]): Promise<RootId> {
  const root = await createRoot()
  let waiting: IngestEvent[] = []
  for (const event of events) {
    waiting.push(event)
    for (let size = 0; size !== waiting.length; ) {
      size = waiting.length
      const deferred: IngestEvent[] = []
      for (const next of waiting) deferred.push(...(await inventory.applyEvents(root, [next])))
      waiting = deferred
    }
  }
  const state = await stateOf(root)
  for (const event of events) await inventory.applyEvents(root, [event])
  assert.deepEqual(await stateOf(root), state, 'given again, nothing changes')
  return root
}

/** The contents of a root, by provider ids. */
async function stateOf(root: RootId): Promise<unknown> {
  const [state] = await inventory.read(
    `select
       (select json_agg(json_build_array(o.provider_organization_id, o.name, o.active) order by 1::text)
         from organization o where o.root_id = $1) as organizations,
       (select json_agg(json_build_array(r.provider_repository_id, r.name, r.private, r.active))
         from repository r where r.root_id = $1) as repositories,
       (select json_agg(json_build_array(a.account_id, a.username, p.email, p.name) order by a.account_id)
         from account a join person p on p.root_id = a.root_id and p.id = a.person_id where a.root_id = $1)
         as accounts,
       (select json_agg(json_build_array(m.account_id, m.system_role) order by m.account_id)
         from membership m where m.root_id = $1) as members,
       (select json_agg(json_build_array(p.email, v.verified_at at time zone 'UTC') order by p.email)
         from repository_access v join person p on p.root_id = v.root_id and p.id = v.person_id
         where v.root_id = $1) as access`,
    [root],
  )
  return state
}

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) =>
    permutationsOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  )
}

const all = { ...organization('One'), ...repository('one'), ...account('ada') }
const histories: Readonly<Record<string, readonly object[]>> = {
  'objects that change and become inactive': [
    all,
    { ...organization('Two', false), ...repository('two', { private: false }), ...account('adele') },
    { ...organization('Three'), ...account('ada') },
    { ...repository('three', { active: false }), ...account('adina') },
  ],
  'a member who leaves and rejoins': [
    { ...all, ...member(true), ...access(true) },
    member(false),
    member(true),
    access(true),
  ],
  'access that is granted and revoked': [
    { ...all, ...member(true) },
    access(true),
    access(false),
    { ...access(true), ...member(true) },
  ],
  'a member who rejoins without the old access': [
    { ...all, ...member(true), ...access(true) },
    member(false),
    member(true),
  ],
  'a member who leaves twice': [
    { ...all, ...member(true), ...access(true) },
    member(false),
    { ...member(true), ...access(true) },
    member(false),
  ],
  'a member who leaves and does not rejoin': [
    { ...all, ...member(true) },
    access(true),
    { ...member(true), ...access(true) },
    { ...member(false), ...access(false) },
  ],
}

for (const [what, history] of Object.entries(histories)) {
  test(`the order of arrival does not change the result: ${what}`, async () => {
    const events = history.map((payload, index) => inventoryEvent(payload, index + 1))
    const expected = await stateOf(await applyInOrder(events))
    for (const order of permutationsOf(events)) {
      const label = order.map(({ occurred_at }) => occurred_at.slice(17, 19)).join(' ')
      assert.deepEqual(await stateOf(await applyInOrder(order)), expected, label)
    }
  })
}

test('events in order produce the state they describe', async () => {
  const last = async (name: string) => {
    const events = (histories[name] ?? []).map((payload, index) => inventoryEvent(payload, index + 1))
    return stateOf(await applyInOrder(events))
  }
  const ada = {
    accounts: [['ada', 'ada', 'ada@example.com', 'Name of ada']],
    organizations: [['7', 'One', true]],
  }
  const one = { ...ada, repositories: [['r', 'one', true, true]] }
  assert.deepEqual(await last('objects that change and become inactive'), {
    organizations: [['7', 'Three', true]],
    repositories: [['r', 'three', true, false]],
    accounts: [['ada', 'adina', 'adina@example.com', 'Name of adina']],
    members: null,
    access: null,
  })
  const members = [['ada', 'cr_member']]
  const verified = [['ada@example.com', timestampAt(4).slice(0, 19)]]
  assert.deepEqual(await last('a member who leaves and rejoins'), { ...one, members, access: verified })
  assert.deepEqual(await last('access that is granted and revoked'), { ...one, members, access: verified })
  assert.deepEqual(await last('a member who rejoins without the old access'), {
    ...one,
    members,
    access: null,
  })
  assert.deepEqual(await last('a member who leaves and does not rejoin'), {
    ...one,
    members: null,
    access: null,
  })
})

test('of two events at the same time the removal wins', async () => {
  const gives = { ...all, ...member(true), ...access(true) }
  const takes = [
    organization('One', false),
    repository('one', { active: false }),
    member(false),
    { ...member(true), ...access(false) },
  ]
  for (const taken of takes) {
    const known = inventoryEvent(gives, 1)
    const events = [inventoryEvent(gives, 2), inventoryEvent(taken, 2)]
    const states = []
    for (const order of permutationsOf(events))
      states.push(await stateOf(await applyInOrder([known, ...order])))
    assert.deepEqual(states[0], states[1])
    assert.notDeepEqual(states[0], await stateOf(await applyInOrder([known, inventoryEvent(gives, 2)])))
  }
})

test('access verified after a removal remains until it is revoked or the member leaves again', async () => {
  for (const removal of [member(false), access(false)]) {
    const events = [
      inventoryEvent({ ...all, ...member(true) }, 1),
      inventoryEvent(access(true), 4),
      inventoryEvent(member(false), 2),
    ]
    const readers = async (sent: readonly IngestEvent[]) => {
      const rows = await inventory.read('select from repository_access where root_id = $1', [
        await applyInOrder(sent),
      ])
      return rows.length
    }
    assert.equal(await readers(events), 1)
    assert.equal(await readers([...events, inventoryEvent(removal, 6)]), 0)
  }
})

test('an older event that changes nothing records nothing', async () => {
  const root = await createRoot()
  const newer = { ...all, ...member(true), ...access(true) }
  await inventory.applyPayload(root, newer, { at: 10 })
  const actions = await inventory.readAuditActions(root)
  const older = { ...organization('Old', false), ...repository('old'), ...account('old'), ...member(false) }
  assert.deepEqual(await inventory.applyPayload(root, { ...older, ...access(false) }, { at: 9 }), [])
  assert.deepEqual(await inventory.readAuditActions(root), actions)
})

test('events of one message are applied oldest first', async () => {
  const root = await createRoot()
  const events = [access(true), member(true), all].map((payload, index) => inventoryEvent(payload, 9 - index))
  assert.deepEqual(await inventory.applyEvents(root, events), [])
})

test('concurrent workers apply events of one root without conflicts', async () => {
  const root = await createRoot()
  const sent = Array.from({ length: 24 }, (_, index) => {
    const accounts = ['ada', 'bea'].flatMap((id) => account(id, id).accounts)
    return inventory.applyPayload(root, { ...all, accounts, ...member(index % 2 === 0) }, { at: index })
  })
  assert.deepEqual((await Promise.all(sent)).flat(), [])
  assert.deepEqual(await stateOf(root), {
    organizations: [['7', 'One', true]],
    repositories: [['r', 'one', true, true]],
    accounts: ['ada', 'bea'].map((id) => [id, id, `${id}@example.com`, `Name of ${id}`]),
    members: null,
    access: null,
  })
})
