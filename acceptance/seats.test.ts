import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { eventually, send } from './metrics-data.ts'
import {
  changeSeats,
  codesOf,
  copperfield,
  personOf,
  post,
  readPeople,
  readUsers,
  seatOf,
  seatsPath,
  tagged,
  withNewcomers,
} from './people-data.ts'
import { assertPage, at, call, demo, type KeyName } from './service.ts'
import { assertWindow, strict } from './windows.ts'

const mei = { email: 'mei.tanaka@example.com' }
const rafael = { email: 'rafael.moreno@example.com' }

test('a seat is assigned and unassigned by user id, and the users list shows it [S-what-8 P2-instance-1 P3-seats-1]', async () => {
  for (const key of ['organization', 'user', 'instance'] as const) {
    const { user_id } = at((await readUsers(key)).users, 0)
    const before = (await readUsers(key)).seats_assigned
    assert.deepEqual(await changeSeats(key, 'assign', [user_id]), success(user_id))
    assert.equal(await seatOf(key, user_id), true)
    assert.equal((await readUsers(key)).seats_assigned, before + 1)
    assert.deepEqual(await changeSeats(key, 'unassign', [user_id]), success(user_id))
    assert.equal(await seatOf(key, user_id), false)
    assert.equal((await readUsers(key)).seats_assigned, before)
  }
})

test('seat_filter separates users with and without a seat [P3-users-1]', async () => {
  const { user_id } = at((await readUsers('organization')).users, 1)
  await changeSeats('organization', 'assign', [user_id])
  const { users } = await readUsers('organization')
  const assigned = await readUsers('organization', '?seat_filter=assigned')
  const unassigned = await readUsers('organization', '?seat_filter=unassigned')
  assert.deepEqual(
    assigned.users.map((user) => user.user_id),
    [user_id],
  )
  assert.deepEqual(
    unassigned.users,
    users.filter((user) => user.user_id !== user_id),
  )
  assert.deepEqual((await readUsers('organization', '?seat_filter=all')).users, users)
  const people = (await readPeople('?seat_filter=assigned')).users
  assert.deepEqual(
    people.map(({ accounts }) => at(accounts, 0).user_id),
    [user_id],
  )
  assert.equal((await readUsers('organization', '?seat_filter=unassigned&limit=1')).users.length, 1)
  await changeSeats('organization', 'unassign', [user_id])
})

test('assigning an assigned seat and taking back none succeed, and change nothing [P3-seats-7]', async () => {
  const { user_id } = at((await readUsers('organization')).users, 0)
  assert.deepEqual(await changeSeats('organization', 'unassign', [user_id]), success(user_id))
  for (const _ of [1, 2, 3])
    assert.deepEqual(await changeSeats('organization', 'assign', [user_id]), success(user_id))
  assert.equal((await readUsers('organization')).seats_assigned, 1)
  for (const _ of [1, 2])
    assert.deepEqual(await changeSeats('organization', 'unassign', [user_id]), success(user_id))
  assert.equal((await readUsers('organization')).seats_assigned, 0)
})

test('results come in the order of the request, duplicates once, those that fail with user_id, id, code and message [P3-seats-3 P3-seats-4 P3-seats-7]', async () => {
  const [first, second] = (await readUsers('organization')).users
  const ids = [second, first, second].map((user) => user?.user_id ?? '')
  const result = await changeSeats('organization', 'assign', ['nobody', ...ids, 'nobody', '0'])
  assert.equal(result.status, 'partial_success')
  assert.deepEqual(result.succeeded, ids.slice(0, 2))
  assert.deepEqual(codesOf(result), [
    ['nobody', 'USER_NOT_FOUND'],
    ['0', 'USER_NOT_FOUND'],
  ])
  assert.equal((await readUsers('organization')).seats_assigned, 2)
  await changeSeats('organization', 'unassign', ids)
  const none = await changeSeats('organization', 'assign', ['nobody'])
  assert.deepEqual([none.status, none.succeeded, none.failed.length], ['failure', [], 1])
})

test('users of another organization, and of another tenant, are USER_NOT_FOUND [P3-seats-4]', async () => {
  const foreign = at((await readUsers('other_tenant')).users, 0).user_id
  const sibling = (await personOf(rafael.email)).accounts[0]?.user_id ?? ''
  assert.deepEqual(codesOf(await changeSeats('organization', 'assign', [foreign, sibling])), [
    [foreign, 'USER_NOT_FOUND'],
    [sibling, 'USER_NOT_FOUND'],
  ])
})

test('a workspace token names people by e-mail or cr_user_id: one seat, shown on all accounts [S-named-2 S-auth-23 P2-people-1 P3-seats-2 P3-seats-4 P3-seats-5 P3-seats-6]', async () => {
  const { cr_user_id, accounts } = await personOf(mei.email)
  const unknown = randomUUID()
  const result = await changeSeats('workspace', 'assign', [
    { email: 'Mei.Tanaka@Example.com' },
    { cr_user_id },
    { email: 'nobody@example.com' },
    { cr_user_id: unknown },
  ])
  assert.equal(result.status, 'partial_success')
  assert.deepEqual(result.succeeded, ['Mei.Tanaka@Example.com', cr_user_id])
  assert.deepEqual(codesOf(result), [
    ['nobody@example.com', 'USER_NOT_FOUND'],
    [unknown, 'USER_NOT_FOUND'],
  ])
  assert.equal((await personOf(mei.email)).seat_assigned, true)
  assert.equal((await readPeople()).seats_assigned, 1)
  assert.equal(accounts.length, 2)
  for (const { org_id, user_id } of accounts) {
    const { users, seats_assigned } = await readUsers('workspace', `?org_id=${org_id}`)
    assert.equal(users.find((user) => user.user_id === user_id)?.seat_assigned, true)
    assert.equal(seats_assigned, 1)
  }
  assert.equal((await changeSeats('workspace', 'unassign', [mei])).status, 'success')
  assert.equal((await personOf(mei.email)).seat_assigned, false)
})

test('a workspace token cannot pass org_id or user_ids, and other keys cannot pass members [S-named-2 P3-seats-2]', async () => {
  const action = 'assign'
  const { user_id } = at((await readUsers('organization')).users, 0)
  for (const [key, body] of [
    ['workspace', { action, members: [mei], org_id: '41207731' }],
    ['workspace', { action, user_ids: [user_id] }],
    ['workspace', { action, members: [mei], user_ids: [user_id] }],
    ['workspace', { action }],
    ['workspace', { action, members: [] }],
    ['workspace', { action, members: [{ ...mei, cr_user_id: randomUUID() }] }],
    ['workspace', { action, members: [{}] }],
    ['workspace', { action, members: ['mei'] }],
    ['workspace', { action, members: [{ cr_user_id: 'mei' }] }],
    ['organization', { action, members: [mei] }],
    ['user', { action, user_ids: [user_id], members: [mei] }],
    ['organization', { action }],
    ['organization', { action, user_ids: [] }],
    ['organization', { action, user_ids: [''] }],
    ['organization', { action, user_ids: [7] }],
    ['organization', { action, user_ids: user_id }],
    ['organization', { action: 'give', user_ids: [user_id] }],
    ['organization', { user_ids: [user_id] }],
    ['organization', { action, user_ids: [user_id], seats: 1 }],
  ] as const) {
    assertError(await post(seatsPath, key, body), 400, 'INVALID_REQUEST', JSON.stringify(body))
  }
  assert.equal((await readUsers('organization')).seats_assigned, 0)
})

test('org_id is ignored for keys that are bound to an organization [P3-seats-1]', async () => {
  const { user_id } = at((await readUsers('organization')).users, 0)
  const reply = await post(seatsPath, 'organization', {
    action: 'unassign',
    user_ids: [user_id],
    org_id: '7730452',
  })
  assert.deepEqual(reply.body, success(user_id))
})

test('up to 500 can be named, duplicates counted; more are BATCH_SIZE_EXCEEDED [P3-seats-1 P3-seats-2 P3-seats-8]', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `nobody-${index}`)
  assert.equal((await changeSeats('organization', 'assign', ids)).failed.length, 500)
  for (const more of ['one-more', 'nobody-0']) {
    const body = { action: 'assign', user_ids: [...ids, more] }
    assertError(await post(seatsPath, 'organization', body), 400, 'BATCH_SIZE_EXCEEDED')
  }
  const members = Array.from({ length: 501 }, (_, index) => ({ email: `nobody-${index}@example.com` }))
  assertError(await post(seatsPath, 'workspace', { action: 'assign', members }), 400, 'BATCH_SIZE_EXCEEDED')
})

test('assigned never exceeds purchased: the first in the request get the free seats, the rest NO_SEATS_AVAILABLE [P3-seats-4 P3-seats-7]', async () => {
  const { seats_purchased, seats_assigned } = await readUsers('other_tenant')
  const free = seats_purchased - seats_assigned
  await withNewcomers('other_tenant', free + 3, async (ids) => {
    const result = await changeSeats('other_tenant', 'assign', ids)
    assert.equal(result.status, 'partial_success')
    assert.deepEqual(result.succeeded, ids.slice(0, free))
    assert.deepEqual(
      codesOf(result),
      ids.slice(free).map((id) => [id, 'NO_SEATS_AVAILABLE']),
    )
    assert.equal((await readUsers('other_tenant')).seats_assigned, seats_purchased)
    assert.equal((await changeSeats('other_tenant', 'assign', ids.slice(0, free))).status, 'success')
    assert.equal((await changeSeats('other_tenant', 'assign', ids.slice(-1))).status, 'failure')
    await changeSeats('other_tenant', 'unassign', ids.slice(0, 1))
    assert.equal((await changeSeats('other_tenant', 'assign', ids.slice(-1))).status, 'success')
  })
  assert.equal((await readUsers('other_tenant')).seats_assigned, seats_assigned, 'who has left has no seat')
})

test('many concurrent requests for few free seats: as many succeed as there were seats, and those users have one [P3-seats-7]', async () => {
  const { seats_purchased, seats_assigned } = await readUsers('other_tenant')
  await withNewcomers('other_tenant', seats_purchased + 8, async (ids) => {
    const replies = await Promise.all(
      ids.map(async (id) => {
        for (;;) {
          const reply = await post(seatsPath, 'other_tenant', { action: 'assign', user_ids: [id] })
          if (reply.status !== 429) return { id, reply }
          assertError(reply, 429, 'RATE_LIMIT_EXCEEDED', '3 at a time')
          assert.equal(reply.headers.get('retry-after'), '1')
        }
      }),
    )
    const told = replies.filter(({ reply }) => (reply.body as { status: string }).status === 'success')
    assert.equal(told.length, seats_purchased - seats_assigned)
    const seated = (await readUsers('other_tenant', '?seat_filter=assigned')).users.map(
      ({ user_id }) => user_id,
    )
    assert.deepEqual(told.map(({ id }) => id).sort(), seated.filter((id) => ids.includes(id)).sort())
  })
})

test('the same Idempotency-Key gives the first answer again [P1-idem-1 P1-idem-4 P1-idem-5]', async () => {
  const { user_id } = at((await readUsers('organization')).users, 0)
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const ask = (action: string) =>
    call(seatsPath, {
      method: 'POST',
      key: demo.keys.organization,
      headers,
      body: JSON.stringify({ action, user_ids: [user_id] }),
    })
  const first = await ask('assign')
  await changeSeats('organization', 'unassign', [user_id])
  assert.deepEqual((await ask('assign')).body, first.body)
  assert.equal(await seatOf('organization', user_id), false)
  assertError(await ask('unassign'), 409, 'IDEMPOTENCY_KEY_REUSED')
})

test('in manual mode, tagging the reviewer leaves a request, which POST /v1/users/seats decides [S-mode-3 P3-seats-9 P10-7]', async () => {
  const asked = async () => {
    const reply = await call('/v1/audit-logs?actions=seat_requested', { key: demo.keys.other_tenant })
    assertPage(reply)
    return (reply.body as { pagination: { total_count: number } }).pagination.total_count
  }
  const before = await asked()
  await withNewcomers('other_tenant', 2, async (ids) => {
    const [granted = '', declined = ''] = ids
    await send([tagged(copperfield, granted), tagged(copperfield, declined)], 'ingest_other_tenant')
    await eventually('both have asked', async () => (await asked()) === before + 2)
    for (const id of ids) assert.equal(await seatOf('other_tenant', id), false)
    assert.deepEqual(await changeSeats('other_tenant', 'assign', [granted]), success(granted))
    assert.deepEqual(await changeSeats('other_tenant', 'unassign', [declined]), success(declined))
    assert.deepEqual(
      [await seatOf('other_tenant', granted), await seatOf('other_tenant', declined)],
      [true, false],
    )
  })
})

test('seats need Enterprise and an Admin’s key: legacy 410, agentic and lower plans 403 [P2-kinds-6]', async () => {
  const body = { action: 'assign', user_ids: ['1'] }
  for (const [key, status, code] of [
    ['legacy', 410, 'LEGACY_API_KEY'],
    ['agentic', 403, 'KEY_KIND_NOT_ALLOWED'],
    ['lower_plan', 403, 'ENTERPRISE_REQUIRED'],
    ['expired', 401, 'UNAUTHORIZED'],
  ] as [KeyName, number, string][])
    assertError(await post(seatsPath, key, body), status, code)
  assertError(
    await post(seatsPath, 'workspace_demoted_owner', { action: 'assign', members: [mei] }),
    403,
    'OWNER_NOT_ADMIN',
  )
})

test('seats allow 10 requests in 60 s [P1-limit-10]', async () => {
  const body = { action: 'unassign', user_ids: ['nobody'] }
  await assertWindow('"seats";q=10;w=60', () => post(seatsPath, 'metrics_off', body, strict()))
})

function success(...succeeded: string[]) {
  return { status: 'success', succeeded, failed: [] }
}
