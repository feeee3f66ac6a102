import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { createSeats } from '../../../test/seats/test-seats.ts'

const seats = await createSeats()

async function setMode(key: string, mode: string) {
  return seats.service.call('/v1/users/seats/assignment', { key, method: 'POST', body: { mode } })
}

async function modes(): Promise<string[]> {
  const { rows } = await seats.superuser.query<{ mode: string }>(
    'select seat_assignment_mode as mode from organization where root_id = $1 order by id',
    [seats.tenant.instance.root],
  )
  return rows.map(({ mode }) => mode)
}

async function audited(): Promise<{ organization_id: string; mode: string }[]> {
  const { rows } = await seats.superuser.query<{ organization_id: string; mode: string }>(
    `select organization_id, metadata->>'mode' as mode from audit_log
     where root_id = $1 and action = 'seat_mode_changed' order by position`,
    [seats.tenant.instance.root],
  )
  return rows
}

test('an instance key sets every organization it is authorized for, with one audit row per change [P2-instance-3]', async () => {
  const { tenant } = seats
  const ids = tenant.instance.organizations.map(({ id }) => id).toSorted()
  const { value: whole } = await tenant.createKey('instance')
  const narrow = await tenant.createKey('instance', { authorized: ids.slice(0, 1) })
  assert.equal((await setMode(whole, 'automatic')).status, 200)
  assert.deepEqual(await modes(), ['automatic', 'automatic'])
  await setMode(whole, 'automatic')
  await setMode(narrow.value, 'manual')
  assert.deepEqual(await modes(), ['manual', 'automatic'])
  await setMode(whole, 'manual')
  assert.deepEqual(await modes(), ['manual', 'manual'])
  assert.deepEqual(await audited(), [
    { organization_id: ids[0], mode: 'automatic' },
    { organization_id: ids[1], mode: 'automatic' },
    { organization_id: ids[0], mode: 'manual' },
    { organization_id: ids[1], mode: 'manual' },
  ])
})

test('a key bound to a self-hosted organization sets only that organization', async () => {
  const { value: key } = await seats.tenant.createKey('user', { of: 'instance' })
  assert.deepEqual((await setMode(key, 'automatic')).body, { mode: 'automatic' })
  assert.equal((await modes()).filter((mode) => mode === 'automatic').length, 1)
  await setMode(key, 'manual')
})

test('an organization that is not self-hosted is refused, and nothing changes', async () => {
  for (const root of ['workspace', 'alone'] as const) {
    const { value: key } = await seats.tenant.createKey('organization', { of: root })
    const { status, body } = await setMode(key, 'automatic')
    assert.deepEqual([status, body.error?.code], [403, 'SELF_HOSTED_ONLY'])
  }
  const { rows } = await seats.superuser.query(
    "select from organization where instance_id is null and seat_assignment_mode = 'automatic'",
  )
  assert.equal(rows.length, 0)
})

test('an organization that is not self-hosted takes no unit of the rate limit', async () => {
  const limited = startService(seats.database)
  const { value: key } = await seats.tenant.createKey('user')
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const { body, headers } = await limited.call('/v1/users/seats/assignment', {
      key,
      method: 'POST',
      body: { mode: 'manual' },
    })
    assert.equal(body.error?.code, 'SELF_HOSTED_ONLY')
    assert.equal(headers['ratelimit'], undefined)
  }
  await limited.stop()
})

test('a server failure is 500 INTERNAL_ERROR with the request id and nothing else, and no mode changes [S-err-17]', async () => {
  const { value: key } = await seats.tenant.createKey('instance')
  await setMode(key, 'manual')
  await seats.superuser.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'a detail'; end $$;
     create trigger fail before update on organization for each row execute function fail()`,
  )
  try {
    const { status, body, text } = await seats.service.call('/v1/users/seats/assignment', {
      key,
      method: 'POST',
      body: { mode: 'automatic' },
      headers: { 'x-request-id': 'seat-mode-7' },
    })
    const message = body.error?.message ?? ''
    assert.deepEqual([status, body], [500, { error: { code: 'INTERNAL_ERROR', message } }])
    assert.match(message, /seat-mode-7/)
    assert.doesNotMatch(text, /a detail|organization/)
    assert.deepEqual(await modes(), ['manual', 'manual'])
  } finally {
    await seats.superuser.query('drop trigger fail on organization')
  }
  assert.equal((await setMode(key, 'manual')).status, 200)
})

test('an instance key is refused if all of its organizations are inactive', async () => {
  const { tenant, superuser } = seats
  const [first] = tenant.instance.organizations
  const { value: key } = await tenant.createKey('instance', { authorized: [first.id] })
  const set = (active: boolean) =>
    superuser.query('update organization set active = $2 where id = $1', [first.id, active])
  await set(false)
  const { status, body } = await setMode(key, 'automatic')
  assert.deepEqual([status, body.error?.code], [404, 'ORGANIZATION_NOT_FOUND'])
  await set(true)
})
