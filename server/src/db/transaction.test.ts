import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openDatabase } from '../../test/fixture.ts'
import { refuse } from '../errors.ts'
import { connect, type Pool, statement } from './connect.ts'
import { fencePool, inTransaction, readScoped, runUnscoped, type TransactionScope } from './transaction.ts'

const root = randomUUID()
const scope: TransactionScope = { root, organizations: [randomUUID(), randomUUID()], instance: randomUUID() }
const readScopeSettings = statement(
  'test.read-scope',
  `select current_setting('app.root', true) as root, current_setting('app.organizations', true) as organizations,
     current_setting('app.instance', true) as instance`,
)
const readTransaction = statement(
  'test.read-transaction',
  'select pg_current_xact_id()::text as id, pg_backend_pid() as pid',
)
const readPid = statement('test.read-pid', 'select pg_backend_pid() as pid')
const rename = statement('test.rename', 'update root set name = $2 where id = $1 returning name')
const fail = statement('test.fail', 'select 1 / $1::int as never')
const killed = statement('test.sleep', 'select pg_sleep(20)')

let wire = { writes: 0 }

const { database, superuser, use } = await openDatabase()
await superuser.query(`insert into root (id, kind, name) values ($1, 'organization', 'first')`, [root])
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 1 }))
pool.on('connect', (client) => countWrites(client as unknown as { connection: { stream: Stream } }))

interface Stream {
  write(...given: unknown[]): boolean
}
function countWrites({ connection: { stream } }: { connection: { stream: Stream } }): void {
  const write = stream.write.bind(stream)
  stream.write = (...given) => {
    wire.writes += 1
    return write(...given)
  }
}

async function readRootName(): Promise<string | undefined> {
  const { rows } = await superuser.query<{ name: string }>('select name from root where id = $1', [root])
  return rows[0]?.name
}

async function readBackendPid(of: Pool): Promise<number | undefined> {
  const [row] = await runUnscoped<{ pid: number }>(of, readPid, [])
  return row?.pid
}

const expectedSettings = {
  root,
  organizations: `{${scope.organizations?.join(',')}}`,
  instance: scope.instance,
}

test('a transaction commits what its work did, all in one', async () => {
  const ids = await inTransaction(pool, scope, async (tx) => {
    const first = await tx.query<{ id: string }>(readTransaction, [])
    await tx.query(rename, [root, 'second'])
    return [...first, ...(await tx.query<{ id: string }>(readTransaction, []))].map(({ id }) => id)
  })
  assert.equal(ids[0], ids[1])
  assert.equal(await readRootName(), 'second')
})

test('work that throws is rolled back, and its error is what the caller gets', async () => {
  const error = new Error('changed my mind')
  const work = inTransaction(pool, scope, async (tx) => {
    await tx.query(rename, [root, 'never'])
    throw error
  })
  await assert.rejects(work, error)
  assert.notEqual(await readRootName(), 'never')
})

test('a statement that fails rolls everything back, also what came before it', async () => {
  const work = inTransaction(pool, scope, async (tx) => {
    await tx.query(rename, [root, 'never'])
    await tx.query(fail, [0])
  })
  await assert.rejects(work, { code: '22012' })
  assert.notEqual(await readRootName(), 'never')
  assert.equal(await inTransaction(pool, scope, async (tx) => (await tx.query(readPid, [])).length), 1)
})

test('work that swallows a failed statement does not look committed', async () => {
  const work = inTransaction(pool, scope, async (tx) => {
    await tx.query(rename, [root, 'never'])
    await tx.query(fail, [0]).catch(() => {})
    return 'done'
  })
  await assert.rejects(work)
  assert.notEqual(await readRootName(), 'never')
})

test('a transaction without a statement sends nothing', async () => {
  await readBackendPid(pool)
  wire = { writes: 0 }
  assert.equal(await inTransaction(pool, scope, () => Promise.resolve(5)), 5)
  assert.equal(await readScoped(pool, scope, () => Promise.resolve(6)), 6)
  assert.equal(wire.writes, 0)
})

test('statements that are issued together share a round trip, behind the one that opens the transaction', async () => {
  wire = { writes: 0 }
  await inTransaction(pool, scope, async (tx) => {
    await Promise.all([
      tx.query(readPid, []),
      tx.query(readScopeSettings, []),
      tx.query(rename, [root, 'third']),
    ])
  })
  assert.equal(wire.writes, 2)
  await readScoped(pool, scope, (tx) => Promise.all([tx.query(readPid, []), tx.query(readScopeSettings, [])]))
  assert.equal(wire.writes, 3)
  assert.equal(await readRootName(), 'third')
})

test('of statements that are issued together each gets its own rows', async () => {
  const [first, reached, renamed] = await inTransaction(pool, scope, (tx) =>
    Promise.all([tx.query(readPid, []), tx.query(readScopeSettings, []), tx.query(rename, [root, 'fourth'])]),
  )
  assert.equal(first.length, 1)
  assert.deepEqual([reached, renamed], [[expectedSettings], [{ name: 'fourth' }]])
})

test('the scope is set in every round trip of a read', async () => {
  const rounds = await readScoped(pool, scope, async (tx) => [
    ...(await tx.query(readScopeSettings, [])),
    ...(await tx.query(readScopeSettings, [])),
    ...(await Promise.all([tx.query(readScopeSettings, []), tx.query(readScopeSettings, [])])).flat(),
  ])
  assert.deepEqual(rounds, [expectedSettings, expectedSettings, expectedSettings, expectedSettings])
})

test('a read holds its connection for a round trip, not while it does something else', async () => {
  // The pool has one connection: a read within a read would wait for it in vain.
  const inner = await readScoped(pool, scope, async (tx) => {
    await tx.query(readPid, [])
    return readScoped(pool, scope, (own) => own.query(readScopeSettings, []))
  })
  assert.deepEqual(inner, [expectedSettings])
})

test('the scope holds to the end of a writing transaction and is set once', async () => {
  const rounds = await inTransaction(pool, scope, async (tx) => [
    ...(await tx.query(readScopeSettings, [])),
    ...(await tx.query(readScopeSettings, [])),
  ])
  assert.deepEqual(rounds, [expectedSettings, expectedSettings])
})

test('an unrestricted scope is sent as empty settings', async () => {
  const wide = { root, organizations: null, instance: null }
  const rows = await readScoped(pool, wide, (tx) => tx.query(readScopeSettings, []))
  assert.deepEqual(rows, [{ root, organizations: '', instance: '' }])
})

test('a scope without organizations sees none, not all of them', async () => {
  const none = { root, organizations: [], instance: null }
  const countOrganizations = statement('test.organizations', 'select count(*)::int as n from organization')
  await superuser.query(
    `insert into organization (root_id, id, provider, host, provider_organization_id, name)
     values ($1, $2, 'github', 'github.com', '1', 'a')`,
    [root, randomUUID()],
  )
  assert.deepEqual(await readScoped(pool, none, (tx) => tx.query(countOrganizations, [])), [{ n: 0 }])
})

test('a scope never leaks to the next user of the connection, however the first one ended', async () => {
  const uses: (() => Promise<unknown>)[] = [
    () => inTransaction(pool, scope, (tx) => tx.query(readScopeSettings, [])),
    () => readScoped(pool, scope, (tx) => tx.query(readScopeSettings, [])),
    () => inTransaction(pool, scope, (tx) => tx.query(fail, [0])),
    () => readScoped(pool, scope, (tx) => tx.query(fail, [0])),
    () => inTransaction(pool, scope, (tx) => tx.query(readPid, []).then(() => refuse('NOT_FOUND', 'no'))),
    () => readScoped(pool, scope, (tx) => tx.query(readPid, []).then(() => refuse('NOT_FOUND', 'no'))),
  ]
  for (const work of uses) {
    await work().catch(() => {})
    const rows = await runUnscoped<{ root: string | null }>(pool, readScopeSettings, [])
    for (const value of Object.values(rows[0] ?? {})) assert.ok(value === null || value === '')
  }
})

test('an error of a statement, and a refusal by the work, leave the connection in the pool', async () => {
  const pid = await readBackendPid(pool)
  const uses: (() => Promise<unknown>)[] = [
    () => runUnscoped(pool, fail, [0]),
    () => inTransaction(pool, scope, (tx) => tx.query(fail, [0])),
    () => readScoped(pool, scope, (tx) => tx.query(fail, [0])),
    () =>
      inTransaction(pool, scope, (tx) =>
        tx.query(readPid, []).then(() => refuse('RATE_LIMIT_EXCEEDED', 'no')),
      ),
    () =>
      readScoped(pool, scope, (tx) => tx.query(readPid, []).then(() => refuse('RATE_LIMIT_EXCEEDED', 'no'))),
  ]
  for (const [place, work] of uses.entries()) {
    await assert.rejects(work)
    assert.equal(await readBackendPid(pool), pid, `use ${place}`)
  }
})

for (const [title, work] of [
  ['a writing transaction', () => inTransaction(pool, scope, (tx) => tx.query(killed, []))],
  ['a read', () => readScoped(pool, scope, (tx) => tx.query(killed, []))],
  ['a statement without a reach', () => runUnscoped(pool, killed, [])],
] as const) {
  test(`${title} whose connection is killed rejects, and the pool recovers`, async () => {
    const pid = await readBackendPid(pool)
    const rejected = assert.rejects(work())
    await superuser.query('select pg_sleep(0.05)')
    await superuser.query('select pg_terminate_backend($1)', [pid])
    await rejected
    const next = await readBackendPid(pool)
    assert.ok(next !== undefined && next !== pid)
  })
}

test('a connection that dies while it lies idle is replaced at the next use', async () => {
  const pid = await readBackendPid(pool)
  await superuser.query('select pg_terminate_backend($1)', [pid])
  await superuser.query('select pg_sleep(0.05)')
  assert.notEqual(await readBackendPid(pool), pid)
})

test('two transactions on one connection wait for one another', async () => {
  const run = (name: string) =>
    inTransaction(pool, scope, async (tx) => (await tx.query(rename, [root, name]))[0])
  assert.deepEqual(await Promise.all([run('a'), run('b')]), [{ name: 'a' }, { name: 'b' }])
  assert.equal(await readRootName(), 'b')
})

test('a fenced pool gives no connection and commits nothing after its signal has aborted', async () => {
  const fence = new AbortController()
  const fenced = fencePool(pool, fence.signal)
  await inTransaction(fenced, scope, (tx) => tx.query(rename, [root, 'before']))
  const late = inTransaction(fenced, scope, async (tx) => {
    await tx.query(rename, [root, 'late'])
    fence.abort(new Error('The lock was lost.'))
  })
  await assert.rejects(late, /The lock was lost/)
  await assert.rejects(readBackendPid(fenced), /The lock was lost/)
  assert.equal(await readRootName(), 'before')
  assert.ok(await readBackendPid(pool), 'the pool itself is open')
})
