import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../../test/fixture.ts'
import type { TestKey } from '../../../test/tenant.ts'
import { createAuthenticator } from '../../access/authenticate.ts'
import { verifyIngestCredential } from '../../access/ingest-credential.ts'
import { hashKey } from '../../access/key-format.ts'
import { connect } from '../../db/connect.ts'
import { Refusal } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import { deactivatePerson, reactivatePerson } from '../people/manage.ts'
import { type Rotation, revokeKey, rotateKey } from './manage.ts'
import { getKeyState, lockKey } from './sql.ts'

const { database, superuser, tenant, use } = await openTenant()
const authPool = use(connect({ url: database.urls.auth, name: 'test-auth', connections: 1 }))

const authenticates = (value: string) =>
  createAuthenticator(authPool)(value).then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

function rotate({ root, id }: TestKey, rotation: Partial<Rotation> = {}) {
  return tenant.change(root, (change) =>
    rotateKey(change, id, { overlapDays: 0, ring: tenant.ring, ...rotation }),
  )
}

async function findRow({ root }: TestKey, value: string) {
  const { rows } = await superuser.query<{ id: KeyId }>('select id from api_key where hash = $1', [
    hashKey(value),
  ])
  const row = await tenant.change(root, ({ scope, tx }) => lockKey(scope, tx, rows[0]?.id as KeyId))
  assert.ok(row)
  return row
}

test('every kind is replaced by its own kind with the same scope, a legacy key by a user key', async () => {
  for (const kind of ['organization', 'user', 'workspace', 'instance', 'agentic', 'legacy'] as const) {
    const key = await tenant.createKey(kind, { permissions: ['metrics:read', 'learning:read'] })
    const old = await findRow(key, key.value)
    const successor = await rotate(key)
    assert.equal(successor.kind, kind === 'legacy' ? 'user' : kind)
    const row = await findRow(key, successor.value)
    for (const field of ['name', 'organization_id', 'instance_id', 'organization_ids', 'owner_id'] as const) {
      assert.deepEqual(row[field], old[field], `${kind} ${field}`)
    }
    assert.deepEqual(row.permissions, ['metrics:read', 'learning:read'])
    assert.equal(await authenticates(successor.value), successor.kind)
    assert.equal(await authenticates(key.value), 'UNAUTHORIZED')
  }
})

test('without an overlap the old key is revoked immediately', async () => {
  const key = await tenant.createKey('user')
  await rotate(key)
  assert.equal(getKeyState(await findRow(key, key.value), new Date()), 'revoked')
})

test('with an overlap the old key expires after it, or at its own expiry if that is earlier', async () => {
  const lasting = await tenant.createKey('user')
  const began = Date.now()
  await rotate(lasting, { overlapDays: 7 })
  assert.equal(await authenticates(lasting.value), 'user')
  const end = Date.parse((await findRow(lasting, lasting.value)).expires_at ?? '')
  assert.ok(end >= began + 7 * DAY_MS && end <= Date.now() + 7 * DAY_MS)

  const token = await tenant.createKey('workspace')
  await rotate(token, { overlapDays: 1 })
  const sooner = (await findRow(token, token.value)).expires_at
  await rotate(token, { overlapDays: 7 })
  assert.equal((await findRow(token, token.value)).expires_at, sooner)
})

test('the successor has the lifetime of the old key, or the expiry that is passed', async () => {
  const key = await tenant.createKey('workspace')
  const old = await findRow(key, key.value)
  const life = Date.parse(old.expires_at ?? '') - Date.parse(old.created_at)
  const same = await findRow(key, (await rotate(key, { overlapDays: 7 })).value)
  assert.equal(Date.parse(same.expires_at ?? '') - Date.parse(same.created_at), life)
  const expiresAt = new Date(Date.now() + 90 * DAY_MS)
  const successor = await findRow(key, (await rotate(key, { overlapDays: 7, expiresAt })).value)
  assert.equal(successor.expires_at, expiresAt.toISOString())
})

test('an overlap must be a whole number of days from 0 to 7', async () => {
  const key = await tenant.createKey('user')
  for (const overlapDays of [-1, 8, 1.5, Number.NaN]) {
    await assert.rejects(rotate(key, { overlapDays }), /0 to 7/)
  }
  assert.equal(await authenticates(key.value), 'user')
})

test('a revoked, expired or unknown key cannot be rotated', async () => {
  await assert.rejects(rotate(await tenant.createKey('user', { revoked: true })), /revoked/)
  await assert.rejects(rotate(await tenant.createKey('user', { expired: true })), /expired/)
  const key = await tenant.createKey('user')
  await assert.rejects(rotate({ ...key, id: randomUUID() as KeyId }), /no key/)
  await assert.rejects(rotate({ ...key, root: tenant.alone.root }), /no key/)
})

test('a successor follows the rules of a new key: a demoted or inactive owner gets none', async () => {
  await assert.rejects(rotate(await tenant.createKey('workspace', { demotedOwner: true })), /workspace admin/)
  await assert.rejects(rotate(await tenant.createKey('user', { inactiveOwner: true })), /inactive/)
})

test('an ingest credential is replaced by a signed one, and only if signing keys are set', async () => {
  const authorized = [tenant.workspace.organizations[0].id]
  const key = await tenant.createKey('ingest', { authorized })
  await assert.rejects(rotate(key, { ring: null }), /INGEST_KEYS/)
  const successor = await rotate(key, { overlapDays: 2 })
  const read = verifyIngestCredential(tenant.ring, successor.value, new Date())
  assert.equal(read?.id, successor.id)
  assert.equal(read.root, key.root)
  assert.deepEqual(read.organizations, authorized)
  assert.equal(await authenticates(successor.value), 'UNAUTHORIZED')
})

test('a revoked key is refused from then on, and revoking it again changes nothing', async () => {
  const key = await tenant.createKey('user')
  assert.equal(await authenticates(key.value), 'user')
  const revoke = () => tenant.change(key.root, (change) => revokeKey(change, key.id))
  assert.deepEqual(await revoke(), { kind: 'user', changed: true })
  assert.equal(await authenticates(key.value), 'UNAUTHORIZED')
  const { revoked_at } = await findRow(key, key.value)
  assert.deepEqual(await revoke(), { kind: 'user', changed: false })
  assert.equal((await findRow(key, key.value)).revoked_at, revoked_at)
  const foreign = tenant.change(tenant.alone.root, (change) => revokeKey(change, key.id))
  await assert.rejects(foreign, /no key/)
})

test('two rotations of one key at the same time create one successor', async () => {
  const key = await tenant.createKey('user')
  const outcomes = await Promise.allSettled([rotate(key), rotate(key), rotate(key)])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('keys stop working when their owner is deactivated and work again after reactivation', async () => {
  const key = await tenant.createKey('user', { role: 'cr_member' })
  const { owner, root } = key
  assert.ok(owner)
  assert.equal(await tenant.change(root, (change) => deactivatePerson(change, owner)), true)
  assert.equal(await authenticates(key.value), 'UNAUTHORIZED')
  assert.equal(await tenant.change(root, (change) => reactivatePerson(change, owner)), true)
  assert.equal(await authenticates(key.value), 'user')
  assert.equal(await tenant.change(root, (change) => reactivatePerson(change, owner)), false)
})
