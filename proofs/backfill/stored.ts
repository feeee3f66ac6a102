import { createHash } from 'node:crypto'
import type { TestDatabase } from '../../server/test/database.ts'
import type { ExpectedPullRequest } from './organization.ts'

type Superuser = ReturnType<TestDatabase['superuser']>

export interface Comparison {
  readonly expected: number
  readonly findings: number
  readonly lost: number
  readonly duplicated: number
  readonly different: number
  /** Digest of everything stored about the pull requests, without event times and event ids. */
  readonly digest: string
}

interface StoredRow {
  readonly repository_id: string
  readonly number: string
  readonly url: string
  readonly author_id: string | null
  readonly status: string
  readonly merged_at: Date | null
  readonly findings: readonly { readonly url: string }[]
  readonly rest: string
}

const CHUNK_SIZE = 5000
// Ids and times that another run has others of.
const ofInstallation = `'{root_id,pull_request_key,organization_id,instance_id,position,event_id,event_at,decided_at}'::text[]`
const selectChunk = `select repository_id, number, url, author_id, status, merged_at, coalesce(findings, '[]') as findings,
    concat_ws(' ', to_jsonb(p) - ${ofInstallation}, findings) as rest
  from pull_request p cross join lateral (
    select json_agg(to_jsonb(f) - ${ofInstallation} order by ordinal) as findings from finding f
    where f.root_id = p.root_id and f.pull_request_key = p.pull_request_key) told
  where (repository_id, number) > ($1, $2::bigint) order by repository_id, number limit ${CHUNK_SIZE}`

export async function countStored(superuser: Superuser): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>('select count(*)::int as count from pull_request')
  return rows[0]?.count ?? 0
}

export async function compareStored(
  superuser: Superuser,
  expected: readonly ExpectedPullRequest[],
): Promise<Comparison> {
  const left = new Map(expected.map((one) => [one.url, one]))
  const seen = new Set<string>()
  const digest = createHash('sha256')
  let duplicated = 0
  let different = 0
  for await (const row of readStored(superuser)) {
    if (seen.has(row.url)) duplicated += 1
    seen.add(row.url)
    const one = left.get(row.url)
    left.delete(row.url)
    if (one === undefined || !isSame(row, one)) different += 1
    digest.update(`${row.url} ${row.merged_at?.toISOString()} ${row.rest}\n`)
  }
  return {
    expected: expected.length,
    findings: expected.reduce((total, { findings }) => total + findings.length, 0),
    lost: left.size,
    duplicated,
    different,
    digest: digest.digest('hex'),
  }
}

function isSame(row: StoredRow, expected: ExpectedPullRequest): boolean {
  const mergedAt = expected.mergedAt === null ? undefined : Date.parse(expected.mergedAt)
  const findings = row.findings.map(({ url }) => url).toSorted()
  return (
    row.repository_id === expected.repository &&
    Number(row.number) === expected.number &&
    row.author_id === expected.author &&
    row.status === 'merged' &&
    row.merged_at?.getTime() === mergedAt &&
    JSON.stringify(findings) === JSON.stringify(expected.findings)
  )
}

async function* readStored(superuser: Superuser): AsyncIterable<StoredRow> {
  let after: readonly [string, string] = ['', '0']
  for (;;) {
    const { rows } = await superuser.query<StoredRow>(selectChunk, [...after])
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < CHUNK_SIZE) return
    after = [last.repository_id, last.number]
  }
}
