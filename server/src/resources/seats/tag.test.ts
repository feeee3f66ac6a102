import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeats } from '../../../test/seats/test-seats.ts'
import { UNRESOLVED_REASON } from '../../bus/queue/organizations.ts'
import { deactivatePerson } from '../people/manage.ts'

const seats = await createSeats()
const [home, second] = seats.tenant.instance.organizations
assert.ok(second)
const other = second

const root = () => seats.tenant.instance.root
/** New audit rows and events since the last call. */
async function readChangesDuring(work: () => Promise<unknown>): Promise<string[]> {
  const earlier = await seats.readRecordedChanges(root())
  await work()
  const now = await seats.readRecordedChanges(root())
  for (const changes of earlier) now.splice(now.indexOf(changes), 1)
  return now.toSorted()
}

async function change(action: 'assign' | 'unassign', account: string): Promise<void> {
  const { value: key } = await seats.tenant.createKey('instance')
  const body = { action, user_ids: [account] }
  const { status, text } = await seats.service.call('/v1/users/seats', { key, method: 'POST', body })
  assert.equal(status, 200, text)
}

test('in manual mode there is one open request however often a developer tags, until it is granted [P3-seats-9]', async () => {
  const member = await seats.addMember(home)
  const tag = () => seats.createSeatRequest(home, member.account)
  const first = tag()
  const changes = await readChangesDuring(async () => {
    assert.deepEqual(await seats.applyEvents(root(), [first, tag()]), [])
    assert.deepEqual(await seats.applyEvents(root(), [first, tag()]), [])
  })
  assert.deepEqual(changes, ['seat.requested', 'seat_requested'])
  assert.deepEqual(await seats.readSeatRequest(member), { pending: true, decided: false })
  assert.deepEqual(await seats.hasSeats(member), [false])
  assert.deepEqual(await readChangesDuring(() => change('assign', member.account)), [
    'seat.assigned',
    'seat_assigned',
  ])
  assert.deepEqual(await seats.readSeatRequest(member), { pending: false, decided: true })
  assert.deepEqual(await readChangesDuring(() => seats.applyEvents(root(), [tag()])), [])
})

test('a declined request is recorded, and the next tag requests a seat again', async () => {
  const member = await seats.addMember(home)
  const first = seats.createSeatRequest(home, member.account)
  await seats.applyEvents(root(), [first])
  const declined = await readChangesDuring(() => change('unassign', member.account))
  assert.deepEqual(declined, ['seat.declined', 'seat_declined'])
  assert.deepEqual(await seats.readSeatRequest(member), { pending: false, decided: true })
  assert.deepEqual(
    await readChangesDuring(() => seats.applyEvents(root(), [first])),
    [],
    'the tag is older than the decision',
  )
  const later = seats.createSeatRequest(home, member.account, new Date(Date.now() + 1000).toISOString())
  assert.deepEqual(await readChangesDuring(() => seats.applyEvents(root(), [later])), [
    'seat.requested',
    'seat_requested',
  ])
})

test('in automatic mode the author gets one seat, and a later unassignment is respected', async () => {
  await seats.setMode(home, 'automatic')
  const member = await seats.addMember(home, other)
  // The sender's clock may be ahead of ours.
  const first = seats.createSeatRequest(home, member.account, new Date(Date.now() + 60_000).toISOString())
  const changes = await readChangesDuring(() =>
    seats.applyEvents(root(), [first, first, seats.createSeatRequest(other, member.account)]),
  )
  assert.deepEqual(changes, ['seat.assigned', 'seat_assigned'])
  assert.deepEqual(await seats.hasSeats(member), [true])
  await change('unassign', member.account)
  assert.deepEqual(await readChangesDuring(() => seats.applyEvents(root(), [first])), [])
  assert.deepEqual(await seats.hasSeats(member), [false])
  const later = seats.createSeatRequest(home, member.account, new Date(Date.now() + 61_000).toISOString())
  await seats.applyEvents(root(), [later])
  assert.deepEqual(await seats.hasSeats(member), [true])
  await seats.setMode(home, 'manual')
})

test('the mode of the organization where the reviewer was tagged applies', async () => {
  await seats.setMode(home, 'automatic')
  const [one, two] = [await seats.addMember(home, other), await seats.addMember(home, other)]
  await seats.applyEvents(root(), [
    seats.createSeatRequest(home, one.account),
    seats.createSeatRequest(other, two.account),
  ])
  assert.deepEqual(await seats.hasSeats(one, two), [true, false])
  assert.equal((await seats.readSeatRequest(two))?.pending, true)
  await seats.setMode(home, 'manual')
})

test('without a free seat or a subscription a request stays open; free seats go to the first events of a batch [P3-seats-9]', async () => {
  await seats.setMode(home, 'automatic')
  const { superuser } = seats
  const set = (text: string) =>
    superuser.query(`update subscription set ${text} where root_id = $1`, [root()])
  await set('active = false')
  const early = await seats.addMember(home)
  await seats.applyEvents(root(), [seats.createSeatRequest(home, early.account)])
  assert.deepEqual(await seats.hasSeats(early), [false])
  await set('active = true, seats_purchased = 2 + (select assigned from seat_head h where h.root_id = $1)')
  const people = [await seats.addMember(home), await seats.addMember(home), await seats.addMember(home)]
  const changes = await readChangesDuring(() =>
    seats.applyEvents(
      root(),
      people.map(({ account }) => seats.createSeatRequest(home, account)),
    ),
  )
  assert.deepEqual(await seats.hasSeats(...people), [true, true, false])
  const events = ['seat.assigned', 'seat.assigned', 'seat.requested']
  assert.deepEqual(changes, [...events, ...events.map((type) => type.replace('.', '_'))])
  await seats.setMode(home, 'manual')
})

test('concurrent workers assign no more seats than are free', async () => {
  await seats.setMode(home, 'automatic')
  const { superuser } = seats
  await superuser.query(
    `update subscription set seats_purchased = 3 + (select assigned from seat_head h where h.root_id = $1)
     where root_id = $1`,
    [root()],
  )
  const people = await Promise.all(Array.from({ length: 12 }, () => seats.addMember(home)))
  await Promise.all(
    people.map(({ account }) => seats.applyEvents(root(), [seats.createSeatRequest(home, account)])),
  )
  assert.equal((await seats.hasSeats(...people)).filter(Boolean).length, 3)
  await seats.setMode(home, 'manual')
})

test('events are deferred if the organization or account is unknown or out of scope for the credential', async () => {
  const member = await seats.addMember(other)
  const unresolved = [UNRESOLVED_REASON]
  const unknown = ['The account is not a known member of the organization.']
  const tag = seats.createSeatRequest(other, member.account)
  assert.deepEqual(await seats.applyEvents(root(), [seats.createSeatRequest(home, 'nobody')]), unknown)
  assert.deepEqual(await seats.applyEvents(root(), [seats.createSeatRequest(home, member.account)]), unknown)
  assert.deepEqual(await seats.applyEvents(root(), [tag], [home.id]), unresolved)
  assert.deepEqual(await seats.applyEvents(seats.tenant.alone.root, [tag]), unresolved)
  assert.equal(await seats.readSeatRequest(member), null)
  assert.deepEqual(await seats.applyEvents(root(), [tag], [other.id]), [])
  assert.equal((await seats.readSeatRequest(member))?.pending, true)
})

test('a deactivated person gets no seat and no request by tagging', async () => {
  const member = await seats.addMember(home)
  await seats.tenant.change(root(), (work) => deactivatePerson(work, member.person))
  assert.deepEqual(
    await readChangesDuring(() => seats.applyEvents(root(), [seats.createSeatRequest(home, member.account)])),
    [],
  )
  assert.equal(await seats.readSeatRequest(member), null)
})
