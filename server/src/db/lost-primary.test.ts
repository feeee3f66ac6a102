// What happens on a server that is a standby, that stops responding, or that waits for its standby. On engines of its own.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createBus, createWorkerContext, type TestBus } from '../../test/bus.ts'
import { startService } from '../../test/call.ts'
import { createDatabaseOn, type TestDatabase } from '../../test/database.ts'
import { probeFamily } from '../../test/ingest.ts'
import { createOwnEngines, type OwnEngines } from '../../test/proofs/own-engines.ts'
import { createTenant, type Tenant } from '../../test/tenant.ts'
import { waitFor } from '../../test/wait.ts'
import type { EventBatch } from '../bus/ingest-event.ts'
import { replicated } from '../bus/queue/replicated.ts'
import { connect, type Pool, statement } from './connect.ts'
import { createDatabaseProbe } from './readiness.ts'
import { inTransactionUnscoped, runUnscoped } from './transaction.ts'
import { isDatabaseUnavailable } from './unavailable.ts'
import { requestLimits } from './wait-limits.ts'

const readPid = statement('test.pid', 'select pg_backend_pid() as pid')
const insertNote = statement('test.insert-note', 'insert into note (id) values ($1)')

let engines: OwnEngines
let database: TestDatabase
let testBus: TestBus
let tenant: Tenant
let superuser: pg.Pool
let pool: Pool

before(async () => {
  ;[engines, testBus] = await Promise.all([createOwnEngines(), createBus()])
  database = await createDatabaseOn(engines.postgres.url)
  tenant = await createTenant(database)
  superuser = database.superuser()
  superuser.on('error', () => {})
  await superuser.query('create table note (id uuid primary key); grant insert on note to scholiast_worker')
  pool = connect({ url: database.urls.worker, name: 'test', connections: 1, limits: requestLimits })
})
after(async () => {
  await Promise.all([pool.end(), superuser.end(), tenant.close(), testBus.drop()])
  await engines.remove()
})

const write = (to = pool) => inTransactionUnscoped(to, (tx) => tx.query(insertNote, [randomUUID()]))
const readBackend = async (of = pool) => (await runUnscoped<{ pid: number }>(of, readPid, []))[0]?.pid ?? 0

async function setStandby(name: string): Promise<void> {
  await superuser.query(`alter system set synchronous_standby_names = '${name}'`)
  await superuser.query('select pg_reload_conf()')
  await waitFor('the setting is effective', async () => {
    const { rows } = await superuser.query<{ names: string }>(
      `select current_setting('synchronous_standby_names') as names`,
    )
    return rows[0]?.names === name
  })
}

async function countWaiting(): Promise<number> {
  const { rows } = await superuser.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`,
  )
  return rows[0]?.n ?? 0
}

test('each session has time-outs, keep-alives and the planner settings, without start-up options', async () => {
  const names = ['statement_timeout', 'idle_in_transaction_session_timeout', 'tcp_user_timeout']
  const settings = statement(
    'test.settings',
    'select name, setting from pg_settings where name = any ($1) order by name',
  )
  const planner = ['plan_cache_mode', 'jit', 'TimeZone', 'tcp_keepalives_idle']
  const found = await runUnscoped<{ name: string; setting: string }>(pool, settings, [[...names, ...planner]])
  assert.deepEqual(Object.fromEntries(found.map(({ name, setting }) => [name, setting])), {
    idle_in_transaction_session_timeout: '60000',
    jit: 'off',
    plan_cache_mode: 'force_generic_plan',
    statement_timeout: '20000',
    tcp_keepalives_idle: '10',
    tcp_user_timeout: '25000',
    TimeZone: 'UTC',
  })
})

test('a transaction that sends nothing ends, and with it its locks', async () => {
  const endSoon = `select set_config('idle_in_transaction_session_timeout', '500', true)`
  const opening = statement('test.end-soon', endSoon)
  const lost = connect({ url: database.urls.worker, name: 'test', connections: 1, opening })
  const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = statement('test.lock', 'select pg_advisory_xact_lock(4711)')
  const losing = inTransactionUnscoped(lost, async (tx) => {
    await tx.query(lock, [])
    held.resolve()
    await ended.promise
    await tx.query(readPid, [])
  })
  await held.promise
  const tryLock = statement('test.try-lock', 'select pg_try_advisory_xact_lock(4711) as taken')
  await waitFor('another gets the lock', async () => {
    const [row] = await runUnscoped<{ taken: boolean }>(pool, tryLock, [])
    return row?.taken ?? false
  })
  ended.resolve()
  await assert.rejects(losing, isDatabaseUnavailable)
  await lost.end()
})

test('a connection that meets a read-only server is discarded', async () => {
  await write()
  const earlier = await readBackend()
  await superuser.query('alter role scholiast_worker set default_transaction_read_only = on')
  await superuser.query('select pg_terminate_backend($1)', [earlier])
  await waitFor('the session is read-only', () => write().then(() => false, isReadOnly))
  assert.equal(await createProbeAnd((probe) => probe.check()), 'database read-only')
  await superuser.query('alter role scholiast_worker reset default_transaction_read_only')
  await waitFor('the next connection can write', () =>
    write().then(
      () => true,
      () => false,
    ),
  )
  assert.equal(await createProbeAnd((probe) => probe.check()), null)
})

const isReadOnly = (error: unknown) => (error as { code?: string }).code === '25006'

async function createProbeAnd<Result>(
  use: (probe: ReturnType<typeof createDatabaseProbe>) => Promise<Result>,
): Promise<Result> {
  const probe = createDatabaseProbe(database.urls.worker, 'test')
  try {
    return await use(probe)
  } finally {
    await probe.close()
  }
}

test('a single server process that stops is left within 5 seconds, and the next request is served', async () => {
  const stopped = await readBackend()
  process.kill(stopped, 'SIGSTOP')
  try {
    const startedAt = performance.now()
    await assert.rejects(readBackend(), isDatabaseUnavailable)
    assert.ok(performance.now() - startedAt < 6500)
    assert.notEqual(await readBackend(), stopped)
  } finally {
    process.kill(stopped, 'SIGCONT')
  }
})

test('a statement that takes too long is cancelled by the server and keeps its connection', async () => {
  const requests = connect({ url: database.urls.api, name: 'test', connections: 1, limits: requestLimits })
  const sleep = statement('test.sleep', 'select pg_sleep(10)')
  const earlier = await readBackend(requests)
  await assert.rejects(runUnscoped(requests, sleep, []), { code: '57014' })
  assert.equal(await readBackend(requests), earlier)
  await requests.end()
})

test('a commit that is cut off while it waits for its standby is visible, and its event is not acknowledged yet', async () => {
  const worker = connect({ url: database.urls.worker, name: 'test', connections: 4 })
  await setStandby('nobody')
  try {
    const event = randomUUID()
    const cut = inTransactionUnscoped(worker, (tx) => tx.query(insertNote, [event]))
    const failed = assert.rejects(cut, isDatabaseUnavailable)
    await waitFor('the commit waits', async () => (await countWaiting()) === 1)
    const isVisible = async () =>
      (await superuser.query('select from note where id = $1', [event])).rowCount === 1
    assert.equal(await isVisible(), false)
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    )
    await failed
    assert.equal(await isVisible(), true)

    // The redelivered message finds its event stored and has nothing to write.
    const context = createWorkerContext(worker, testBus.bus)
    const batch = { root: randomUUID(), credential: randomUUID(), organizations: null, events: [] }
    const family = probeFamily(async () => {
      const found = await isVisible()
      return found ? [] : assert.fail('the event is not visible')
    })
    let acknowledged = false
    const handling = replicated(family)
      .handle(context, batch as unknown as EventBatch)
      .then(() => {
        acknowledged = true
      })
    await waitFor('the handler waits for the standby', async () => (await countWaiting()) === 1)
    assert.equal(acknowledged, false)
    await setStandby('')
    await handling
  } finally {
    await setStandby('')
    await worker.end()
  }
})

test('a stored response is repeated only when the standby has it', async () => {
  const service = startService(database)
  const key = await tenant.createKey('user')
  const create = () =>
    service.call('/v1/keys', {
      key: key.value,
      method: 'POST',
      headers: { 'idempotency-key': 'once' },
      body: { kind: 'user' },
    })
  const first = await create()
  assert.ok(first.status < 300, first.text)
  await setStandby('nobody')
  try {
    const repeated = create()
    await waitFor('the response waits for the standby', async () => (await countWaiting()) === 1)
    assert.equal((await repeated).status, 503)
  } finally {
    await setStandby('')
  }
  assert.equal((await create()).status, first.status)
  await service.stop()
})

test('a standby is not ready, and no pool uses it until it is promoted', async () => {
  const { rows } = await superuser.query<{ data_directory: string }>('show data_directory')
  await superuser.query(
    `copy (select where false) to program 'touch ${rows[0]?.data_directory}/standby.signal'`,
  )
  await engines.postgres.kill()
  await engines.postgres.start()
  assert.equal(await createProbeAnd((probe) => probe.check()), 'database read-only')
  await assert.rejects(readBackend(), { name: 'ReadOnlyServerError' })
  await superuser.query('select pg_promote()')
  await waitFor('it can be written', () =>
    write().then(
      () => true,
      () => false,
    ),
  )
  assert.equal(await createProbeAnd((probe) => probe.check()), null)
})
