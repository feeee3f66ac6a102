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

/** What the server exports, page by page and without the command line. */
export async function readExport(baseUrl: string, key: string): Promise<PullRequestText[]> {
  const window = 'start_date=0001-01-01&end_date=9999-12-31&limit=1000'
  const all: PullRequestText[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, text } = await get(
      `${baseUrl}/v1/metrics/review-comments?${window}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      key,
    )
    if (status !== 200) throw new Error(`The export returned ${status}: ${text}`)
    const page = JSON.parse(text) as {
      readonly data: readonly (PullRequest & { readonly coderabbit_comments: readonly Finding[] })[]
      readonly next_cursor: string | null
    }
    all.push(...page.data.map((entry) => toText(entry, entry.coderabbit_comments)))
    cursor = page.next_cursor
  }
  return all
}

export async function readFileCopy(file: string): Promise<PullRequestText[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const record = JSON.parse(line) as PullRequest & { readonly findings: readonly Finding[] }
    return toText(record, record.findings)
  })
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
