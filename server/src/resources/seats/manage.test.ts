import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TestResponse } from '../../../test/call.ts'
import { createSeats } from '../../../test/seats/test-seats.ts'
import { waitForLocks } from '../../../test/wait.ts'
import type { PersonId } from '../../ids.ts'
import { deactivatePerson } from '../people/manage.ts'
import { decideSeats } from './decide.ts'

const seats = await createSeats()

function change(
  key: string,
  action: 'assign' | 'unassign',
  user_ids: readonly string[],
): Promise<TestResponse> {
  const body = { action, user_ids }
  return seats.service.call('/v1/users/seats', { key, method: 'POST', body })
}

test('each change writes one audit row and one event, and a request without changes writes none', async () => {
  const { tenant, addMember, readRecordedChanges } = seats
  const [organization] = tenant.alone.organizations
  const { value: key, owner } = await tenant.createKey('user', { of: 'alone' })
  const [one, two] = [await addMember(organization), await addMember(organization)]
  const both = [one.account, two.account]
  await change(key, 'unassign', both)
  assert.deepEqual(await readRecordedChanges(tenant.alone.root), [])
  await change(key, 'assign', both)
  await change(key, 'assign', both)
  await change(key, 'unassign', [one.account, one.account, 'nobody'])
  assert.deepEqual(await readRecordedChanges(tenant.alone.root), [
    'seat_assigned',
    'seat_assigned',
    'seat_unassigned',
    'seat.assigned',
    'seat.assigned',
    'seat.unassigned',
  ])
  const { rows } = await seats.superuser.query(
    `select l.resource_id, l.organization_id, l.metadata, c.person_id from audit_log l
     join audit_clear c using (root_id, position) where root_id = $1 and action = 'seat_unassigned'`,
    [tenant.alone.root],
  )
  const row = { resource_id: one.person, organization_id: organization.id, person_id: one.person }
  const changed = { before: { seat_assigned: true }, after: { seat_assigned: false } }
  assert.deepEqual(rows, [{ ...row, metadata: { automatic: false, ...changed, actor_owner_id: owner } }])
  await change(key, 'unassign', both)
})

test('the counter follows every insert and delete of a seat', async () => {
  const { tenant, superuser, addMember } = seats
  const { root, organizations } = tenant.instance
  const counted = async () => {
    const { rows } = await superuser.query('select assigned from seat_head where root_id = $1', [root])
    return (rows[0] as { assigned: number } | undefined)?.assigned
  }
  const people = [await addMember(organizations[0]), await addMember(organizations[0])].map(
    ({ person }) => person,
  )
  await superuser.query('insert into seat (root_id, person_id) select $1, unnest($2::uuid[])', [root, people])
  assert.equal(await counted(), 2)
  await superuser.query('delete from seat where root_id = $1 and person_id = $2', [root, people[0]])
  assert.equal(await counted(), 1)
  await superuser.query('delete from seat where root_id = $1', [root])
  assert.equal(await counted(), 0)
})

test('three requests of an organization run at a time on all nodes; the fourth returns Retry-After 1 [P1-limit-15]', async () => {
  const { tenant, superuser, addMember } = seats
  const { root, organizations } = tenant.workspace
  const { value: key } = await tenant.createKey('organization')
  const { account } = await addMember(organizations[0])
  await change(key, 'assign', [account])
  const holder = await superuser.connect()
  await holder.query('begin')
  await holder.query('select from seat_head where root_id = $1 for update', [root])
  const running = [1, 2, 3].map(() => change(key, 'unassign', [account]))
  await waitForLocks(superuser, 3)
  const fourth = await change(key, 'unassign', [account])
  assert.deepEqual(
    [fourth.status, fourth.body.error?.code, fourth.headers['retry-after']],
    [429, 'RATE_LIMIT_EXCEEDED', '1'],
  )
  await holder.query('rollback')
  holder.release()
  assert.deepEqual(
    (await Promise.all(running)).map(({ status }) => status),
    [200, 200, 200],
  )
})

test('a deactivated person gets no seat, and can lose one [P11-inactive-2]', async () => {
  const { tenant, addMember } = seats
  const [organization] = tenant.alone.organizations
  const { value: key } = await tenant.createKey('user', { of: 'alone' })
  const [one, two] = [await addMember(organization), await addMember(organization)]
  await change(key, 'assign', [one.account])
  for (const { person } of [one, two])
    await tenant.change(tenant.alone.root, (work) => deactivatePerson(work, person))
  const { body } = await change(key, 'assign', [one.account, two.account])
  const { status, failed } = body as unknown as { status: string; failed: { code: string }[] }
  assert.deepEqual([status, ...failed.map(({ code }) => code)], ['failure', 'USER_INACTIVE', 'USER_INACTIVE'])
  assert.equal((await change(key, 'unassign', [one.account, two.account])).body['status'], 'success')
})

test('if fewer seats are purchased than assigned, nobody gets one until enough are unassigned', async () => {
  const { tenant, superuser, addMember, hasSeats } = seats
  const { root, organizations } = tenant.alone
  const { value: key } = await tenant.createKey('user', { of: 'alone' })
  const [one, two, three] = [
    await addMember(organizations[0]),
    await addMember(organizations[0]),
    await addMember(organizations[0]),
  ]
  await change(key, 'assign', [one.account, two.account])
  await superuser.query('update subscription set seats_purchased = 1 where root_id = $1', [root])
  assert.equal((await change(key, 'assign', [three.account])).body['status'], 'failure')
  assert.equal((await change(key, 'assign', [one.account])).body['status'], 'success')
  await change(key, 'unassign', [one.account])
  assert.equal((await change(key, 'assign', [three.account])).body['status'], 'failure')
  await change(key, 'unassign', [two.account])
  assert.equal((await change(key, 'assign', [three.account])).body['status'], 'success')
  assert.deepEqual(await hasSeats(one, two, three), [false, false, true])
  await superuser.query('update subscription set seats_purchased = 10 where root_id = $1', [root])
})

test('a person named twice takes one seat, and no more seats are assigned than are free', () => {
  const person = fc.record({ active: fc.boolean(), assigned: fc.boolean(), pending: fc.boolean() })
  const names = fc.array(fc.nat(11), { maxLength: 30 })
  fc.assert(
    fc.property(
      fc.constantFrom('assign' as const, 'unassign' as const),
      fc.array(person, { minLength: 6, maxLength: 6 }),
      names,
      fc.nat(5),
      (action, people, called, free) => {
        const candidates = people.map((facts) => {
          return { person_id: randomUUID() as PersonId, name: '', email: '', ...facts }
        })
        // Each of the six people has two names.
        const byName = new Map(
          candidates.flatMap((one, index) => [[`${index}`, one] as const, [`${index + 6}`, one]]),
        )
        const named = [...new Set(called)].map((name) => ({ input: `${name}`, key: `${name}` }))
        const { result, ...decided } = decideSeats(action, named, byName, free)
        assert.equal(result.succeeded.length + result.failed.length, named.length)
        assert.equal(new Set(decided.changed).size, decided.changed.length)
        for (const { assigned } of decided.changed) assert.equal(assigned, action === 'unassign')
        if (action === 'unassign') assert.deepEqual(result.failed, [])
        else assert.ok(decided.changed.length <= free)
        const has = (name: string) => {
          const one = byName.get(name)
          return one !== undefined && (one.assigned || decided.changed.includes(one))
        }
        if (action === 'assign') {
          for (const name of result.succeeded) assert.ok(has(name))
          for (const { id, code } of result.failed) {
            const isInactive = byName.get(id)?.active === false
            assert.equal(code === 'USER_INACTIVE', isInactive)
            assert.ok(isInactive || (!has(id) && decided.changed.length === free))
          }
        }
      },
    ),
  )
})
