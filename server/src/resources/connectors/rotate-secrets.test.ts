import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { connectOrganization, connectorRing } from '../../../test/connectors/test-sync.ts'
import { openTenant } from '../../../test/fixture.ts'
import { limitsOff } from '../../../test/limits-off.ts'
import { createAdminContext } from '../../admin/context.ts'
import { runCommand } from '../../admin/program.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { commands } from '../../commands.ts'
import type { KeyRing } from '../../config.ts'
import { timers } from '../../consumers.ts'
import { connect } from '../../db/connect.ts'
import type { RootId } from '../../ids.ts'
import { openSecret, type SecretOwner } from './secrets.ts'

const newest = { id: 'newest', secret: createSecretKey('ef'.repeat(32), 'hex') }
const ring = [newest, ...connectorRing]

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database, limitsOff))
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 2 }))
const connector = (await connectOrganization(service, tenant, 'hooks')).id
await superuser.query('update organization set active = false where root_id = $1', [tenant.workspace.root])
await superuser.query(`update connector set retry_at = 'infinity'`)

async function rotate(connectorKeys: KeyRing): Promise<void> {
  const timer = timers.find(({ name }) => name === 'rotate-connector-secrets')
  await timer?.run({ database: pool, connectorKeys } as WorkerContext)
}

async function readSecret(name: SecretOwner['name'], keys = ring): Promise<string | null> {
  const { rows } = await superuser.query<{ root: RootId; bytes: Buffer; keyId: string }>(
    `select root_id as root, ${name} as bytes, key_id as "keyId" from connector where id = $1`,
    [connector],
  )
  const [row] = rows
  assert.ok(row)
  return openSecret(keys, { root: row.root, connector, name }, row)
}

async function listKeys(pairs: string): Promise<unknown> {
  const env = { WORKER_DATABASE_URL: database.urls.worker, CONNECTOR_KEYS: pairs }
  const admin = createAdminContext(env, () => {})
  try {
    return JSON.parse(await runCommand(admin, commands, ['connector', 'keys', '--json']))
  } finally {
    await admin.close()
  }
}

test('secrets of a resting connector of an inactive organization are encrypted again, and the old key can be removed', async () => {
  const pairs = `newest:${'ef'.repeat(32)},test:${'cd'.repeat(32)}`
  const earlier = await readSecret('credential')
  assert.ok(earlier)
  await rotate(connectorRing)
  assert.deepEqual(await listKeys(pairs), [
    { key_id: 'newest', secrets: 0, can_be_removed: false },
    { key_id: 'test', secrets: 2, can_be_removed: false },
  ])
  await rotate(ring)
  assert.equal(await readSecret('credential', [newest]), earlier)
  assert.equal(await readSecret('hook_secret', [newest]), 'secret-of-the-webhook')
  assert.deepEqual(await listKeys(pairs), [
    { key_id: 'newest', secrets: 2, can_be_removed: false },
    { key_id: 'test', secrets: 0, can_be_removed: true },
  ])
  assert.deepEqual(await listKeys(`test:${'cd'.repeat(32)}`), [
    { key_id: 'test', secrets: 0, can_be_removed: false },
    { key_id: 'newest', secrets: 2, can_be_removed: null },
  ])
})

test('secrets that no key decrypts stay as they are', async () => {
  await superuser.query(`update connector set key_id = 'test', credential = $1`, [Buffer.alloc(64)])
  await rotate(ring)
  const { rows } = await superuser.query<{ key_id: string; credential: Buffer }>(
    'select key_id, credential from connector',
  )
  assert.deepEqual(rows, [{ key_id: 'test', credential: Buffer.alloc(64) }])
})
