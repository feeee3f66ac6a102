import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { toBucketUrl } from '../src/metrics/s3.ts'
import { openS3Copy } from '../src/metrics/s3-copy.ts'
import { demo, folder, runCli, runJson } from './run-cli.ts'

// No other suite writes to this tenant: copies are compared.
const key = 'instance'
const bucket = 'warehouse'
const path = (name: string) => join(folder, name)
const server = spawn(process.execPath, ['serve.mjs', path('s3'), bucket], {
  cwd: fileURLToPath(new URL('s3-server', import.meta.url)),
  stdio: ['ignore', 'pipe', 'inherit'],
})
const env = { AWS_ENDPOINT_URL: '', AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

before(async () => {
  const [address] = (await once(server.stdout, 'data')) as [Buffer]
  env.AWS_ENDPOINT_URL = address.toString().trim()
})
after(() => server.kill())

const sync = (...words: string[]) =>
  runJson<{ changes: number; location: string }>(['metrics', 'sync', ...words], { key, env })

// The server stores each object in a file of this name.
const SUFFIX = '._S3rver_object'
const objectPath = (name: string) => path(`s3/${bucket}/${name}${SUFFIX}`)
const listObjects = (prefix: string) =>
  globSync(`**/*${SUFFIX}`, { cwd: path(`s3/${bucket}/${prefix}`) })
    .map((name) => name.slice(0, -SUFFIX.length).replace(/base-[0-9a-f-]{36}/, 'base'))
    .toSorted()
const readLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').toSorted()

test('a copy in a bucket is that of a folder, and the next run continues it', async () => {
  const to = `s3://${bucket}/team a/metrics+1/`
  const first = sync('--to', to, '--page-size', '20')
  assert.ok(first.changes > 40, 'several pages')
  assert.equal(first.location, `s3://${bucket}/team a/metrics+1/review-comments.jsonl`)
  sync('--to', path('local'))
  const compare = () => {
    for (const name of ['review-comments.jsonl', 'reviews.jsonl'])
      assert.deepEqual(readLines(objectPath(`team a/metrics+1/${name}`)), readLines(path(`local/${name}`)))
  }
  compare()
  assert.equal(sync('--to', to).changes, 0)
  compare()
  assert.deepEqual(listObjects('team a/metrics+1'), ['review-comments.jsonl', 'reviews.jsonl'])
  const state = readdirSync(path(`s3/${bucket}/team a/metrics+1/.scholiast`))
  assert.equal(state.filter((name) => name.endsWith(SUFFIX)).length, 2, 'the manifest and one base')
})

test('a copy in a bucket can be Parquet', async () => {
  sync('--to', `s3://${bucket}/parquet`, '--format', 'parquet')
  sync('--to', path('parquet'), '--format', 'parquet')
  const connection = await (await DuckDBInstance.create()).connect()
  for (const name of ['review-comments.parquet', 'reviews.parquet']) {
    const [ours, theirs] = [objectPath(`parquet/${name}`), path(`parquet/${name}`)]
    const read = (file: string) => `select * from read_parquet('${file}')`
    const sql = `(${read(ours)} except all ${read(theirs)}) union all (${read(theirs)} except all ${read(ours)})`
    assert.deepEqual((await connection.runAndReadAll(sql)).getRowsJson(), [], name)
  }
  connection.closeSync()
})

const source = { url: demo.base_url, org_id: null, counted_from: null }
const openCopy = (name: string) =>
  openS3Copy({ target: `s3://${bucket}/${name}`, source, format: 'jsonl', restart: false, env })

async function* toResponse(pullRequest: number) {
  const id = `00000000-0000-4000-8000-${String(pullRequest).padStart(12, '0')}`
  const change = { pull_request_key: id, position: pullRequest, kind: 'written', findings: [] }
  const end = { next_cursor: `after ${pullRequest}`, has_more: false }
  yield Buffer.from(`${JSON.stringify(change)}\n${JSON.stringify(end)}\n`)
}

test('a run that is killed before its manifest leaves the copy as it was', async () => {
  const first = await openCopy('killed')
  await first.apply(toResponse(1), () => undefined)
  await first.publish()
  await first.close()
  const killed = await openCopy('killed')
  await killed.apply(toResponse(2), () => undefined)
  await killed.close()
  const next = await openCopy('killed')
  assert.equal(next.cursor(), 'after 1')
  await next.apply(toResponse(3), () => undefined)
  await next.publish()
  await next.close()
  const positions = readLines(objectPath('killed/review-comments.jsonl')).map(
    (line) => (JSON.parse(line) as { position: number }).position,
  )
  assert.deepEqual(positions, [1, 3])
})

test('of two runs at the same time, the later one is refused and the copy stays whole', async () => {
  const [first, second] = [await openCopy('two'), await openCopy('two')]
  for (const [index, copy] of [first, second].entries()) await copy.apply(toResponse(index), () => undefined)
  await first.publish()
  await assert.rejects(second.publish(), /Another run has written to s3:\/\/warehouse\/two in the meantime/)
  await Promise.all([first.close(), second.close()])
  const next = await openCopy('two')
  assert.equal(next.cursor(), 'after 0')
  await next.close()
})

test('other options, missing settings and refusals of the server are errors with a next step', () => {
  const to = `s3://${bucket}/errors`
  sync('--to', to)
  const cases: readonly (readonly [string[], Record<string, string>, number, RegExp])[] = [
    [['--to', to, '--format', 'csv'], env, 2, /The copy was made with --format jsonl, not csv/],
    [['--to', to], { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' }, 1, /S3 returned 403 SignatureDoesNotMatch/],
    [['--to', to], { ...env, AWS_SECRET_ACCESS_KEY: '' }, 2, /AWS_SECRET_ACCESS_KEY are required/],
    [['--to', 's3://none/x'], env, 1, /S3 returned 404 NoSuchBucket/],
    [
      ['--to', to],
      { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:65534' },
      7,
      /cannot be reached: ECONNREFUSED/,
    ],
    [['--to', 's3://'], env, 2, /does not name a bucket/],
  ]
  for (const [words, settings, expected, message] of cases) {
    const { code, stderr } = runCli(['metrics', 'sync', ...words], { key, env: settings })
    assert.equal(code, expected, stderr)
    assert.match(stderr, message)
    assert.match(stderr, /\nnext: /)
  }
})

test('a target of an unknown scheme is refused, and nothing is written', () => {
  mkdirSync(path('empty'))
  for (const target of [
    'gs://bucket/x',
    'S3://bucket/x',
    'file:///tmp/x',
    's3:/bucket/x',
    'mysql://host/x',
  ]) {
    const { code, stderr } = runCli(['metrics', 'sync', '--to', target], { key, cwd: path('empty') })
    assert.equal(code, 2, target)
    assert.match(stderr, /is not supported; use a folder, s3:\/\/… or postgres:\/\/…/)
    assert.deepEqual(readdirSync(path('empty')), [])
  }
})

test('a bucket of Amazon is in the host name, others are in the path', () => {
  const region = { AWS_REGION: 'eu-central-1' }
  assert.equal(toBucketUrl('b', region), 'https://b.s3.eu-central-1.amazonaws.com')
  assert.equal(toBucketUrl('b.c', region), 'https://s3.eu-central-1.amazonaws.com/b.c')
  assert.equal(toBucketUrl('b', { ...region, AWS_ENDPOINT_URL: 'http://minio:9000/' }), 'http://minio:9000/b')
  const both = { AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_S3: 'http://s3' }
  assert.equal(toBucketUrl('b', both), 'http://s3/b')
})
