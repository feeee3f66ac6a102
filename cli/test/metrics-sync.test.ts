import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { openFileSink } from '../src/metrics/byte-sink.ts'
import type { Copy } from '../src/metrics/copy.ts'
import { openFileCopy } from '../src/metrics/file-copy.ts'
import { copyLines, readLines } from '../src/metrics/lines.ts'
import { mergeChanges } from '../src/metrics/merge.ts'
import { openPostgresCopy } from '../src/metrics/postgres-copy.ts'
import { demo, folder, runCli, runJson } from './run-cli.ts'

// No other suite writes to this tenant: a copy is compared with the feed.
const key = 'instance'
const path = (name: string) => join(folder, name)
const sync = (...words: string[]) =>
  runJson<{ changes: number; pull_requests: number | null }>(['metrics', 'sync', ...words], { key })

interface PullRequest {
  readonly pull_request_key: string
  readonly counted_on: string
  readonly findings: { finding_id: string; accepted: boolean | null }[]
}

/** The copy that the documentation describes, made from the pages of the feed. */
async function readFeed(): Promise<Map<string, PullRequest>> {
  const copy = new Map<string, PullRequest>()
  for (let cursor = '', hasMore = true; hasMore; ) {
    const query = cursor === '' ? '' : `?cursor=${cursor}`
    const response = await fetch(`${demo.base_url}/v1/metrics/review-comments/changes${query}`, {
      headers: { 'x-service-api-key': demo.keys[key] ?? '' },
    })
    const page = (await response.json()) as {
      data: (PullRequest & { kind: string; finding_id: string; accepted: boolean | null })[]
      next_cursor: string
      has_more: boolean
    }
    for (const change of page.data) {
      const known = copy.get(change.pull_request_key)
      const finding = known?.findings.find(({ finding_id }) => finding_id === change.finding_id)
      if (change.kind === 'written') copy.set(change.pull_request_key, change)
      else if (change.kind === 'removed') copy.delete(change.pull_request_key)
      else if (finding !== undefined) finding.accepted = change.accepted
    }
    cursor = page.next_cursor
    hasMore = page.has_more
  }
  return copy
}

interface Review {
  readonly pr_url: string
  readonly organization_id: string
  readonly status: string
  readonly counted_on: string
  readonly coderabbit_comments: { readonly total: { readonly posted: number } }
}

/** All pull requests, merged or closed, with and without findings. */
async function readReviews(): Promise<Review[]> {
  const window = 'start_date=2000-01-01&end_date=2100-01-01&status=all'
  const response = await fetch(`${demo.base_url}/v1/metrics/reviews?${window}`, {
    headers: { 'x-service-api-key': demo.keys[key] ?? '' },
  })
  const { data, next_cursor } = (await response.json()) as { data: Review[]; next_cursor: string | null }
  assert.equal(next_cursor, null, 'one page')
  return data
}

const readRecords = <Value>(name: string) =>
  readFileSync(path(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Value)

const readCopy = (name: string) => readRecords<PullRequest>(name)

const sortTexts = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).toSorted()

const byKey = (records: Iterable<PullRequest>) =>
  [...records].toSorted((a, b) => a.pull_request_key.localeCompare(b.pull_request_key))

test('a copy in a folder is the state of the feed, and the next run continues it', async () => {
  const first = sync('--to', path('copy'), '--page-size', '20')
  assert.ok(first.changes > 40, 'several pages')
  const feed = await readFeed()
  assert.deepEqual(byKey(readCopy('copy/review-comments.jsonl')), byKey(feed.values()))
  assert.equal(sync('--to', path('copy')).changes, 0)
  assert.deepEqual(readdirSync(path('copy')), ['.scholiast', 'review-comments.jsonl', 'reviews.jsonl'])
})

test('a copy has all pull requests, also those without findings and those that were not merged', async () => {
  const { pull_requests: count } = sync('--to', path('reviews'))
  const reviews = await readReviews()
  assert.equal(count, reviews.length)
  assert.ok(reviews.some(({ coderabbit_comments }) => coderabbit_comments.total.posted === 0))
  assert.ok(reviews.some(({ status }) => status === 'closed'))
  assert.deepEqual(sortTexts(readRecords('reviews/reviews.jsonl')), sortTexts(reviews))
  const copied = readFileSync(path('reviews/reviews.jsonl'))
  assert.equal(sync('--to', path('reviews'), '--no-reviews').pull_requests, null)
  assert.deepEqual(readFileSync(path('reviews/reviews.jsonl')), copied)
})

test('Parquet and CSV have a row per finding, as DuckDB reads them', async () => {
  sync('--to', path('lines'))
  sync('--to', path('parquet'), '--format', 'parquet')
  sync('--to', path('csv'), '--format', 'csv')
  const connection = await (await DuckDBInstance.create()).connect()
  const owner =
    'pull_request_key pr_url organization_id organization_name repository_id repository_name'.split(' ')
  const pullRequest = [...owner, 'number', 'author_id', 'merged_at', 'counted_on']
  const columns = [...pullRequest, ...'finding_id url severity category accepted reviewer'.split(' ')]
  const cast = (prefix: (name: string) => string) =>
    columns.map((name) => `${prefix(name)}::${name === 'merged_at' ? 'timestamp' : 'varchar'}`).join()
  const lines = `select ${cast((name) => (pullRequest.includes(name) ? name : `f.${name}`))}
    from read_json('${path('lines/review-comments.jsonl')}', format = 'newline_delimited'), unnest(findings) one (f)`
  const tables = {
    parquet: `select ${cast((name) => name)} from read_parquet('${path('parquet/review-comments.parquet')}')`,
    csv: `select ${cast((name) => name)} from read_csv('${path('csv/review-comments.csv')}', sample_size = -1)`,
  }
  for (const [name, table] of Object.entries(tables)) {
    for (const sql of [`${lines} except all ${table}`, `${table} except all ${lines}`]) {
      const rows = (await connection.runAndReadAll(sql)).getRowsJson()
      assert.deepEqual(rows, [], name)
    }
  }
  const urls = (file: string) =>
    `select pr_url, counted_on::varchar, total_coderabbit_comments_posted from ${file}`
  const parquet = urls(`read_parquet('${path('parquet/reviews.parquet')}')`)
  const csv = urls(`read_csv('${path('csv/reviews.csv')}', sample_size = -1)`)
  const reviews = (await connection.runAndReadAll(parquet)).getRowsJson()
  const expected = (await readReviews()).map(({ pr_url, counted_on, coderabbit_comments }) => [
    pr_url,
    counted_on,
    String(coderabbit_comments.total.posted),
  ])
  assert.deepEqual(sortTexts(reviews), sortTexts(expected))
  const other = `(${parquet} except all ${csv}) union all (${csv} except all ${parquet})`
  assert.deepEqual((await connection.runAndReadAll(other)).getRowsJson(), [])
  connection.closeSync()
})

test('what a killed run left is removed, and a deleted file is written again', () => {
  sync('--to', path('killed'))
  const whole = readFileSync(path('killed/review-comments.jsonl'))
  writeFileSync(path('killed/.scholiast/changes-000099.jsonl'), '{"half')
  writeFileSync(path('killed/.scholiast/manifest.json.new'), '{')
  // The process of this lock does not exist.
  writeFileSync(path('killed/.scholiast/lock'), String(2 ** 22 + 1))
  rmSync(path('killed/review-comments.jsonl'))
  assert.equal(sync('--to', path('killed')).changes, 0)
  assert.deepEqual(readFileSync(path('killed/review-comments.jsonl')), whole)
  assert.equal(readdirSync(path('killed/.scholiast')).length, 3)
})

test('a second run at the same time is refused', () => {
  mkdirSync(path('locked/.scholiast'), { recursive: true })
  writeFileSync(path('locked/.scholiast/lock'), String(process.pid))
  const { code, stderr } = runCli(['metrics', 'sync', '--to', path('locked')], { key })
  assert.equal(code, 6)
  assert.match(stderr, new RegExp(`Process ${process.pid} is syncing`))
})

test('other options than those of the copy are refused, and --restart makes it again', () => {
  sync('--to', path('options'))
  for (const other of [
    ['--counted-from', '2026-01-01'],
    ['--format', 'csv'],
    ['--org', '1'],
  ]) {
    const { code, stderr } = runCli(['metrics', 'sync', '--to', path('options'), ...other], { key })
    assert.equal(code, 2)
    assert.match(stderr, /The copy was made with .*\nnext: .*--restart/)
  }
  const days = readCopy('options/review-comments.jsonl').map(({ counted_on }) => counted_on)
  const day = days.toSorted()[Math.ceil(days.length / 2)] ?? assert.fail('no pull request')
  sync('--to', path('options'), '--counted-from', day, '--restart')
  const some = readCopy('options/review-comments.jsonl')
  assert.ok(some.length > 0 && some.length < days.length)
  assert.ok(some.every(({ counted_on }) => counted_on >= day))
})

const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:54317/postgres'
const name = `cli_${randomUUID().replaceAll('-', '')}`
const warehouse = Object.assign(new URL(server), { pathname: `/${name}` }).href

async function runSql<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

before(() => runSql(server, `create database ${name}`))
after(() => runSql(server, `drop database ${name} with (force)`))

test('a copy in PostgreSQL is the state of the feed, and the next run continues it', async () => {
  assert.ok(sync('--to', warehouse, '--page-size', '20').changes > 40, 'several pages')
  assert.equal(sync('--to', warehouse).changes, 0)
  const select = `select pull_request_key, json_agg(json_build_array(finding_id, accepted) order by finding_id) as findings
    from scholiast.pull_request join scholiast.finding using (pull_request_key) group by 1`
  const rows = await runSql<PullRequest>(warehouse, select)
  const feed = [...(await readFeed()).values()].map(({ pull_request_key, findings }) => ({
    pull_request_key,
    findings: findings
      .toSorted((a, b) => (a.finding_id < b.finding_id ? -1 : 1))
      .map(({ finding_id, accepted }) => [finding_id, accepted]),
  }))
  assert.deepEqual(sortTexts(rows), sortTexts(feed))
  const columns =
    'organization_id, pr_url, status, counted_on::text, total_coderabbit_comments_posted::int as posted'
  const copied = await runSql(warehouse, `select ${columns} from scholiast.review`)
  const reviews = (await readReviews()).map(
    ({ organization_id, pr_url, status, counted_on, coderabbit_comments: { total } }) => ({
      organization_id,
      pr_url,
      status,
      counted_on,
      posted: total.posted,
    }),
  )
  assert.deepEqual(sortTexts(copied), sortTexts(reviews))
  const other = runCli(['metrics', 'sync', '--to', warehouse, '--counted-from', '2026-01-01'], { key })
  assert.equal(other.code, 2)
  const away = runCli(['metrics', 'sync', '--to', 'postgres://nobody:secret@127.0.0.1:1/none'], { key })
  assert.equal(away.code, 1)
  assert.match(away.stderr, /PostgreSQL cannot be reached/)
  assert.ok(!away.stderr.includes('secret'))
})

test('a pull request on two pages is copied once, as it was last, and pages that fail change nothing', async () => {
  const [review] = await readReviews()
  assert.ok(review)
  const source = { url: demo.base_url, org_id: null, counted_from: null }
  const toPages = async function* (texts: readonly string[], failure?: Error) {
    for (const text of texts) yield [{ ...review, pr_url: `${text[0]}`, author_id: text }]
    if (failure !== undefined) throw failure
  }
  const replace = async (copy: Copy) => {
    await copy.replaceReviews(toPages(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']))
    await copy.replaceReviews(toPages(['b3', 'd1', 'a4', 'b4']))
    await assert.rejects(copy.replaceReviews(toPages(['e1'], new Error('cut off'))), /cut off/)
    await copy.close()
  }
  await replace(await openFileCopy({ folder: path('twice'), source, format: 'jsonl', restart: false }))
  const texts = readRecords<{ author_id: string }>('twice/reviews.jsonl').map(({ author_id }) => author_id)
  assert.deepEqual(texts, ['d1', 'a4', 'b4'])
  await replace(await openPostgresCopy({ url: warehouse, source, restart: true }))
  const rows = await runSql(warehouse, 'select author_id from scholiast.review order by 1')
  assert.deepEqual(rows, [{ author_id: 'a4' }, { author_id: 'b4' }, { author_id: 'd1' }])
})

test('the lines of a response are found wherever its pieces end', async () => {
  const records = ['{"text":"\u2028é"}', '{"b":2}', '']
  const body = Buffer.from(`${records.join('\n')}{"next_cursor":"c","has_more":false}\n`)
  for (let size = 1; size <= body.length; size++) {
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.subarray(index * size, (index + 1) * size),
    )
    const got: Uint8Array[] = []
    const end = await copyLines(toStream(pieces), async (lines) => {
      assert.equal(lines.at(-1), 10, 'whole lines')
      got.push(lines)
    })
    assert.deepEqual(end, { next_cursor: 'c', has_more: false })
    assert.equal(Buffer.concat(got).toString(), records.join('\n'))
  }
  for (const cut of [body.subarray(0, -1), body.subarray(0, 26), Buffer.alloc(0)])
    await assert.rejects(
      copyLines(toStream([cut]), async () => {}),
      /last line/,
    )
})

async function* toStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* pieces
}

test('a merge in several parts has the latest state of each pull request', async () => {
  const keys = Array.from({ length: 30_000 }, () => randomUUID())
  const written = (id: string, position: number, text: string) =>
    JSON.stringify({
      pull_request_key: id,
      position,
      kind: 'written',
      findings: [{ finding_id: 'a', text, accepted: null }],
    })
  const outcome = (id: string, position: number, accepted: boolean) =>
    JSON.stringify({ pull_request_key: id, position, kind: 'outcome', finding_id: 'a', accepted })
  const removed = (id: string, position: number) =>
    JSON.stringify({ pull_request_key: id, position, kind: 'removed' })
  mkdirSync(path('merge'))
  const files = [path('merge/1.jsonl'), path('merge/2.jsonl')]
  const filler = '\u2028'.repeat(800)
  writeFileSync(path('merge/1.jsonl'), `${keys.map((id, index) => written(id, index, filler)).join('\n')}\n`)
  const changes = keys.flatMap((id, index) => {
    if (index % 3 === 0) return [outcome(id, index, true), outcome(id, index, false)]
    return index % 3 === 1 ? [outcome(id, index, true), removed(id, index)] : [written(id, index, 'new')]
  })
  writeFileSync(path('merge/2.jsonl'), `${[...changes, outcome(randomUUID(), 1, true)].join('\n')}\n`)
  const sink = await openFileSink(path('merged.jsonl'))
  await mergeChanges(files, path('merge'), sink)
  await sink.close()
  const merged = new Map<string, string>()
  for await (const lines of readLines(path('merged.jsonl')))
    for (const line of lines) {
      const record = JSON.parse(line) as PullRequest & { findings: { text: string }[] }
      assert.equal(merged.has(record.pull_request_key), false, 'double')
      merged.set(
        record.pull_request_key,
        `${record.findings[0]?.accepted} ${record.findings[0]?.text.length}`,
      )
    }
  assert.equal(merged.size, 20_000)
  for (const [index, id] of keys.entries())
    assert.equal(merged.get(id), index % 3 === 0 ? 'false 800' : index % 3 === 1 ? undefined : 'null 3')
  assert.deepEqual(readdirSync(path('merge')).toSorted(), ['1.jsonl', '2.jsonl'])
})
