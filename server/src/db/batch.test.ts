import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../test/fixture.ts'
import { type BoundStatement, runBatch } from './batch.ts'
import { statement } from './connect.ts'

let client: pg.Client

const { database, use, defer } = await openDatabase()
const other = use(await open())
defer(() => client.end())
beforeEach(async () => {
  await client?.end()
  client = await open()
  await other.query('drop table if exists thing; create table thing (id int primary key, name text)')
})

async function open(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: database.superuserUrl, options: '-c timezone=UTC' })
  opened.on('error', () => {})
  await opened.connect()
  return opened
}

const bind = (name: string, text: string, ...values: unknown[]): BoundStatement => {
  return { statement: statement(name, text), values }
}
const insertThing = (id: number, name: string) =>
  bind('test.insert', 'insert into thing (id, name) values ($1, $2)', id, name)
const countThings = bind('test.count', 'select count(*)::int as n from thing')
const readOne = bind('test.one', 'select 1 as one')
const fail = bind('test.fail', 'select 1 / $1::int as never', 0)

async function count(): Promise<number> {
  const { rows } = await other.query<{ n: number }>('select count(*)::int as n from thing')
  return rows[0]?.n ?? -1
}

/** Counts what goes over the wire: writes of ours, and answers of the server that end a round trip. */
function countRoundTrips(of: pg.Client): () => { writes: number; answers: number } {
  const { connection } = of as unknown as { connection: NodeJS.EventEmitter & { stream: { write: unknown } } }
  const write = (connection.stream.write as (...given: unknown[]) => boolean).bind(connection.stream)
  const counted = { writes: 0, answers: 0 }
  connection.stream.write = (...given: unknown[]) => {
    counted.writes += 1
    return write(...given)
  }
  connection.on('readyForQuery', () => {
    counted.answers += 1
  })
  return () => counted
}

test('rows come back with their names and types, statement by statement', async () => {
  const [numbers, texts, none] = await runBatch(client, [
    bind(
      'test.numbers',
      `select 7 as small, 9007199254740991::bigint as big, 1.5::float8 as float, true as yes`,
    ),
    bind(
      'test.texts',
      `select 'a' as a, null::text as b, '{x,y}'::text[] as c, '{"d":[1]}'::jsonb as d, '\\x00ff'::bytea as e`,
    ),
    bind('test.none', 'select 1 as one where false'),
  ])
  assert.deepEqual(numbers, [{ small: 7, big: 9007199254740991, float: 1.5, yes: true }])
  assert.deepEqual(texts, [{ a: 'a', b: null, c: ['x', 'y'], d: { d: [1] }, e: Buffer.from([0, 255]) }])
  assert.deepEqual(none, [])
})

test('a stored time keeps its microseconds', async () => {
  const [rows] = await runBatch(client, [
    bind('test.time', `select '2026-01-02 03:04:05.678901+00'::timestamptz as at`),
  ])
  assert.deepEqual(rows, [{ at: '2026-01-02 03:04:05.678901+00' }])
})

test('values of every kind arrive as they are, and hostile text stays text', async () => {
  const hostile = `'; drop table thing; -- \\ $1 "😀`
  const text = `select $1::text as a, $2::int as b, $3::text[] as c, $4::jsonb as d, $5::bytea as e, $6::uuid[] as f, $7::bool as g`
  const values = [hostile, null, [hostile, 'b,c'], { key: hostile }, Buffer.from([0, 1, 255]), [], false]
  const [rows] = await runBatch(client, [bind('test.values', text, ...values)])
  const row = {
    a: hostile,
    b: null,
    c: [hostile, 'b,c'],
    d: { key: hostile },
    e: Buffer.from([0, 1, 255]),
    f: [],
    g: false,
  }
  assert.deepEqual(rows, [row])
})

test('statements that return nothing and empty ones keep their place among the answers', async () => {
  const results = await runBatch(client, [
    insertThing(1, 'a'),
    bind('test.empty', ''),
    readOne,
    insertThing(2, 'b'),
    readOne,
  ])
  assert.deepEqual(results, [[], [], [{ one: 1 }], [], [{ one: 1 }]])
})

test('many rows and rows larger than a network packet are read whole', async () => {
  const [many, large] = await runBatch(client, [
    bind('test.many', 'select n from generate_series(1, $1::int) n', 5000),
    bind('test.large', `select repeat('é', $1::int) as text`, 500_000),
  ])
  assert.deepEqual([many?.length, many?.[0], many?.at(-1)], [5000, { n: 1 }, { n: 5000 }])
  assert.equal(large?.[0]?.['text'], 'é'.repeat(500_000))
})

test('a batch is one write and one answer', async () => {
  const counted = countRoundTrips(client)
  await runBatch(client, [readOne, countThings, readOne, insertThing(1, 'a')])
  assert.deepEqual(counted(), { writes: 1, answers: 1 })
})

test('a statement is prepared once in the life of its connection', async () => {
  for (let round = 0; round < 3; round++) await runBatch(client, [readOne, readOne, countThings])
  const { rows } = await client.query(`select name from pg_prepared_statements order by name`)
  assert.deepEqual(rows, [{ name: 'test.count' }, { name: 'test.one' }])
})

const prepareMany = async (total: number, ...others: BoundStatement[]) => {
  for (let n = 0; n < total; n++)
    await runBatch(client, [bind(`test.many-${n}`, `select ${n} as n`), ...others]).catch(() => {})
}
const countPrepared = async () => (await client.query('select name from pg_prepared_statements')).rowCount

test('a connection has 500 prepared statements at most: the one that was not used for longest is closed', async () => {
  await runBatch(client, [countThings])
  await prepareMany(520, readOne)
  assert.equal(await countPrepared(), 500)
  const { rows } = await client.query(
    `select name from pg_prepared_statements where name in ('test.one', 'test.count')`,
  )
  assert.deepEqual(rows, [{ name: 'test.one' }])
  const evicted = bind('test.many-0', 'select 0 as n')
  assert.deepEqual(await runBatch(client, [evicted, countThings, readOne]), [
    [{ n: 0 }],
    [{ n: 0 }],
    [{ one: 1 }],
  ])
  assert.equal(await countPrepared(), 500)
})

test('failed batches leave no prepared statement behind that is not counted', async () => {
  await prepareMany(520, fail)
  assert.equal(await countPrepared(), 500)
})

test('a batch of more statements than a connection retains is executed', async () => {
  const batch = Array.from({ length: 600 }, (_, n) => bind(`test.wide-${n}`, `select ${n} as n`))
  assert.deepEqual(
    (await runBatch(client, batch)).flat(),
    batch.map((_, n) => ({ n })),
  )
  await runBatch(client, [readOne])
  assert.equal(await countPrepared(), 500)
})

test('batches sent without waiting are answered in their order, each with its own rows', async () => {
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      runBatch(client, [bind('test.echo', 'select $1::int as n', n), readOne]),
    ),
  )
  assert.deepEqual(
    results,
    Array.from({ length: 20 }, (_, n) => [[{ n }], [{ one: 1 }]]),
  )
})

test('a batch is one transaction: when a statement fails, nothing of it happened', async () => {
  await assert.rejects(runBatch(client, [insertThing(1, 'a'), fail, insertThing(2, 'b')]), { code: '22012' })
  assert.equal(await count(), 0)
})

test('the connection is usable after a failed batch, for the same statements and for others', async () => {
  for (let round = 0; round < 3; round++) {
    await assert.rejects(runBatch(client, [readOne, insertThing(1, 'a'), fail, countThings]), {
      code: '22012',
    })
  }
  const results = await runBatch(client, [insertThing(1, 'a'), countThings, readOne])
  assert.deepEqual(results, [[], [{ n: 1 }], [{ one: 1 }]])
  assert.deepEqual((await client.query('select 2 as two')).rows, [{ two: 2 }])
})

test('a batch that waits behind a failed one is answered', async () => {
  const [failed, answered] = await Promise.allSettled([runBatch(client, [fail]), runBatch(client, [readOne])])
  assert.equal(failed.status, 'rejected')
  assert.deepEqual(answered, { status: 'fulfilled', value: [[{ one: 1 }]] })
})

test('a statement that could not be prepared can be prepared later under the same name', async () => {
  const late = bind('test.late', 'select count(*)::int as n from late')
  await assert.rejects(runBatch(client, [readOne, late]), { code: '42P01' })
  await other.query('create table if not exists late ()')
  assert.deepEqual(await runBatch(client, [late, readOne]), [[{ n: 0 }], [{ one: 1 }]])
})

test('a statement whose result changes shape under a migration fails once and then has the new shape', async () => {
  const all = bind('test.all', 'select * from thing')
  await runBatch(client, [insertThing(1, 'a'), all])
  await other.query('alter table thing add column more int')
  await assert.rejects(runBatch(client, [all]), { code: '0A000' })
  assert.deepEqual(await runBatch(client, [all]), [[{ id: 1, name: 'a', more: null }]])
})

test('a value that the server refuses fails its batch alone', async () => {
  await assert.rejects(runBatch(client, [insertThing(1, 'a\0b')]))
  await assert.rejects(runBatch(client, [bind('test.int', 'select $1::int as n', 'seven')]), {
    code: '22P02',
  })
  assert.deepEqual(await runBatch(client, [countThings]), [[{ n: 0 }]])
})

test('a value that cannot be sent at all fails its batch and leaves the connection usable', {
  timeout: 5000,
}, async () => {
  const ring: Record<string, unknown> = {}
  ring['self'] = ring
  await assert.rejects(runBatch(client, [bind('test.json', 'select $1::jsonb as j', ring)]), TypeError)
  assert.deepEqual(await runBatch(client, [readOne]), [[{ one: 1 }]])
})

test('a connection that is killed in the middle of a batch rejects it at once', async () => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const sleeping = runBatch(client, [readOne, bind('test.sleep', `select pg_sleep(20)`), readOne])
  const waiting = runBatch(client, [readOne])
  const started = performance.now()
  const ends = Promise.allSettled([sleeping, waiting])
  await other.query(`select pg_sleep(0.05)`)
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  assert.deepEqual(
    (await ends).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.ok(performance.now() - started < 2000)
  await assert.rejects(runBatch(client, [readOne]))
})
