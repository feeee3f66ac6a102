import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createOwnEngines, type OwnEngines, runOnce } from '../../test/proofs/own-engines.ts'
import { waitFor } from '../../test/wait.ts'
import { runBatch } from './batch.ts'
import { connect, statement } from './connect.ts'
import { JoinedRows } from './raw-rows.ts'

const encrypted = statement(
  'test.encrypted',
  'select ssl as encrypted from pg_stat_ssl where pid = pg_backend_pid()',
)
const rows = statement(
  'test.rows',
  `select n as key, repeat('é' || n, 5000)::text as text from generate_series(1, $1::int) n`,
)
const ROWS = 200

let engines: OwnEngines
before(async () => {
  engines = await createOwnEngines()
  await encrypt(engines.postgres.url)
})
after(() => engines.remove())

/** Gives a server a certificate that it has signed itself. */
async function encrypt(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: result } = await client.query<{ data_directory: string }>('show data_directory')
  const [key, certificate] = ['key', 'crt'].map((kind) => `${result[0]?.data_directory}/server.${kind}`)
  const files = ['-keyout', key ?? '', '-out', certificate ?? '']
  runOnce(
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=test',
    ...files,
  )
  runOnce('chown', 'postgres:postgres', key ?? '', certificate ?? '')
  runOnce('chmod', '600', key ?? '')
  await client.query('alter system set ssl = on')
  await client.query('select pg_reload_conf()')
  await client.end()
  await waitFor('the server encrypts', () => isEncrypted(`${url}?sslmode=no-verify`))
}

async function isEncrypted(url: string): Promise<boolean> {
  const pool = connect({ url, name: 'test', connections: 1 })
  try {
    const { rows: result } = await pool.query<{ encrypted: boolean }>(encrypted.text)
    return result[0]?.encrypted === true
  } catch {
    return false
  } finally {
    await pool.end()
  }
}

test('an encrypted connection returns the same rows, parsed or raw', async () => {
  const pool = connect({ url: `${engines.postgres.url}?sslmode=no-verify`, name: 'test', connections: 1 })
  const connection = await pool.connect()
  const sink = new JoinedRows(ROWS, ',')
  const [encryptionRows, , read] = await runBatch(connection, [
    { statement: encrypted, values: [] },
    { statement: rows, values: [ROWS], sink },
    { statement: rows, values: [ROWS] },
  ])
  assert.deepEqual(encryptionRows, [{ encrypted: true }])
  const texts = Array.from({ length: ROWS }, (_, index) => `é${index + 1}`.repeat(5000))
  assert.deepEqual(
    read?.map(({ text }) => text),
    texts,
  )
  assert.equal(Buffer.concat(sink.chunks()).toString(), texts.join(','))
  connection.release()
  await pool.end()
})

test('a certificate that nobody vouches for is refused by who verifies', async () => {
  const pool = connect({ url: `${engines.postgres.url}?sslmode=verify-full`, name: 'test', connections: 1 })
  await assert.rejects(pool.query('select 1'), /self-signed certificate/)
  await pool.end()
})
