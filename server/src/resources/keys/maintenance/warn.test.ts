import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openDatabase } from '../../../../test/fixture.ts'
import { createTenant, type Tenant } from '../../../../test/tenant.ts'
import { runChange } from '../../../admin/operator.ts'
import { connect, type Pool } from '../../../db/connect.ts'
import type { KeyId } from '../../../ids.ts'
import { createLog } from '../../../observe/log.ts'
import { DAY_MS } from '../../../time.ts'
import { createKey, revokeKey, rotateKey } from '../manage.ts'
import { warnExpiringKeys } from './warn.ts'

let tenant: Tenant

const { database, superuser, use } = await openDatabase()
const open = () => use(connect({ url: database.urls.worker, name: 'test-worker', connections: 2 }))
const workers = [open(), open(), open()] as const
beforeEach(async () => {
  await superuser.query('update api_key set warn_at = null')
  tenant = use(await createTenant(database))
})

// Expiry is shortened by the clock of the database, so the tests use the current time.
const start = new Date()
const inDays = (days: number) => new Date(start.getTime() + days * DAY_MS)

function make(lifeDays: number | null, of: 'workspace' | 'alone' = 'workspace'): Promise<KeyId> {
  const { root, organizations, admin } = tenant[of]
  const expiresAt = lifeDays === null ? null : inDays(lifeDays)
  return runChange({ ...tenant.operator, now: () => start }, root, async (change) => {
    const request = { kind: 'user', organization: organizations[0].id, owner: admin, expiresAt } as const
    return (await createKey(change, request)).id
  })
}

async function runAt(days: number, pool: Pool = workers[0]): Promise<void> {
  await warnExpiringKeys({ database: pool, log: createLog('test', 'silent'), now: () => inDays(days) })
}

interface Warning {
  readonly key_id: string
  readonly days: number
}

async function readWarnings(...ids: KeyId[]): Promise<Warning[]> {
  const { rows } = await superuser.query<{ payload: Warning }>(
    `select payload from outbox where type = 'key.expiring' and payload->>'key_id' = any ($1) order by id`,
    [ids],
  )
  return rows.map(({ payload }) => payload)
}

const daysOf = async (...ids: KeyId[]) => (await readWarnings(...ids)).map(({ days }) => days)

test('a key is announced 14 and 3 days before it expires, once each', async () => {
  const id = await make(30)
  for (const [day, expected] of [
    [15.9, []],
    [16, [14]],
    [16, [14]],
    [26.9, [14]],
    [27, [14, 3]],
    [29.9, [14, 3]],
    [31, [14, 3]],
  ] as const) {
    await runAt(day)
    assert.deepEqual(await daysOf(id), expected, `day ${day}`)
  }
  assert.deepEqual((await readWarnings(id))[0], {
    key_id: id,
    kind: 'user',
    organization_id: tenant.workspace.organizations[0].id,
    owner_id: tenant.workspace.admin,
    expires_at: inDays(30).toISOString(),
    days: 14,
  })
})

test('after an outage of the worker only the nearer warning is sent, and none for expired keys', async () => {
  const [near, gone] = [await make(30), await make(20)]
  await runAt(28)
  assert.deepEqual(await daysOf(near), [3])
  assert.deepEqual(await daysOf(gone), [])
  await runAt(28.5)
  assert.deepEqual(await daysOf(near), [3])
})

test('no warning is sent for an expiry set within the warning time, nor for a key that never expires', async () => {
  const [endless, ten, two] = [await make(null), await make(10), await make(2)]
  for (const day of [0, 1, 6.9]) await runAt(day)
  assert.deepEqual(await daysOf(endless, ten, two), [])
  await runAt(7)
  assert.deepEqual(await daysOf(endless, ten, two), [3])
})

test('a revoked key is not announced; a rotated key is announced 3 days before its overlap ends', async () => {
  const [revoked, rotated, soon] = [await make(30), await make(30), await make(30)]
  const { ring } = tenant
  await tenant.change(tenant.workspace.root, async (change) => {
    await revokeKey(change, revoked)
    await rotateKey(change, rotated, { overlapDays: 7, ring })
    await rotateKey(change, soon, { overlapDays: 2, ring })
  })
  await runAt(1)
  assert.deepEqual(await daysOf(revoked, rotated, soon), [])
  await runAt(5)
  assert.deepEqual(await daysOf(rotated), [3])
  assert.deepEqual(await daysOf(revoked, soon), [])
})

test('many workers at the same time announce each key once, in every root', async () => {
  const ids: KeyId[] = []
  for (let count = 0; count < 40; count++) ids.push(await make(30, count % 2 === 0 ? 'workspace' : 'alone'))
  await Promise.all(workers.flatMap((pool) => [runAt(20, pool), runAt(20, pool)]))
  await runAt(20)
  const keys = (await readWarnings(...ids)).map(({ key_id }) => key_id)
  assert.deepEqual(keys.toSorted(), ids.toSorted())
})
