import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { openDatabase } from '../../test/fixture.ts'
import { runBatch } from './batch.ts'
import { connect, statement } from './connect.ts'
import { JoinedRows, type RowSink, streamRawRows } from './raw-rows.ts'
import { readScoped } from './transaction.ts'

const ROWS = 40
const rows = statement(
  'test.rows',
  `select n as key, repeat('é' || n, 1 + n * 7 % 50) as text from generate_series(1, $1::int) n`,
)
const one = statement('test.one', 'select 1 as one')
const fail = statement('test.fail', 'select n, (10 / (5 - n))::text from generate_series(1, $1::int) n')
const texts = Array.from({ length: ROWS }, (_, index) => `é${index + 1}`.repeat(1 + (((index + 1) * 7) % 50)))

const { database, use } = await openDatabase()
const client = use(new pg.Client({ connectionString: database.superuserUrl }))
client.on('error', () => {})
await client.connect()
const pool = use(connect({ url: database.urls.api, name: 'test', connections: 1 }))
const recorded = await recordReplies()

async function recordReplies(): Promise<Buffer> {
  const { stream } = (client as unknown as { connection: { stream: EventEmitter } }).connection
  const chunks: Buffer[] = []
  const record = (chunk: Buffer) => chunks.push(chunk)
  stream.prependListener('data', record)
  const [first, , last] = await runBatch(client, [
    { statement: one, values: [] },
    { statement: rows, values: [ROWS] },
    { statement: one, values: [] },
  ])
  assert.deepEqual([first, last], [[{ one: 1 }], [{ one: 1 }]])
  stream.off('data', record)
  return Buffer.concat(chunks)
}

function replay(cuts: readonly number[]) {
  const stream = new EventEmitter()
  const passed: Buffer[] = []
  const parser = (bytes: Buffer) => passed.push(Buffer.from(bytes))
  stream.on('data', parser)
  const sink = new JoinedRows(ROWS, ',')
  streamRawRows(stream, [null, sink, null])
  let from = 0
  for (const cut of [...cuts.toSorted((a, b) => a - b), recorded.length]) {
    const piece = Buffer.from(recorded.subarray(from, Math.max(from, cut)))
    if (piece.length > 0) stream.emit('data', piece)
    // As a socket does it that reads into the same memory again.
    piece.fill(0)
    from = Math.max(from, cut)
  }
  const joined = Buffer.concat(sink.chunks()).toString()
  return { joined, found: sink.rowCount, last: sink.lastKey, passed: Buffer.concat(passed), stream, parser }
}

function parseMessageTypes(bytes: Buffer): string[] {
  const types = []
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1))
    types.push(String.fromCharCode(bytes[at] ?? 0))
  return types
}

/** Each of the two statements without a sink has one row. */
function isSound({ joined, found, last, passed, stream, parser }: ReturnType<typeof replay>): boolean {
  return (
    joined === texts.join(',') &&
    found === ROWS &&
    last === String(ROWS) &&
    parseMessageTypes(passed).filter((type) => type === 'D').length === 2 &&
    parseMessageTypes(passed).at(-1) === 'Z' &&
    stream.listeners('data').length === 1 &&
    stream.listeners('data')[0] === parser
  )
}

test('wherever the network cuts the bytes in two, the same arrives', () => {
  for (let cut = 0; cut <= recorded.length; cut++) assert.ok(isSound(replay([cut])), `cut at ${cut}`)
})

test('byte by byte the same arrives', () => {
  assert.ok(isSound(replay(Array.from({ length: recorded.length }, (_, index) => index))))
})

test('cut into any pieces the same arrives', () => {
  const cuts = fc.array(fc.nat({ max: recorded.length }), { maxLength: 30 })
  fc.assert(
    fc.property(cuts, (positions) => isSound(replay(positions))),
    { numRuns: 500 },
  )
})

test('rows beyond the most that are joined are counted only', async () => {
  const sink = new JoinedRows(10, '\n')
  await runBatch(client, [{ statement: rows, values: [11], sink }])
  assert.equal(Buffer.concat(sink.chunks()).toString(), texts.slice(0, 10).join('\n'))
  assert.deepEqual([sink.rowCount, sink.lastKey], [11, '10'])
})

test('what was sent is freed, once', async () => {
  const sink = new JoinedRows(10, ',')
  await runBatch(client, [{ statement: rows, values: [10], sink }])
  const [chunk] = sink.chunks()
  assert.ok(chunk && chunk.length > 0)
  sink.release()
  sink.release()
  assert.equal(chunk.length, 0)
  assert.deepEqual(await runBatch(client, [{ statement: one, values: [] }]), [[{ one: 1 }]])
})

test('what was joined stays when the memory it came in is used again', () => {
  const sink = new JoinedRows(10, ',')
  const memory = Buffer.from('.\0\u0002\0\0\0\u0001k\0\0\0\u0004text.', 'latin1')
  sink.take(memory, 1, 16)
  memory.fill('!')
  assert.equal(sink.chunks()[0]?.toString(), 'text')
  assert.equal(sink.lastKey, 'k')
})

test('no row is no chunk', async () => {
  const sink = new JoinedRows(10, ',')
  await runBatch(client, [{ statement: rows, values: [0], sink }])
  assert.deepEqual([sink.chunks(), sink.rowCount, sink.lastKey], [[], 0, null])
})

test('rows larger than any network packet are joined whole', async () => {
  const large = statement('test.large', `select n, repeat('x', 3000000) from generate_series(1, $1::int) n`)
  const sink = new JoinedRows(4, ',')
  await runBatch(client, [{ statement: large, values: [4], sink }])
  const joined = Buffer.concat(sink.chunks())
  assert.equal(joined.length, 4 * 3_000_000 + 3)
  assert.deepEqual(
    [joined[3_000_000], joined[0], joined.at(-1)],
    [','.charCodeAt(0), 'x'.charCodeAt(0), 'x'.charCodeAt(0)],
  )
})

test('a statement that fails among its rows rejects, and the connection goes on', async () => {
  for (let round = 0; round < 3; round++) {
    const sink = new JoinedRows(10, ',')
    await assert.rejects(runBatch(client, [{ statement: fail, values: [9], sink }]), { code: '22012' })
    assert.equal(sink.rowCount, 4)
    assert.deepEqual(await runBatch(client, [{ statement: one, values: [] }]), [[{ one: 1 }]])
  }
})

test('connections of a pool that read at the same time, with and without a sink, each get their own rows', async () => {
  const several = connect({ url: database.urls.api, name: 'test', connections: 6 })
  const scope = { root: '00000000-0000-0000-0000-000000000000', organizations: null, instance: null }
  // More than a socket takes at once, so that they read by turns.
  const filled = statement(
    'test.filled',
    `select n as key, repeat($1::text, 5000) as text from generate_series(1, 400) n`,
  )
  const letters = 'abcdefghijkl'.split('')
  try {
    const read = await Promise.all(
      letters.map(async (letter, index) => {
        if (index % 2 === 0) {
          const found = await readScoped(several, scope, (tx) => tx.query<{ text: string }>(filled, [letter]))
          return found.map(({ text }) => text).join(',')
        }
        const sink = new JoinedRows(400, ',')
        await readScoped(several, scope, (tx) => tx.streamRows(filled, [letter], sink))
        return Buffer.concat(sink.chunks()).toString()
      }),
    )
    for (const [index, letter] of letters.entries())
      assert.ok(read[index] === Array.from({ length: 400 }, () => letter.repeat(5000)).join(','), letter)
  } finally {
    await several.end()
  }
})

test('batches with and without a sink that wait for one another each get their own rows', async () => {
  const sinks = Array.from({ length: 6 }, () => new JoinedRows(ROWS, ','))
  const results = await Promise.all(
    sinks.flatMap((sink, index) => [
      runBatch(client, [{ statement: rows, values: [index * 5 + 1], sink }]),
      runBatch(client, [{ statement: one, values: [] }]),
    ]),
  )
  assert.deepEqual(
    sinks.map((sink) => Buffer.concat(sink.chunks()).toString()),
    sinks.map((_, index) => texts.slice(0, index * 5 + 1).join(',')),
  )
  assert.deepEqual(results[1], [[{ one: 1 }]])
})

test('a connection that is killed among the rows rejects at once, and the pool recovers', async () => {
  const slow = statement('test.slow', `select n, pg_sleep(0.01)::text from generate_series(1, $1::int) n`)
  const scope = { root: '00000000-0000-0000-0000-000000000000', organizations: null, instance: null }
  const sink: RowSink = { take: () => {} }
  const reading = assert.rejects(readScoped(pool, scope, (tx) => tx.streamRows(slow, [100_000], sink)))
  await client.query(`select pg_sleep(0.2)`)
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'scholiast_api' and datname = $1`,
    [database.name],
  )
  await reading
  assert.deepEqual(await readScoped(pool, scope, (tx) => tx.query(one, [])), [{ one: 1 }])
})
