import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Type } from 'typebox'
import { startService, type TestService } from '../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { createTenant, type Tenant } from '../../test/tenant.ts'
import { waitFor } from '../../test/wait.ts'
import { defaultLimits, type Limit, readApiConfig } from '../config.ts'
import { connect, type Pool } from '../db/connect.ts'
import { inTransaction, type Tx } from '../db/transaction.ts'
import type { Refusal } from '../errors.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { ok } from '../http/reply.ts'
import type { OrganizationId, RootId } from '../ids.ts'
import { organizations } from '../resources/organizations/route.ts'
import { createLimiter, type Limiter, takeConcurrencySlot, type WindowOwner } from './limit.ts'
import { rootScope } from './scope.ts'

const refused = { name: 'Refusal', code: 'RATE_LIMIT_EXCEEDED' }
const root = randomUUID() as RootId
const NoFields = Type.Object({}, { additionalProperties: false })

let database: TestDatabase
let superuser: pg.Client
let tenant: Tenant
/** Two of them, as two nodes have. */
let pools: [Pool, Pool]

before(async () => {
  database = await createDatabase()
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  tenant = await createTenant(database)
  const pool = () => connect({ url: database.urls.api, name: 'test', connections: 6 })
  pools = [pool(), pool()]
  // What each window admitted, by the database's own clock.
  await superuser.query(`
    create table admission (owner_id uuid, at timestamptz);
    create function note_admission() returns trigger language plpgsql security definer as $$
      begin insert into admission values (new.owner_id, new.stamps[cardinality(new.stamps)]); return null; end $$;
    create trigger note after insert or update on limit_window for each row execute function note_admission()`)
})
after(async () => {
  await Promise.all([...pools.map((pool) => pool.end()), tenant.close(), superuser.end()])
  await database.drop()
})

const newOwner = (): WindowOwner => ({ root, organization: randomUUID() as OrganizationId })
const createKeysLimiter = (limit: Limit | null, clock?: () => number) =>
  createLimiter({ ...defaultLimits, keys: limit }, clock)

function admit(of: Limiter, owner: WindowOwner, pool: Pool = pools[0]): Promise<Record<string, string>> {
  return inTransaction(pool, rootScope(root), (tx) => of.admit(tx, 'keys', owner))
}

async function admissions({ organization }: WindowOwner): Promise<number[]> {
  const { rows } = await superuser.query<{ at: number }>(
    'select extract(epoch from at)::float8 as at from admission where owner_id = $1 order by at',
    [organization],
  )
  return rows.map(({ at }) => at)
}

const catchRefusal = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('was not refused'),
    (error: Refusal) => error,
  )

test('no sliding window ever admits more than its limit, over two nodes under concurrent callers [P1-limit-2]', async () => {
  const limit = { requests: 5, seconds: 1 }
  const owner = newOwner()
  const until = performance.now() + 3200
  const callers = Array.from({ length: 12 }, async (_, n) => {
    const node = createKeysLimiter(limit)
    while (performance.now() < until) await admit(node, owner, pools[n % 2]).catch(() => {})
  })
  await Promise.all(callers)
  const times = await admissions(owner)
  for (const [index, time] of times.entries()) {
    const later = times[index + limit.requests]
    assert.ok(later === undefined || later - time > limit.seconds, `${index}: ${times.join(' ')}`)
  }
  assert.ok(times.length >= 15, `${times.length} were admitted in 3.2 seconds`)
})

test('exactly so many of a burst are admitted, whichever nodes it hits [P1-limit-2]', async () => {
  const owner = newOwner()
  const nodes = pools.map((pool) => ({ pool, limiter: createKeysLimiter({ requests: 7, seconds: 60 }) }))
  const burst = Array.from({ length: 40 }, (_, n) => {
    const { limiter: of, pool } = nodes[n % 2] ?? assert.fail()
    return admit(of, owner, pool)
  })
  const outcomes = await Promise.allSettled(burst)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 7)
})

test('refused requests do not count, and sleeping exactly Retry-After is accepted', async () => {
  const of = createKeysLimiter({ requests: 3, seconds: 6 })
  const trials = Array.from({ length: 25 }, async (_, n) => {
    const owner = newOwner()
    const pool = pools[n % 2]
    await sleep(n * 17)
    for (let used = 0; used < 3; used++) await admit(of, owner, pool)
    await sleep((n * 131) % 1800)
    let wait = ''
    for (let again = 0; again < 4; again++) {
      const { code, headers } = await catchRefusal(admit(of, owner, pool))
      assert.equal(code, 'RATE_LIMIT_EXCEEDED')
      wait = headers['retry-after'] ?? ''
    }
    assert.match(wait, /^[1-9]\d*$/)
    await sleep(Number(wait) * 1000)
    of.refuseIfKnownFull('keys', owner)
    await admit(of, owner, pool)
  })
  await Promise.all(trials)
})

test('a full window is refused from memory, without a statement, and only there', async () => {
  let clock = 5_000
  const of = createKeysLimiter({ requests: 1, seconds: 60 }, () => clock)
  const owner = newOwner()
  of.refuseIfKnownFull('keys', owner)
  await admit(of, owner)
  of.refuseIfKnownFull('keys', owner)
  await assert.rejects(admit(of, owner), refused)
  assert.throws(() => of.refuseIfKnownFull('keys', owner), refused)
  of.refuseIfKnownFull('keys', newOwner())
  of.refuseIfKnownFull('seats', owner)
  clock += 30_000
  assert.throws(
    () => of.refuseIfKnownFull('keys', owner),
    ({ headers }: Refusal) => Number(headers['retry-after']) <= 31 && Number(headers['retry-after']) >= 29,
  )
  clock += 30_001
  of.refuseIfKnownFull('keys', owner)
})

test('a flood on a full window costs its node no statement for the limit', async () => {
  const service = startService(database, { LIMIT_ORGANIZATIONS: '1/60' })
  const { value: key } = await tenant.createKey('organization')
  assert.equal((await service.call('/v1/organizations', { key })).status, 200)
  assert.equal((await service.call('/v1/organizations', { key })).status, 429)
  const connectToDatabase = service.apiPool.connect.bind(service.apiPool)
  Object.assign(service.apiPool, { connect: () => Promise.reject(new Error('a statement')) })
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => service.call('/v1/organizations', { key })),
  )
  Object.assign(service.apiPool, { connect: connectToDatabase })
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([429]))
  await service.stop()
})

test('a limit that is off admits everything, keeps nothing and shows no headers', async () => {
  const of = createKeysLimiter(null)
  const owner = newOwner()
  for (let used = 0; used < 20; used++) assert.deepEqual(await admit(of, owner), {})
  of.refuseIfKnownFull('keys', owner)
  assert.deepEqual(await admissions(owner), [])
})

test('a limit that is lowered or raised holds at once, for what was admitted before too [P1-limit-8]', async () => {
  const owner = newOwner()
  for (let used = 0; used < 5; used++) await admit(createKeysLimiter({ requests: 5, seconds: 60 }), owner)
  await assert.rejects(admit(createKeysLimiter({ requests: 3, seconds: 60 }), owner), refused)
  await assert.rejects(admit(createKeysLimiter({ requests: 5, seconds: 60 }), owner), refused)
  const raised = createKeysLimiter({ requests: 7, seconds: 60 })
  await admit(raised, owner)
  await admit(raised, owner)
  await assert.rejects(admit(raised, owner), refused)
})

test('a setting that would admit nothing, or everything by mistake, is refused at the start', () => {
  const environment = {
    SIGNING_KEYS: `test:${'ab'.repeat(32)}`,
    AUTH_DATABASE_URL: 'x',
    API_DATABASE_URL: 'x',
  }
  const read = (value: string) =>
    readApiConfig({ ...environment, LIMIT_SEAT_MODE: value }).limits['seat-mode']
  assert.deepEqual(read('7/30'), { requests: 7, seconds: 30 })
  assert.equal(read('off'), null)
  for (const value of ['0/60', '10/0', '10', '', '/', '-1/60', '1e3/60', '10/60s', '010/60', 'none', 'OFF']) {
    assert.throws(() => read(value), /LIMIT_SEAT_MODE must be requests\/seconds/, value)
  }
})

test('RateLimit-Policy gives the limit and RateLimit what is left of it', async () => {
  const of = createKeysLimiter({ requests: 3, seconds: 60 })
  const owner = newOwner()
  const shown: Record<string, string>[] = []
  for (let used = 0; used < 3; used++) shown.push(await admit(of, owner))
  for (const headers of shown) assert.equal(headers['ratelimit-policy'], '"keys";q=3;w=60')
  assert.deepEqual(
    shown.map(({ ratelimit }) => ratelimit?.replace(/t=(?:59|60)$/, 't=60')),
    ['"keys";r=2;t=60', '"keys";r=1;t=60', '"keys";r=0;t=60'],
  )
  const { headers } = await catchRefusal(admit(of, owner))
  assert.match(headers['ratelimit'] ?? '', /^"keys";r=0;t=(?:59|60)$/)
  assert.equal(headers['ratelimit-policy'], '"keys";q=3;w=60')
})

test('each organization, each root and each policy has a window of its own', async () => {
  const of = createKeysLimiter({ requests: 1, seconds: 60 })
  const [one, other] = [newOwner(), newOwner()]
  for (const owner of [one, other, { root, organization: null }]) await admit(of, owner)
  await inTransaction(pools[0], rootScope(root), (tx) => of.admit(tx, 'seats', one))
  for (const owner of [one, other, { root, organization: null }])
    await assert.rejects(admit(of, owner), refused)
})

test('the keys of an organization share its window; a workspace token has the one of the root', async () => {
  const service = startService(database, { LIMIT_ORGANIZATIONS: '2/60' })
  const ask = async (key: string) => (await service.call('/v1/organizations', { key })).status
  const [bound, user, workspace] = await Promise.all([
    tenant.createKey('organization', { of: 'alone' }),
    tenant.createKey('user', { of: 'alone' }),
    tenant.createKey('workspace'),
  ])
  assert.deepEqual([await ask(bound.value), await ask(user.value)], [200, 200])
  assert.deepEqual(
    [await ask(bound.value), await ask(user.value), await ask(workspace.value)],
    [429, 429, 200],
  )
  await service.stop()
})

test('the limit of concurrent work holds over two nodes; the next request is asked to retry in a second', async () => {
  const owner = newOwner()
  const running: (() => void)[] = []
  const run = (pool: Pool, of = owner) =>
    new Promise<void>((resolve, reject) => {
      const hold = async (tx: Tx) => {
        await takeConcurrencySlot(tx, 3, 'seats', of)
        await new Promise<void>((release) => {
          running.push(release)
          resolve()
        })
      }
      inTransaction(pool, rootScope(root), hold).catch(reject)
    })
  for (const pool of [pools[0], pools[1], pools[0]]) await run(pool)
  for (const pool of pools) {
    const { code, headers } = await catchRefusal(run(pool))
    assert.deepEqual([code, headers['retry-after']], ['RATE_LIMIT_EXCEEDED', '1'])
  }
  await run(pools[1], newOwner())
  running.shift()?.()
  const isAdmitted = () =>
    run(pools[1]).then(
      () => true,
      () => false,
    )
  await waitFor('the slot is free', isAdmitted)
  for (const release of running) release()
})

test('a request that is refused because too many run at a time does not count', async () => {
  const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Endpoint = {
    ...organizations,
    method: 'POST',
    path: '/v1/slow',
    operationId: 'slow',
    limit: 'seats',
    concurrency: 1,
    query: NoFields,
    paging: null,
    replies: {},
    run: () => {
      started.resolve()
      return held.promise.then(() => ok({}))
    },
  }
  const service: TestService = startService(database, { LIMIT_SEATS: '2/60' }, [slow])
  const { value: key } = await tenant.createKey('user', {
    organization: tenant.workspace.organizations[0].id,
  })
  const first = service.call('/v1/slow', { key, method: 'POST' })
  await started.promise
  assert.equal((await service.call('/v1/slow', { key, method: 'POST' })).status, 429)
  held.resolve()
  assert.equal((await first).status, 200)
  assert.equal((await service.call('/v1/slow', { key, method: 'POST' })).status, 200)
  await service.stop()
})

test('every limit has the default of the contract [P1-limit-8 P12-pending-1 P13-session-5]', () => {
  const ten = { requests: 10, seconds: 60 }
  const sixty = { requests: 60, seconds: 60 }
  assert.deepEqual(defaultLimits, {
    organizations: ten,
    repositories: ten,
    users: ten,
    seats: ten,
    'seat-mode': ten,
    'offboarding-dry-runs': sixty,
    roles: ten,
    'custom-roles': ten,
    keys: ten,
    'learnings-writes': ten,
    'learnings-dry-runs': sixty,
    'learnings-pending': sixty,
    metrics: ten,
    'finding-outcomes': sixty,
    audit: sixty,
    security: sixty,
    settings: sixty,
    connectors: sixty,
    'ingest-status': sixty,
    'event-status': { requests: 600, seconds: 60 },
    'review-context': { requests: 600, seconds: 60 },
    'session-reads': { requests: 120, seconds: 60 },
    scim: { requests: 600, seconds: 60 },
    'sign-in': { requests: 60, seconds: 60 },
  })
})
