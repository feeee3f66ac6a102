import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInventory } from '../../../test/inventory.ts'

const inventory = await createInventory()

const toRef = (id: string) => ({ provider: 'github', id })
const toMembership = (id: string, account: string, active = true) => {
  return { memberships: [{ organization: toRef(id), account_id: account, active }] }
}

async function seats(root: string): Promise<{ rows: number; counted: number }> {
  const [found] = await inventory.read<{ rows: number; counted: number }>(
    `select (select count(*)::int from seat where root_id = $1) as rows,
       coalesce((select assigned from seat_head where root_id = $1), 0) as counted`,
    [root],
  )
  assert.ok(found)
  return found
}

test('leaving the last organization releases and records the seat; a remaining member keeps it', async () => {
  const { root, organizations } = inventory.tenant.workspace
  const [first, second] = organizations
  assert.ok(second)
  const account = { provider: 'github', id: 'leaver', username: 'l', email: 'leaver@example.com', name: 'L' }
  await inventory.applyPayload(
    root,
    { accounts: [account], ...toMembership(first.orgId, 'leaver') },
    { at: 1 },
  )
  await inventory.applyPayload(root, toMembership(second.orgId, 'leaver'), { at: 2 })
  await inventory.superuser.query(
    `insert into seat (root_id, person_id) select root_id, id from person where root_id = $1 and email = $2`,
    [root, account.email],
  )
  await inventory.applyPayload(root, toMembership(first.orgId, 'leaver', false), { at: 3 })
  assert.deepEqual(await seats(root), { rows: 1, counted: 1 })
  const moved = [
    { organization: toRef(second.orgId), account_id: 'leaver', active: false },
    { organization: toRef(first.orgId), account_id: 'leaver' },
  ]
  await inventory.applyPayload(root, { memberships: moved }, { at: 4 })
  assert.deepEqual(await seats(root), { rows: 1, counted: 1 }, 'a member of something all the time')
  await inventory.applyPayload(root, toMembership(first.orgId, 'leaver', false), { at: 5 })
  assert.deepEqual(await seats(root), { rows: 0, counted: 0 })
  assert.deepEqual((await inventory.readAuditActions(root)).slice(-2), ['person_left', 'seat_unassigned'])
  const events = await inventory.read<{ type: string }>(
    `select type from outbox where root_id = $1 and type like 'seat.%'`,
    [root],
  )
  assert.deepEqual(events, [{ type: 'seat.unassigned' }])
})
