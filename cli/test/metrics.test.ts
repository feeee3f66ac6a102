import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { demo, folder, runCli, runJson } from './run-cli.ts'

const key = 'workspace'
// Other suites send pull requests of today, and the terminal recordings one of 2024.
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
const window = ['--from', '2025-01-01', '--to', yesterday]
const path = (name: string) => join(folder, name)

function exportTo(name: string, ...words: string[]): string {
  const { code, stdout, stderr } = runCli(['metrics', 'export', ...words, ...window, '--out', path(name)], {
    key,
  })
  assert.equal(code, 0, stderr)
  assert.equal(stdout, '')
  assert.match(stderr, /^[\d,]+ pull requests written to .+\.\n$/)
  return readFileSync(path(name), 'utf8')
}

async function readApi(route: string): Promise<Response> {
  const response = await fetch(
    `${demo.base_url}/v1/metrics/${route}start_date=2025-01-01&end_date=${yesterday}`,
    { headers: { 'x-service-api-key': demo.keys[key] ?? '' } },
  )
  assert.equal(response.status, 200)
  return response
}

async function readRecords(name: 'review-comments' | 'reviews' | 'mcp'): Promise<unknown[]> {
  const records: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = (await (await readApi(`${name}?${cursor === '' ? '' : `cursor=${cursor}&`}`)).json()) as {
      data: unknown[]
      next_cursor: string | null
    }
    records.push(...page.data)
    cursor = page.next_cursor
  }
  return records
}

const parseLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

test('JSON lines are the records of the pages, in their order', async () => {
  assert.deepEqual(parseLines(exportTo('comments.jsonl', 'comments')), await readRecords('review-comments'))
  assert.deepEqual(parseLines(exportTo('reviews.jsonl', 'reviews')), await readRecords('reviews'))
  assert.deepEqual(parseLines(exportTo('mcp.jsonl', 'mcp')), await readRecords('mcp'))
})

test('without --out the export goes to standard output, and nothing else does', () => {
  const file = exportTo('again.jsonl', 'comments')
  const { code, stdout, stderr } = runCli(['metrics', 'export', 'comments', ...window], { key })
  assert.equal(code, 0)
  assert.equal(stdout, file)
  assert.equal(stderr, '', 'quiet in a pipe')
  const csv = exportTo('mcp.csv', 'mcp', '--format', 'csv')
  assert.equal(runCli(['metrics', 'export', 'mcp', ...window, '--format', 'csv'], { key }).stdout, csv)
})

test('the CSV of reviews is that of the API', async () => {
  const exported = exportTo('reviews.csv', 'reviews', '--format', 'csv', '--status', 'all').split('\r\n')
  const response = await readApi('reviews?status=all&format=csv&limit=100&')
  const first = (await response.text()).trimEnd().split('\r\n')
  assert.equal(first.length, 101)
  assert.ok(exported.length > first.length, 'several pages')
  assert.deepEqual(exported.slice(0, first.length), first)
})

test('Parquet, read by DuckDB, equals the JSON lines', async () => {
  exportTo('comments.jsonl', 'comments')
  exportTo('reviews.jsonl', 'reviews')
  exportTo('mcp.jsonl', 'mcp')
  for (const name of ['comments', 'reviews', 'mcp']) exportTo(`${name}.parquet`, name, '--format', 'parquet')
  const lines = (name: string) => `read_json('${path(`${name}.jsonl`)}', format = 'newline_delimited')`
  const owner =
    'pr_url, organization_id::varchar, repository_id::varchar, author_id::varchar, merged_at::timestamp'
  await assertSameRows(
    `select pr_url, organization_id, repository_id, author_id, merged_at::timestamp, url, severity, category, accepted
     from read_parquet('${path('comments.parquet')}')`,
    `select ${owner}, c.url, c.severity, c.category, c.accepted from ${lines('comments')},
     unnest(coderabbit_comments) found (c)`,
  )
  await assertSameRows(
    `select pr_url, status, created_at::timestamp, counted_on, review_iterations, estimated_review_minutes::double,
       total_coderabbit_comments_posted, critical_comments_accepted, security_and_privacy_comments_posted
     from read_parquet('${path('reviews.parquet')}')`,
    `select pr_url, status, created_at::timestamp, counted_on, review_iterations, estimated_review_minutes::double,
       coderabbit_comments.total.posted, coderabbit_comments.severity.critical.accepted,
       coderabbit_comments.category.security_and_privacy.posted
     from ${lines('reviews')}`,
  )
  await assertSameRows(
    `select pr_url, organization_id, repository_id, author_id, merged_at::timestamp, server, tool, calls, errors
     from read_parquet('${path('mcp.parquet')}')`,
    `select ${owner}, s.name, t.name, t.calls, t.errors from ${lines('mcp')}, unnest(servers) one (s),
     unnest(s.tools) used (t)`,
  )
})

async function assertSameRows(parquet: string, jsonLines: string): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect()
  const read = async (sql: string) => Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? -1)
  const [rows, onlyParquet, onlyLines] = [
    await read(`select count(*) from (${parquet})`),
    await read(`select count(*) from (${parquet} except all ${jsonLines})`),
    await read(`select count(*) from (${jsonLines} except all ${parquet})`),
  ]
  connection.closeSync()
  assert.ok(rows > 50, `${rows} rows`)
  assert.deepEqual([onlyParquet, onlyLines], [0, 0])
}

test('a failed export leaves no file', () => {
  const words = ['metrics', 'export', 'comments', ...window, '--out', path('refused.jsonl')]
  const { code, stderr } = runCli(words, { key: 'revoked' })
  assert.equal(code, 3)
  assert.match(stderr, /401/)
  assert.equal(existsSync(path('refused.jsonl')), false)
  assert.equal(existsSync(path('refused.jsonl.partial')), false)
})

test('wrong options are named', () => {
  const attempts: readonly (readonly [string[], RegExp])[] = [
    [['export', 'comments'], /--from/],
    [['export', 'nothing', ...window], /nothing/],
    [['export', 'comments', '--from', 'today'], /It must be a date/],
    [['export', 'comments', ...window, '--format', 'xml'], /jsonl, csv, parquet/],
    [['export', 'mcp', ...window, '--status', 'all'], /reviews/],
    [['export', 'comments', '--from', '2026-02-01', '--to', '2026-01-01'], /end_date must not precede/],
    [['summary', '--by', 'colour'], /"colour" is not one of week/],
    [['summary', 'reviews', '--by', 'author'], /"author" is not one of week, repository/],
    [['summary', 'mcp', '--status', 'all'], /reviews/],
    [['summary', 'learnings'], /findings, reviews, mcp/],
    [['sync'], /--to/],
    [['sync', '--to', 'postgres://x', '--format', 'csv'], /--format is for files/],
    [['sync', '--to', folder, '--page-size', '0'], /from 1 to 100000/],
  ]
  for (const [words, message] of attempts) {
    const { code, stderr } = runCli(['metrics', ...words], { key })
    assert.equal(code, 2, words.join(' '))
    assert.match(stderr, message)
  }
})

test('the summary is a table with a bar per group, and names repositories', () => {
  const { code, stdout } = runCli(['metrics', 'summary', '--by', 'repository'], { key })
  assert.equal(code, 0)
  const [heading = '', first = ''] = stdout.split('\n')
  assert.match(heading, /^REPOSITORY +FINDINGS +ACCEPTED +NOT ACCEPTED +UNKNOWN +RATE +95 % INTERVAL/)
  assert.match(first, /^[a-z][\w-]+ +[\d,]+ .+█+▒+░*$/)
  assert.match(stdout, /\n\d{4}-\d\d-\d\d to .+ findings, .+ accepted, .+ unknown \(acceptance\.v1\)\n$/)
  const { data } = runJson<{ data: { group: Record<string, string>; posted: number }[] }>(
    ['metrics', 'summary', '--by', 'week,severity'],
    { key },
  )
  assert.deepEqual(Object.keys(data[0]?.group ?? {}), ['week', 'severity'])
  const empty = runCli(['metrics', 'summary', '--from', '1999-01-01', '--to', '1999-01-02'], { key })
  assert.equal(empty.code, 0)
  assert.match(empty.stderr, /^No findings/)
})

test('without --from and --to a summary is of the last 90 days, today included', () => {
  const { stdout } = runCli(['metrics', 'summary'], { key })
  const [, from = '', to = ''] = /\n(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d): /.exec(stdout) ?? []
  assert.equal((Date.parse(to) - Date.parse(from)) / 86_400_000, 89)
  assert.ok(Date.now() - Date.parse(to) < 2 * 86_400_000)
})

test('the summaries of reviews and of MCP usage are tables, with names of repositories', () => {
  const reviews = runCli(['metrics', 'summary', 'reviews', '--status', 'all', '--by', 'repository'], { key })
  assert.equal(reviews.code, 0, reviews.stderr)
  const [heading = '', first = ''] = reviews.stdout.split('\n')
  assert.match(
    heading,
    /^REPOSITORY +PULL REQUESTS +MERGED +CLOSED +TO FIRST REVIEW +TO MERGE +90 % WITHIN +ITERATIONS$/,
  )
  assert.match(first, /^[a-z][\w-]+ +[\d,]+ +[\d,]+ +[\d,]+ +[\d.]+ (?:min|h|d) .+ [\d.]+$/)
  assert.match(reviews.stderr, /review_times\.v1/)
  const usage = runCli(['metrics', 'summary', 'mcp', '--by', 'server,tool'], { key })
  assert.match(usage.stdout, /^SERVER +TOOL +PULL REQUESTS +CALLS +ERRORS\n/)
  const { data, completeness } = runJson<{ data: { group: object; calls: number }[]; completeness: string }>(
    ['metrics', 'summary', 'mcp'],
    { key },
  )
  assert.equal(completeness, 'best_effort')
  assert.deepEqual(Object.keys(data[0]?.group ?? {}), ['server'])
  const empty = runCli(['metrics', 'summary', 'reviews', '--from', '1999-01-01', '--to', '1999-01-02'], {
    key,
  })
  assert.match(empty.stderr, /^No pull requests/)
})

test('reviewers are compared, findings are listed, and a person overrules an outcome', () => {
  const reviewers = runCli(['metrics', 'reviewers'], { key })
  assert.equal(reviewers.code, 0, reviewers.stderr)
  assert.match(reviewers.stdout, /^REVIEWER +PULL REQUESTS +FINDINGS .+ {2}FOUND ALONE {2}COST$/m)
  assert.match(reviewers.stdout, /^scholiast +\d/m)
  assert.match(reviewers.stdout, /^A +B +PULL REQUESTS/m)
  const compared = runJson<{ currency: string | null; overlap: { both: number }[] }>(
    ['metrics', 'reviewers'],
    { key },
  )
  assert.equal(compared.currency, null, 'there is none for several organizations')
  assert.ok(compared.overlap.some(({ both }) => both > 0))
  const words = [
    'metrics',
    'findings',
    '--outcome',
    'accepted',
    '--reviewer',
    'scholiast',
    '--from',
    monthAgo,
  ]
  const [finding] = runJson<{ id: string; accepted: boolean }[]>(words, { key: 'user' })
  assert.equal(finding?.accepted, true)
  const outcome = (...flags: string[]) =>
    runCli(['findings', 'outcome', finding?.id ?? '', ...flags], { key: 'user' })
  assert.equal(outcome().code, 2, 'one of the options is needed')
  assert.equal(outcome('--accepted', '--withdraw').code, 2)
  assert.equal(outcome('--accepted').code, 0)
  assert.match(outcome('--withdraw').stderr, /^Withdrawn\./)
  assert.equal(runCli(['metrics', 'findings', '--outcome', 'open'], { key }).code, 2)
})
