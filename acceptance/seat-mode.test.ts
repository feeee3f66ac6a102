import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { eventually, send } from './metrics-data.ts'
import {
  changeSeats,
  firmware,
  modePath,
  post,
  readUsers,
  seatOf,
  tagged,
  withNewcomers,
} from './people-data.ts'
import { assertPage, call, demo } from './service.ts'
import { assertWindow, strict } from './windows.ts'

async function setMode(mode: string, key: 'instance' | 'instance_narrow' = 'instance'): Promise<void> {
  const reply = await post(modePath, key, { mode })
  assertPage(reply)
  assert.deepEqual(reply.body, { mode })
}

const modeNow = async () => (await readUsers('instance')).seat_assignment_mode

test('the mode is echoed, and is in the users listing from then on [S-what-8 S-state-2 S-state-3 S-seat-1 S-seat-5 S-seat-6 P2-instance-3]', async () => {
  for (const mode of ['automatic', 'automatic', 'manual', 'automatic', 'manual']) {
    await setMode(mode)
    assert.equal(await modeNow(), mode)
  }
})

test('mode is required, and automatic or manual [S-mode-1 S-seat-4 S-err-11]', async () => {
  for (const body of [{}, { mode: 'auto' }, { mode: null }, { mode: 'manual', org_id: '12' }, [], 'manual']) {
    assertError(await post(modePath, 'instance', body), 400, 'INVALID_REQUEST', JSON.stringify(body))
  }
})

test('an organization that is not self-hosted is 403 SELF_HOSTED_ONLY [S-seat-2 S-err-9 S-err-14 P1-code-12]', async () => {
  for (const key of ['organization', 'user', 'other_tenant'] as const) {
    assertError(await post(modePath, key, { mode: 'automatic' }), 403, 'SELF_HOSTED_ONLY', key)
    assert.equal((await readUsers(key)).seat_assignment_mode, 'manual')
  }
})

test('workspace and agentic keys are 403, legacy keys 410, a lower plan 403, an ended key 401 [S-seat-2 S-err-12 S-err-15 P1-code-8 P2-kinds-7]', async () => {
  const body = { mode: 'automatic' }
  assertError(await post(modePath, 'workspace', body), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await post(modePath, 'agentic', body), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await post(modePath, 'legacy', body), 410, 'LEGACY_API_KEY')
  assertError(await post(modePath, 'lower_plan', body), 403, 'ENTERPRISE_REQUIRED')
  assertError(await post(modePath, 'revoked', body), 401, 'UNAUTHORIZED')
  assertError(await call(modePath, { method: 'POST' }), 401, 'UNAUTHORIZED')
})

test('in automatic mode, who tags the reviewer gets a seat; an event that is sent again changes nothing [S-mode-2 P3-seats-9 P10-7]', async () => {
  await setMode('automatic')
  await withNewcomers('instance', 2, async ([first = '', second = '']) => {
    const event = tagged(firmware, first)
    await send([event, event], 'ingest_instance')
    await eventually('the author has a seat', async () => (await seatOf('instance', first)) === true)
    await changeSeats('instance', 'unassign', [first])
    await send([{ ...event, id: randomUUID() }], 'ingest_instance')
    await send([tagged(firmware, second)], 'ingest_instance')
    await eventually('the next one has a seat', async () => (await seatOf('instance', second)) === true)
    assert.equal(await seatOf('instance', first), false, 'what was taken back stays so')
  })
  await setMode('manual')
})

test('an event whose account is not known yet is stored when it is [P3-seats-9]', async () => {
  await setMode('automatic')
  const early = randomUUID()
  await send([tagged(firmware, early)], 'ingest_instance')
  await withNewcomers('instance', [early], () =>
    eventually('the author has a seat', async () => (await seatOf('instance', early)) === true),
  )
  await setMode('manual')
})

test('in automatic mode without a free seat, a request waits and nobody gets more than was bought [P3-seats-9]', async () => {
  await setMode('automatic')
  const { seats_purchased, seats_assigned } = await readUsers('instance')
  const free = seats_purchased - seats_assigned
  await withNewcomers('instance', free + 2, async (ids) => {
    await send(
      ids.map((id) => tagged(firmware, id)),
      'ingest_instance',
    )
    const full = async () => (await readUsers('instance')).seats_assigned === seats_purchased
    await eventually('every seat is taken', full)
    const waiting: string[] = []
    for (const id of ids) if (!(await seatOf('instance', id))) waiting.push(id)
    assert.equal(waiting.length, 2)
    const taken = ids.find((id) => !waiting.includes(id)) ?? ''
    await changeSeats('instance', 'unassign', [taken])
    assert.equal((await changeSeats('instance', 'assign', waiting.slice(0, 1))).status, 'success')
    assert.equal(await full(), true)
  })
  await setMode('manual')
})

test('seat mode allows 10 requests in 60 s [S-err-16 S-limit-7 P1-limit-10]', async () => {
  await assertWindow('"seat-mode";q=10;w=60', () =>
    call(modePath, {
      method: 'POST',
      key: demo.keys.instance,
      base: strict(),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'manual' }),
    }),
  )
})
