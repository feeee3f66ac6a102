import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { Type } from 'typebox'
import { startService, type TestService } from '../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { createTenant, type Tenant, type TestKey } from '../../test/tenant.ts'
import { connect, type Pool } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { PersonId, RootId } from '../ids.ts'
import { organizations, repositories } from '../resources/organizations/route.ts'
import { chainHash, contentDigest, genesis } from './audit/chain.ts'
import { auditRefusalCounts } from './audit/refusal-counts.ts'
import { type AuditEntry, writeAuditEntry } from './audit.ts'
import { createAuthenticator } from './authenticate.ts'
import type { Principal } from './principal.ts'
import { createRefusalLog } from './refusals.ts'
import { rootScope } from './scope.ts'

const refusing: Endpoint = {
  ...organizations,
  method: 'POST',
  path: '/v1/refusing',
  operationId: 'refusing',
  query: Type.Object({}, { additionalProperties: false }),
  paging: null,
  replies: {},
  run: () => refuse('SELF_HOSTED_ONLY', 'Not here.'),
}

let database: TestDatabase
let superuser: pg.Client
let tenant: Tenant
let api: Pool
let service: TestService
/** A root of its own for each test, so that each has a chain from its beginning. */
let root: RootId

before(async () => {
  database = await createDatabase()
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  tenant = await createTenant(database)
  api = connect({ url: database.urls.api, name: 'test', connections: 20 })
  service = startService(database, { LIMIT_SEATS: '2/60' }, [
    organizations,
    repositories,
    { ...organizations, path: '/v1/limited', operationId: 'limited', limit: 'seats' },
    { ...organizations, path: '/v1/seats', operationId: 'seats', refusals: ['NO_ACTIVE_SUBSCRIPTION'] },
    { ...organizations, path: '/v1/admins', operationId: 'admins', admin: true },
    {
      ...organizations,
      path: '/v1/nowhere',
      operationId: 'nowhere',
      run: () => refuse('NOT_FOUND', 'No such thing.'),
    },
    refusing,
  ])
})
after(async () => {
  await Promise.all([service.stop(), api.end(), tenant.close(), superuser.end()])
  await database.drop()
})
beforeEach(async () => {
  root = randomUUID() as RootId
  await superuser.query(`insert into root (id, kind, name) values ($1, 'organization', 'r')`, [root])
})

const entry = (over: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'role_changed',
  resourceId: 'x',
  organization: null,
  actor: { kind: 'operator', id: null },
  metadata: { z: 1, a: ['é', null, true], ünï: 'code "quoted"' },
  ...over,
})
const write = (over?: Partial<AuditEntry>, at = new Date()) =>
  inTransaction(api, rootScope(root), (tx) => writeAuditEntry(tx, rootScope(root), entry(over), at))

interface StoredAuditRow {
  readonly position: string
  readonly at: Date
  readonly previous_hash: Buffer
  readonly hash: Buffer
  readonly sealed: Record<string, string>
  readonly metadata: Record<string, unknown>
  readonly action: string
  readonly actor_id: string | null
}

async function chain(of: string = root): Promise<StoredAuditRow[]> {
  const { rows } = await superuser.query<StoredAuditRow>(
    `select position, id, organization_id, at, action, resource_type, resource_id, actor_kind, actor_id, metadata, sealed,
       previous_hash, hash from audit_log where root_id = $1 order by position`,
    [of],
  )
  return rows
}

/** The position of the first row that does not stand where it should; null = the chain holds up to its head. */
async function firstFault(of: string = root): Promise<number | null> {
  let previous: Buffer = genesis
  const rows = await chain(of)
  for (const [index, { position, previous_hash, hash, ...content }] of rows.entries()) {
    const digest = contentDigest({ ...content, at: content.at.toISOString() })
    const expected = chainHash(previous, index + 1, digest)
    if (Number(position) !== index + 1 || !previous_hash.equals(previous) || !hash.equals(expected))
      return index + 1
    previous = hash
  }
  const { rows: heads } = await superuser.query<{ position: string; hash: Buffer }>(
    'select position, hash from audit_head where root_id = $1',
    [of],
  )
  const head = heads[0]
  return head && Number(head.position) === rows.length && head.hash.equals(previous) ? null : rows.length + 1
}

test('each row carries the hash of the row before it, and the chain verifies from what is stored [P4-6]', async () => {
  for (let n = 0; n < 5; n++) await write({ resourceId: String(n), actor: { kind: 'key', id: randomUUID() } })
  const rows = await chain()
  assert.deepEqual(
    rows.map(({ position }) => Number(position)),
    [1, 2, 3, 4, 5],
  )
  assert.deepEqual(rows[0]?.previous_hash, genesis)
  for (const [index, row] of rows.slice(1).entries()) assert.deepEqual(row.previous_hash, rows[index]?.hash)
  assert.equal(await firstFault(), null)
})

test('the chains of the tenants that handlers have made verify too', async () => {
  for (const { root: of } of [tenant.workspace, tenant.instance, tenant.alone, tenant.lower]) {
    assert.ok((await chain(of)).length > 3)
    assert.equal(await firstFault(of), null)
  }
})

for (const [what, tampering] of Object.entries({
  id: `update audit_log set id = gen_random_uuid() where position = 3`,
  organization: `update audit_log set organization_id = gen_random_uuid() where position = 3`,
  time: `update audit_log set at = at + interval '1 ms' where position = 3`,
  action: `update audit_log set action = 'thing_kept' where position = 3`,
  'resource type': `update audit_log set resource_type = 'other' where position = 3`,
  'resource id': `update audit_log set resource_id = null where position = 3`,
  'kind of actor': `update audit_log set actor_kind = 'service' where position = 3`,
  actor: `update audit_log set actor_id = gen_random_uuid() where position = 3`,
  metadata: `update audit_log set metadata = metadata || '{"z": 2}' where position = 3`,
  'more metadata': `update audit_log set metadata = metadata || '{"more": null}' where position = 3`,
  'sealed digest': `update audit_log set sealed = '{}' where position = 3`,
  'previous hash': `update audit_log set previous_hash = hash where position = 3`,
  hash: `update audit_log set hash = sha256(hash) where position = 3`,
  position: `update audit_log set position = 33 where position = 3`,
  deletion: `delete from audit_log where position = 3`,
  'order of two rows': `update audit_log set position = 7 - position where position in (3, 4)`,
  'end cut off': `delete from audit_log where position = 5`,
})) {
  test(`tampering is found: ${what}`, async () => {
    const start = Date.now()
    for (let n = 0; n < 5; n++) await write({ personal: { name: 'Ada' } }, new Date(start + n))
    await superuser.query(`${tampering} and root_id = '${root}'`)
    assert.ok(((await firstFault()) ?? 0) >= 3)
  })
}

test('20 concurrent writers never fork a chain: every position once, in the order of the commits [P4-6]', async () => {
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 10; n++) await write()
    }),
  )
  assert.equal((await chain()).length, 200)
  assert.equal(await firstFault(), null)
})

test('a change that is rolled back leaves no row and no gap', async () => {
  await write()
  const undone = inTransaction(api, rootScope(root), async (tx) => {
    await writeAuditEntry(tx, rootScope(root), entry(), new Date())
    throw new Error('no')
  })
  await assert.rejects(undone, /no/)
  await write()
  assert.equal((await chain()).length, 2)
  assert.equal(await firstFault(), null)
})

test('names, e-mails and addresses are in the chain as salted digests of their clear values [P4-8]', async () => {
  const person = randomUUID() as PersonId
  await write({ personal: { name: 'Ada Lovelace', email: 'ada@example.com' }, person })
  await write({ personal: { name: 'Ada Lovelace' }, person })
  const [first, second] = await chain()
  const { rows } = await superuser.query<{
    person_id: string
    clear: Record<string, { salt: string; value: string }>
  }>('select person_id, clear from audit_clear where root_id = $1 order by position', [root])
  for (const [name, digest] of Object.entries(first?.sealed ?? {})) {
    const { salt = '', value = '' } = rows[0]?.clear[name] ?? {}
    assert.equal(
      digest,
      createHash('sha256')
        .update(salt + value)
        .digest('hex'),
    )
    assert.ok(salt.length >= 32)
  }
  assert.deepEqual(Object.keys(first?.sealed ?? {}).sort(), ['email', 'name'])
  assert.deepEqual(
    rows.map(({ person_id }) => person_id),
    [person, person],
  )
  assert.notEqual(first?.sealed['name'], second?.sealed['name'])
  assert.ok(!JSON.stringify(await chain()).includes('Ada'))
})

test('erasing the clear values of a person keeps the chain [P4-8]', async () => {
  const person = randomUUID() as PersonId
  for (let n = 0; n < 3; n++) await write({ personal: { name: 'Ada' }, person })
  await superuser.query('delete from audit_clear where root_id = $1 and person_id = $2', [root, person])
  await write()
  assert.equal(await firstFault(), null)
})

async function authenticateKey({ value }: TestKey): Promise<Principal> {
  const authPool = connect({ url: database.urls.auth, name: 'test', connections: 1 })
  const principal = await createAuthenticator(authPool)(value)
  await authPool.end()
  return principal
}

const refusalRows = async (of: string, keyId: string) =>
  (await chain(of)).filter((row) => row.action === 'request_refused' && row.actor_id === keyId)

/** The refusals of one key in the chain of its root, as code and count. */
async function refusals({ root: of, id }: TestKey): Promise<unknown[]> {
  return (await refusalRows(of, id)).map(({ metadata }) => metadata['code'])
}

test('the first refusal of a minute per key, route and code is a row at once; the rest are counted after the minute [P4-10]', async () => {
  const [one, other] = await Promise.all([tenant.createKey('user'), tenant.createKey('user')])
  const [principal, stranger] = await Promise.all([authenticateKey(one), authenticateKey(other)])
  let now = new Date('2026-03-01T10:00:30Z')
  const log = createRefusalLog(api, () => now)
  const refused = { principal, route: 'GET /a', code: 'PERMISSION_DENIED', address: '192.0.2.1' } as const
  for (let n = 0; n < 5; n++) await log.note(refused)
  await log.note({ ...refused, route: 'GET /b' })
  await log.note({ ...refused, code: 'NOT_ADMIN' })
  await log.note({ ...refused, principal: stranger })
  assert.deepEqual(await refusals(one), ['PERMISSION_DENIED', 'PERMISSION_DENIED', 'NOT_ADMIN'])
  assert.deepEqual(await refusals(other), ['PERMISSION_DENIED'])
  await log.flush()
  now = new Date('2026-03-01T10:01:01Z')
  await log.flush()
  await log.flush()
  const { rows } = await superuser.query(
    `select route, code, refused from refusal_count where key_id = $1 order by route, code`,
    [one.id],
  )
  assert.deepEqual(rows, [
    { route: 'GET /a', code: 'NOT_ADMIN', refused: 1 },
    { route: 'GET /a', code: 'PERMISSION_DENIED', refused: 5 },
    { route: 'GET /b', code: 'PERMISSION_DENIED', refused: 1 },
  ])
  await log.note(refused)
  assert.equal((await refusals(one)).length, 4)
  assert.equal(await firstFault(one.root), null)
})

test('refused sign-ins of a minute per person, method and reason are one row at once and one with the count', async () => {
  const { root: workspace, admin: person } = tenant.workspace
  let now = new Date('2026-03-01T10:30:30Z')
  const log = createRefusalLog(api, () => now)
  const refused = {
    root: workspace,
    person,
    method: 'passkey',
    reason: 'wrong_signature',
    issuer: null,
  } as const
  for (let n = 0; n < 5; n++) await log.noteSignIn(refused, '192.0.2.1')
  await log.noteSignIn({ ...refused, person: null, issuer: 'https://idp.example.com' }, '192.0.2.1')
  const readRows = async () =>
    (await chain(workspace))
      .filter(({ action }) => action === 'session_refused')
      .map(({ metadata }) => metadata)
  const common = { reason: 'wrong_signature', method: 'passkey' }
  const first = [
    { ...common, person_id: person },
    { ...common, issuer: 'https://idp.example.com' },
  ]
  assert.deepEqual(await readRows(), first)
  now = new Date('2026-03-01T10:31:00Z')
  await log.flush()
  const worker = connect({ url: database.urls.worker, name: 'test', connections: 1 })
  await auditRefusalCounts(worker, new Date('2026-03-01T10:40:00Z'))
  await worker.end()
  const counted = { count: 4, minute: '2026-03-01T10:30:00.000Z' }
  assert.deepEqual(await readRows(), [...first, { ...common, person_id: person, ...counted }])
  assert.equal(await firstFault(workspace), null)
})

test('two nodes write one first row between them, and their counts add up [P4-10]', async () => {
  const key = await tenant.createKey('user')
  const principal = await authenticateKey(key)
  let now = new Date('2026-03-01T11:00:30Z')
  const nodes = [createRefusalLog(api, () => now), createRefusalLog(api, () => now)]
  const refused = { principal, route: 'GET /a', code: 'NOT_ADMIN', address: '192.0.2.1' } as const
  await Promise.all(nodes.flatMap((node) => [node.note(refused), node.note(refused), node.note(refused)]))
  assert.deepEqual(await refusals(key), ['NOT_ADMIN'])
  now = new Date('2026-03-01T11:01:00Z')
  await Promise.all(nodes.map((node) => node.flush()))
  const { rows } = await superuser.query('select refused from refusal_count where key_id = $1', [key.id])
  assert.deepEqual(rows, [{ refused: 6 }])
})

test('a count that cannot be written is kept for the next flush', async () => {
  const key = await tenant.createKey('user')
  const principal = await authenticateKey(key)
  let now = new Date('2026-03-01T12:00:30Z')
  let away = false
  const shaky = Object.assign(Object.create(api) as Pool, {
    connect: () => (away ? Promise.reject(new Error('away')) : api.connect()),
  })
  const log = createRefusalLog(shaky, () => now)
  const refused = { principal, route: 'GET /a', code: 'NOT_ADMIN', address: '192.0.2.1' } as const
  for (let n = 0; n < 3; n++) await log.note(refused)
  now = new Date('2026-03-01T12:01:00Z')
  away = true
  await assert.rejects(log.flush())
  away = false
  await log.flush()
  const { rows } = await superuser.query('select refused from refusal_count where key_id = $1', [key.id])
  assert.deepEqual(rows, [{ refused: 3 }])
})

test('a refusal that comes while the counts are flushed is not counted twice', async () => {
  const key = await tenant.createKey('user')
  const principal = await authenticateKey(key)
  let now = new Date('2026-03-01T13:00:30Z')
  let gate = Promise.resolve()
  const shaky = Object.assign(Object.create(api) as Pool, {
    connect: async () => {
      await gate
      return api.connect()
    },
  })
  const log = createRefusalLog(shaky, () => now)
  const refused = { principal, route: 'GET /a', code: 'NOT_ADMIN', address: '192.0.2.1' } as const
  for (let n = 0; n < 3; n++) await log.note(refused)
  now = new Date('2026-03-01T13:01:00Z')
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  const working = Promise.all([log.flush(), log.note(refused), log.flush()])
  opened.resolve()
  await working
  const { rows } = await superuser.query(
    'select refused from refusal_count where key_id = $1 order by minute',
    [key.id],
  )
  assert.deepEqual(rows, [{ refused: 3 }, { refused: 1 }])
})

test('403, 410 and 404 of an organization are audited: who, where, which code, and the address under seal [P4-9]', async () => {
  const cases: [Promise<TestKey>, string, string, object?][] = [
    [tenant.createKey('legacy'), '/v1/organizations', 'LEGACY_API_KEY'],
    [tenant.createKey('workspace', { demotedOwner: true }), '/v1/organizations', 'OWNER_NOT_ADMIN'],
    [tenant.createKey('user', { permissions: [] }), '/v1/organizations', 'PERMISSION_DENIED'],
    [tenant.createKey('user', { role: 'cr_member' }), '/v1/admins', 'NOT_ADMIN'],
    [tenant.createKey('user', { of: 'lower' }), '/v1/organizations', 'ENTERPRISE_REQUIRED'],
    [tenant.createKey('user'), '/v1/refusing', 'SELF_HOSTED_ONLY', {}],
    [tenant.createKey('user'), '/v1/refusing', 'SELF_HOSTED_ONLY', { 'idempotency-key': randomUUID() }],
  ]
  for (const [making, url, code, headers] of cases) {
    const key = await making
    const response = await service.call(url, {
      key: key.value,
      ...(headers && { method: 'POST', headers: { ...headers } }),
    })
    assert.equal(response.body.error?.code, code)
    const rows = await refusalRows(key.root, key.id)
    const route = `${headers ? 'POST' : 'GET'} ${url}`
    assert.deepEqual(
      rows.map(({ metadata }) => [metadata['code'], metadata['route']]),
      [[code, route]],
      `${code} ${JSON.stringify(headers)}`,
    )
    assert.deepEqual(Object.keys(rows[0]?.sealed ?? {}), ['ip_address'])
  }
})

test('404 of an organization that a path names is audited, whether it is foreign or does not exist [P4-9]', async () => {
  for (const id of [randomUUID(), tenant.alone.organizations[0].id]) {
    const key = await tenant.createKey('workspace')
    await service.call(`/v1/organizations/${id}/repositories`, { key: key.value })
    assert.deepEqual(await refusals(key), ['ORGANIZATION_NOT_FOUND'])
  }
})

test('401, 429, 400, 402, 404 of a thing, 405 and success write no row [P4-11]', async () => {
  const [key, unpaid] = await Promise.all([
    tenant.createKey('user'),
    tenant.createKey('user', { of: 'alone' }),
  ])
  await superuser.query('update subscription set active = false where root_id = $1', [unpaid.root])
  const rowsBefore = (await superuser.query('select count(*) from audit_log')).rows
  const ask = async (url: string, value?: string, method: 'GET' | 'PUT' = 'GET') =>
    (await service.call(url, { key: value, method })).status
  assert.deepEqual([await ask('/v1/organizations'), await ask('/v1/organizations', 'x')], [401, 401])
  assert.deepEqual(
    [await ask('/v1/organizations?x=1', key.value), await ask('/v1/organizations?cursor=x', key.value)],
    [400, 400],
  )
  assert.deepEqual([await ask('/v1/limited', key.value), await ask('/v1/limited', key.value)], [200, 200])
  assert.deepEqual([await ask('/v1/limited', key.value), await ask('/v1/limited', key.value)], [429, 429])
  assert.deepEqual([await ask('/v1/seats', unpaid.value), await ask('/v1/nowhere', key.value)], [402, 404])
  assert.deepEqual(
    [await ask('/v1/organizations', key.value, 'PUT'), await ask('/v1/none', key.value)],
    [405, 404],
  )
  assert.deepEqual((await superuser.query('select count(*) from audit_log')).rows, rowsBefore)
})
