import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { createKeyInvalidations, type KeyInvalidation } from '../../test/key-invalidations.ts'
import type { TestKey } from '../../test/tenant.ts'
import { connect, type Pool } from '../db/connect.ts'
import { createAuthenticator } from './authenticate.ts'
import { createKeyValue, keyKinds } from './key-format.ts'
import { allPermissions, getSystemRolePermissions } from './permissions.ts'

const refused = { name: 'Refusal', code: 'UNAUTHORIZED' }
const withoutLimit = { LIMIT_ORGANIZATIONS: 'off', LIMIT_METRICS: 'off' }

const { database, superuser, tenant, use } = await openTenant()
const authPool = use(connect({ url: database.urls.auth, name: 'test', connections: 2 }))
const authenticate = createAuthenticator(authPool)
const nodes = [use(startService(database, withoutLimit)), use(startService(database, withoutLimit))]

/** A pool that says how often it was asked; `first` may hold its answers back or refuse them. */
function watched(of: Pool, first: () => Promise<void> = async () => {}): { pool: Pool; asked: () => number } {
  let reads = 0
  const connectOnce = async () => {
    reads += 1
    await first()
    return of.connect()
  }
  return { pool: Object.assign(Object.create(of) as Pool, { connect: connectOnce }), asked: () => reads }
}

function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}

test('a missing, malformed or mistyped key is refused without asking the database [P2-format-2]', async () => {
  const { pool, asked: reads } = watched(authPool)
  const ask = createAuthenticator(pool)
  const bad = [
    '',
    'x',
    'sch_usr_',
    'Bearer abc',
    ' ',
    "' or 1=1 --",
    'sch_ing_e30.AAAA',
    '\0',
    'x'.repeat(10_000),
  ]
  for (const value of [undefined, ...bad, ...keyKinds.map((kind) => mistyped(createKeyValue(kind)))]) {
    await assert.rejects(ask(value), refused)
  }
  assert.equal(reads(), 0)
})

test('a well-formed key that does not exist is looked up and refused', async () => {
  const { pool, asked: reads } = watched(authPool)
  await assert.rejects(createAuthenticator(pool)(createKeyValue('user')), refused)
  assert.equal(reads(), 1)
})

test('missing, mistyped, unknown, expired and revoked keys, and those of an inactive owner, get one answer', async () => {
  const [expired, revoked, orphaned] = await Promise.all([
    tenant.createKey('user', { expired: true }),
    tenant.createKey('user', { revoked: true }),
    tenant.createKey('user', { inactiveOwner: true }),
  ])
  const values = [
    undefined,
    mistyped(createKeyValue('user')),
    createKeyValue('user'),
    expired.value,
    revoked.value,
    orphaned.value,
  ]
  const messages = await Promise.all(
    values.map((value) => authenticate(value).then(String, (error: Error) => error.message)),
  )
  assert.equal(new Set(messages).size, 1)
  assert.match(messages[0] ?? '', /no longer active/)
})

test('a key is stored as its SHA-256, and its value nowhere [P2-format-5]', async () => {
  const key = await tenant.createKey('user')
  const { rows } = await superuser.query<{ hash: Buffer; row: string }>(
    'select hash, to_jsonb(k)::text as row from api_key k where id = $1',
    [key.id],
  )
  assert.deepEqual(rows[0]?.hash, createHash('sha256').update(key.value).digest())
  assert.ok(!rows[0]?.row.includes(key.value.slice('sch_usr_'.length, -4)))
})

test('many requests of one key at once cost two reads', async () => {
  const { value } = await tenant.createKey('organization')
  const { pool, asked: reads } = watched(authPool)
  const ask = createAuthenticator(pool)
  const principals = await Promise.all(Array.from({ length: 200 }, () => ask(value)))
  assert.equal(new Set(principals.map(({ credential }) => credential.id)).size, 1)
  assert.equal(reads(), 2)
})

test('a key whose requests a rate limit refuses is read at most every 20 ms', async () => {
  const { value } = await tenant.createKey('organization')
  const { pool, asked: reads } = watched(authPool)
  const ask = createAuthenticator(pool)
  const started = performance.now()
  for (let request = 0; request < 30; request++) ask.noteLimited(await ask(value))
  assert.ok(reads() <= (performance.now() - started) / 20 + 2, `${reads()} reads`)
  assert.ok(performance.now() - started >= 29 * 19, 'each request waits for a read of its own')
})

test('requests of many keys at once share reads, and each gets its own principal', async () => {
  const made: TestKey[] = []
  for (const kind of keyKinds) made.push(await tenant.createKey(kind))
  const gate = Promise.withResolvers<void>()
  const { pool, asked: reads } = watched(authPool, () => gate.promise)
  const ask = createAuthenticator(pool)
  const asking = Array.from({ length: 60 }, (_, n) => made[n % made.length]).filter(
    (key) => key !== undefined,
  )
  const results = Promise.all([
    ...asking.map((key) =>
      ask(key.value).then(({ credential, root }) => credential.id === key.id && root === key.root),
    ),
    ask(createKeyValue('user')).catch((error: { code: string }) => error.code === 'UNAUTHORIZED'),
  ])
  // Until every key has had its second turn, so that all of them wait for the read after the first.
  await sleep(20)
  gate.resolve()
  assert.deepEqual(new Set(await results), new Set([true]))
  assert.equal(reads(), 2)
})

test('a read that fails rejects all who waited for it, and the next request is answered', async () => {
  const { value, id } = await tenant.createKey('user')
  let failure: Error | null = new Error('out of reach')
  const ask = createAuthenticator(
    watched(authPool, async () => {
      if (failure !== null) throw failure
    }).pool,
  )
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => ask(value)))
  for (const outcome of outcomes) assert.equal(outcome.status === 'rejected' && outcome.reason, failure)
  failure = null
  assert.equal((await ask(value)).credential.id, id)
})

test('a request that starts after a revocation was answered never gets the result of a read from before', async () => {
  const { value, id } = await tenant.createKey('user')
  for (let trial = 0; trial < 25; trial++) {
    const flooding = new AbortController()
    const flood = Array.from({ length: 8 }, async () => {
      while (!flooding.signal.aborted) await authenticate(value).catch(() => {})
    })
    await superuser.query('update api_key set revoked_at = now() where id = $1', [id])
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => authenticate(value)))
    flooding.abort()
    await Promise.all(flood)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 0, `trial ${trial}`)
    await superuser.query('update api_key set revoked_at = null where id = $1', [id])
  }
})

test('every kind of key that becomes invalid in any way is refused by the very next request of every node [P2-ends-1]', async () => {
  const statuses = ({ key, path }: KeyInvalidation) =>
    Promise.all(nodes.map(async (node) => (await node.call(path, { key })).status))
  for (const ending of await createKeyInvalidations(tenant, superuser)) {
    for (let trial = 0; trial < 2; trial++) {
      assert.deepEqual(await statuses(ending), [200, 200], `before: ${ending.name}`)
      await ending.invalidate()
      assert.deepEqual(await statuses(ending), [ending.status, ending.status], ending.name)
      await ending.restore()
    }
  }
})

test('a change of a custom role acts on the very next request [P2-ends-1]', async () => {
  const key = await tenant.createKey('user', { role: ['organization_management:read'] })
  const [node] = nodes
  assert.equal((await node?.call('/v1/organizations', { key: key.value }))?.status, 200)
  await superuser.query(
    `update custom_role set permissions = '{}' where id in (select custom_role_id from membership where person_id = $1)`,
    [key.owner],
  )
  assert.equal(
    (await node?.call('/v1/organizations', { key: key.value }))?.body.error?.code,
    'PERMISSION_DENIED',
  )
})

test('a key may do what it was given and what its owner’s role allows, both [P2-perm-1]', async () => {
  const given = ['learning:write', 'audit_log:read', 'metrics:read'] as const
  const [asAdmin, asMember, asCustom, asNothing, all] = await Promise.all([
    tenant.createKey('user', { permissions: given, role: 'cr_admin' }),
    tenant.createKey('user', { permissions: given, role: 'cr_member' }),
    tenant.createKey('user', { permissions: given, role: ['audit_log:read', 'billing:read'] }),
    tenant.createKey('user', { permissions: [], role: 'cr_admin' }),
    tenant.createKey('user', { role: 'cr_member' }),
  ])
  const permissions = async (key: TestKey) => [...(await authenticate(key.value)).permissions].sort()
  assert.deepEqual(await permissions(asAdmin), [...given].sort())
  assert.deepEqual(await permissions(asMember), ['learning:write', 'metrics:read'])
  assert.deepEqual(await permissions(asCustom), ['audit_log:read'])
  assert.deepEqual(await permissions(asNothing), [])
  assert.deepEqual(await permissions(all), [...getSystemRolePermissions('cr_member')].sort())
})

test('a permission that does not exist gives nothing, wherever it is written', async () => {
  const key = await tenant.createKey('user')
  await superuser.query(
    `update api_key set permissions = '{everything:write,learning:read,*}' where id = $1`,
    [key.id],
  )
  assert.deepEqual([...(await authenticate(key.value)).permissions], ['learning:read'])
})

test('only owners with the role cr_admin in the key’s organization are Admins there', async () => {
  const isAdmin = async (key: TestKey) => (await authenticate(key.value)).admin
  assert.equal(await isAdmin(await tenant.createKey('user', { role: 'cr_admin' })), true)
  assert.equal(await isAdmin(await tenant.createKey('user', { role: 'cr_member' })), false)
  assert.equal(await isAdmin(await tenant.createKey('user', { role: 'cr_billing_admin' })), false)
  assert.equal(await isAdmin(await tenant.createKey('user', { role: allPermissions })), false)
})

test('a role in a sibling organization gives nothing in the organization of the key', async () => {
  const key = await tenant.createKey('user', { role: 'cr_admin' })
  await superuser.query('delete from membership where person_id = $1 and organization_id = $2', [
    key.owner,
    tenant.workspace.organizations[0].id,
  ])
  const principal = await authenticate(key.value)
  assert.deepEqual([principal.admin, principal.permissions.size], [false, 0])
})

test('a workspace admin counts as Admin in each organization of the workspace, member or not', async () => {
  const key = await tenant.createKey('user', { role: 'cr_member' })
  await superuser.query('update person set workspace_admin = true where id = $1', [key.owner])
  const asMember = await authenticate(key.value)
  assert.deepEqual([asMember.admin, asMember.permissions.size], [true, allPermissions.length])
  await superuser.query('delete from membership where person_id = $1', [key.owner])
  assert.equal((await authenticate(key.value)).admin, true)
})

test('an instance key acts as Admin, with the permissions it was given [P2-instance-1]', async () => {
  const key = await tenant.createKey('instance', { permissions: ['metrics:read'] })
  const principal = await authenticate(key.value)
  assert.deepEqual([principal.admin, [...principal.permissions]], [true, ['metrics:read']])
})

test('a root without a subscription counts as one on the lowest plan, without a subscription', async () => {
  const key = await tenant.createKey('user', { of: 'alone' })
  await superuser.query('delete from subscription where root_id = $1', [key.root])
  const { plan, subscriptionActive } = await authenticate(key.value)
  assert.deepEqual([plan, subscriptionActive], ['free', false])
})
