import { readFile } from 'node:fs/promises'
import type { TestDatabase } from '../../server/test/database.ts'
import { get } from '../tools/client.ts'

/** A pull request as text, so that two of them are the same if their texts are. */
interface PullRequestText {
  readonly url: string
  readonly text: string
}

export interface Difference {
  readonly expected: number
  readonly missing: number
  readonly double: number
  /** Not in the export, or with other values. */
  readonly different: number
}

interface Finding {
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
}

interface PullRequest {
  readonly pr_url: string
  readonly organization_id: string
  readonly repository_id: string
  readonly author_id: string | null
  readonly merged_at: string | null
}

function toText(pullRequest: PullRequest, findings: readonly Finding[]): PullRequestText {
  const { pr_url, organization_id, repository_id, author_id, merged_at } = pullRequest
  const sorted = findings
    .map(({ url, severity, category, accepted }) => JSON.stringify([url, severity, category, accepted]))
    .toSorted()
  const time = merged_at === null ? null : new Date(merged_at).toISOString()
  return {
    url: pr_url,
    text: JSON.stringify([pr_url, organization_id, repository_id, author_id, time, sorted]),
  }
}

interface Review {
  readonly pr_url: string
  readonly organization_id: string
  readonly status: string
  readonly counted_on: string
  readonly coderabbit_comments: { readonly total: { readonly posted: number; readonly accepted: number } }
}

function toReviewText({ pr_url, organization_id, status, counted_on, coderabbit_comments }: Review) {
  const { posted, accepted } = coderabbit_comments.total
  return {
    url: pr_url,
    text: JSON.stringify([pr_url, organization_id, status, counted_on, posted, accepted]),
  }
}

async function readPages<Entry>(baseUrl: string, key: string, path: string): Promise<Entry[]> {
  const window = 'start_date=0001-01-01&end_date=9999-12-31&limit=1000'
  const all: Entry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, text } = await get(
      `${baseUrl}/v1/metrics/${path}${window}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      key,
    )
    if (status !== 200) throw new Error(`The export returned ${status}: ${text}`)
    const page = JSON.parse(text) as { readonly data: readonly Entry[]; readonly next_cursor: string | null }
    all.push(...page.data)
    cursor = page.next_cursor
  }
  return all
}

/** What the server exports, page by page and without the command line. */
export async function readExport(baseUrl: string, key: string): Promise<PullRequestText[]> {
  type Entry = PullRequest & { readonly coderabbit_comments: readonly Finding[] }
  const entries = await readPages<Entry>(baseUrl, key, 'review-comments?')
  return entries.map((entry) => toText(entry, entry.coderabbit_comments))
}

export async function readReviewExport(baseUrl: string, key: string): Promise<PullRequestText[]> {
  return (await readPages<Review>(baseUrl, key, 'reviews?status=all&')).map(toReviewText)
}

async function readRecords<Value>(file: string): Promise<Value[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Value)
}

export async function readFileCopy(file: string): Promise<PullRequestText[]> {
  const records = await readRecords<PullRequest & { readonly findings: readonly Finding[] }>(file)
  return records.map((record) => toText(record, record.findings))
}

export async function readReviewFile(file: string): Promise<PullRequestText[]> {
  return (await readRecords<Review>(file)).map(toReviewText)
}

export async function readReviewTable(database: TestDatabase): Promise<PullRequestText[]> {
  const pool = database.superuser()
  const { rows } = await pool.query<Review>(
    `select pr_url, organization_id, status, counted_on::text, json_build_object('total', json_build_object(
       'posted', total_coderabbit_comments_posted, 'accepted', total_coderabbit_comments_accepted)) as coderabbit_comments
     from scholiast.review`,
  )
  await pool.end()
  return rows.map(toReviewText)
}

export async function readPostgresCopy(database: TestDatabase): Promise<PullRequestText[]> {
  const pool = database.superuser()
  const { rows } = await pool.query<PullRequest & { readonly findings: readonly Finding[] }>(
    `select p.*, json_agg(f) as findings from scholiast.pull_request p join scholiast.finding f using (pull_request_key)
     group by p.pull_request_key`,
  )
  await pool.end()
  return rows.map((row) => toText(row, row.findings))
}

export function compare(
  exported: readonly PullRequestText[],
  copied: readonly PullRequestText[],
): Difference {
  const expected = new Map(exported.map(({ url, text }) => [url, text]))
  const urls = new Set(copied.map(({ url }) => url))
  return {
    expected: expected.size,
    missing: exported.filter(({ url }) => !urls.has(url)).length,
    double: copied.length - urls.size,
    different: copied.filter(({ url, text }) => expected.get(url) !== text).length,
  }
}
