import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { startApi } from '../../test/process.ts'
import type { TestKey } from '../../test/tenant.ts'
import { connect, type Pool } from '../db/connect.ts'
import type { KeyId } from '../ids.ts'
import { createAuthenticator } from './authenticate.ts'
import { createCredentialUses } from './credentials.ts'
import type { Principal } from './principal.ts'

const { database, superuser, tenant, use } = await openTenant()
const api = use(connect({ url: database.urls.api, name: 'test', connections: 2 }))
const authPool = use(connect({ url: database.urls.auth, name: 'test', connections: 1 }))

const authenticateKey = ({ value }: TestKey): Promise<Principal> => createAuthenticator(authPool)(value)

/** As the principal of a key whose last use was stored an hour ago. */
async function authenticateUsedKey(key: TestKey): Promise<Principal> {
  const credential = { kind: 'key', id: key.id, recentlyUsed: true } as const
  return { ...(await authenticateKey(key)), credential }
}

async function lastUse(id: KeyId): Promise<string | null> {
  const { rows } = await superuser.query<{ last_used_at: Date | null }>(
    'select last_used_at from api_key where id = $1',
    [id],
  )
  return rows[0]?.last_used_at?.toISOString() ?? null
}

test('uses of keys of many roots are written together, and nodes never set one back [P9-1]', async () => {
  let now = new Date('2026-05-01T12:00:00.000Z')
  const [node, behind] = [
    createCredentialUses(api, () => now),
    createCredentialUses(api, () => new Date('2026-05-01T11:00:00.000Z')),
  ]
  const keys = [
    await tenant.createKey('user'),
    await tenant.createKey('instance'),
    await tenant.createKey('user', { of: 'alone' }),
  ]
  for (const key of keys) await node.note(await authenticateUsedKey(key))
  for (const { id } of keys) assert.equal(await lastUse(id), null, 'nothing is written before the flush')
  await node.flush()
  for (const { id } of keys) assert.equal(await lastUse(id), '2026-05-01T12:00:00.000Z')
  const [first] = keys
  assert.ok(first)
  await behind.note(await authenticateUsedKey(first))
  await behind.flush()
  assert.equal(await lastUse(first.id), '2026-05-01T12:00:00.000Z')
  now = new Date('2026-05-01T12:01:00.000Z')
  await node.note(await authenticateUsedKey(first))
  await node.flush()
  assert.equal(await lastUse(first.id), '2026-05-01T12:01:00.000Z')
})

test('what could not be written is written the next time, unless something newer was noted', async () => {
  let now = new Date('2026-05-02T12:00:00.000Z')
  let fails = true
  const shaky = {
    connect: () => (fails ? Promise.reject(new Error('away')) : api.connect()),
  } as unknown as Pool
  const node = createCredentialUses(shaky, () => now)
  const [one, other] = [await tenant.createKey('user'), await tenant.createKey('user')]
  const holder = await authenticateUsedKey(other)
  await node.note(await authenticateUsedKey(one))
  await node.note(holder)
  const failing = node.flush()
  now = new Date('2026-05-02T12:00:30.000Z')
  await node.note(holder)
  await assert.rejects(failing, /away/)
  fails = false
  await node.flush()
  assert.equal(await lastUse(one.id), '2026-05-02T12:00:00.000Z')
  assert.equal(await lastUse(other.id), '2026-05-02T12:00:30.000Z')
})

test('a key that somebody is changing is left for the next time, and nobody waits', async () => {
  const node = createCredentialUses(api, () => new Date('2026-05-03T12:00:00.000Z'))
  const key = await tenant.createKey('user')
  const client = await superuser.connect()
  await client.query('begin')
  await client.query('select from api_key where id = $1 for update', [key.id])
  await node.note(await authenticateUsedKey(key))
  await node.flush()
  assert.equal(await lastUse(key.id), null)
  await client.query('rollback')
  client.release()
})

test('the first request of a key in a day writes its use, later ones write nothing', async () => {
  const service = startService(database)
  const key = await tenant.createKey('user')
  const version = async () => {
    const { rows } = await superuser.query<{ xmin: string }>('select xmin from api_key where id = $1', [
      key.id,
    ])
    return rows[0]?.xmin
  }
  const ask = () => service.call('/v1/keys/self', { key: key.value })
  const began = Date.now()
  await ask()
  const at = Date.parse((await lastUse(key.id)) ?? '')
  assert.ok(at >= began && at <= Date.now())
  const written = await version()
  for (let attempt = 0; attempt < 5; attempt++) await ask()
  assert.equal(await version(), written)
  await superuser.query(`update api_key set last_used_at = now() - interval '25 hours' where id = $1`, [
    key.id,
  ])
  await ask()
  assert.ok(Date.parse((await lastUse(key.id)) ?? '') >= began)
  await service.stop()
})

test('a use that cannot be written at once does not fail the request and is written later', async () => {
  let fails = true
  const shaky = {
    connect: () => (fails ? Promise.reject(new Error('away')) : api.connect()),
  } as unknown as Pool
  const node = createCredentialUses(shaky, () => new Date('2026-05-04T12:00:00.000Z'))
  const key = await tenant.createKey('user')
  await node.note(await authenticateKey(key))
  assert.equal(await lastUse(key.id), null)
  fails = false
  await node.flush()
  assert.equal(await lastUse(key.id), '2026-05-04T12:00:00.000Z')
})

test('a node that stops has written the uses of its keys; a refused request is one, an ended key has none', async () => {
  const node = await startApi(database)
  const began = Date.now()
  const [used, revoked] = [
    await tenant.createKey('agentic'),
    await tenant.createKey('user', { revoked: true }),
  ]
  const ask = ({ value }: TestKey) =>
    fetch(`${node.url}/v1/keys`, { headers: { 'x-service-api-key': value } })
  assert.equal((await ask(used)).status, 403)
  assert.equal((await ask(revoked)).status, 401)
  await node.stop()
  const at = Date.parse((await lastUse(used.id)) ?? '')
  assert.ok(at >= began && at <= Date.now())
  assert.equal(await lastUse(revoked.id), null)
})
