import pg from 'pg'
import type { OrganizationId, RootId } from '../../src/ids.ts'
import { tallyFindings } from '../../src/metrics-store/counts/tally.ts'
import { categories as categoryNames, severities as severityNames } from '../../src/metrics-store/findings.ts'
import { toWeekNumber } from '../../src/metrics-store/week.ts'
import type { TestDatabase } from '../database.ts'
import { dropIndexes } from './indexes.ts'
import { growOrganizations } from './organizations.ts'

export interface BulkPullRequestOptions {
  readonly count: number
  readonly findings: number
  /** `fresh`: merge dates grow with the write order; `backfilled`: they have nothing to do with it. */
  readonly order: 'fresh' | 'backfilled'
  readonly firstDay: string
  readonly days: number
  /** Whether GET /v1/metrics/reviews has them too. */
  readonly reviews?: boolean
  readonly onProgress?: (written: number) => void
}

export interface BulkStore {
  readonly root: RootId
  /** A workspace token. */
  readonly key: string
  /** One of the thousand organizations, with a tenth of the rows; the others share the rest. */
  readonly largestOrganization: OrganizationId
  /** Has one row in ten thousand. */
  readonly author: string
}

const ORGANIZATIONS = 1_000
const REPOSITORIES = 20
const AUTHORS = 10_000
const ROWS_PER_INSERT = 250_000

const severities = `array['critical', 'major', 'minor', 'trivial', 'info']`
const categories = `array['functional_correctness', 'maintainability_and_code_quality', 'security_and_privacy']`
const outcomes = `array['true', 'false', 'null']`

/** What both renderings of a finding say; about 160 bytes of an entry. */
const renderFinding = (index: number) => `'"url":"', url, '#discussion_r', 1700000000 + n * 10 + ${index},
  '","severity":"', (${severities})[1 + (n + ${index}) % 5], '","category":"', (${categories})[1 + (n + ${index}) % 3],
  '","accepted":', (${outcomes})[1 + (n + ${index}) % 3]`

function eachFinding(count: number, render: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `concat(${render(index)})`).join(`, ',', `)
}

// Nothing is joined, so that rows are written in order of position: that is how a writer leaves them in the heap.
const insertRows = (findings: number) => `
  insert into pull_request (root_id, provider, host, repository_id, number, organization_id, provider_organization_id,
    url, author_id, status, merged_at, day, week, position, event_id, event_at, facts, findings, entry)
  select $1, 'github', 'github.com', repository, n, ($2::uuid[])[organization], organization::text,
    url, author, 'merged', merged::timestamptz, ($3::date[])[day], ($4::int[])[day], n, 'event-' || n, merged::timestamptz,
    concat('{"author_username":"person-', author, '","organization_name":"Organization ', organization,
      '","repository_name":"repository-', repository, '","created_at":"', merged, '","ready_for_review_at":"', merged,
      '","first_human_review_at":"', merged, '","last_commit_at":"', merged,
      '","review_iterations":2,"estimated_complexity":3,"estimated_review_minutes":12}')::json,
    concat('[', ${eachFinding(findings, (index) => `'{"finding_id":"finding-', n, '-${index}",', ${renderFinding(index)}, ',"reviewer":"reviewer"}'`)}, ']')::json,
    concat('{"pr_url":"', url, '","organization_id":"', organization, '","repository_id":"', repository,
      '","author_id":"', author, '","merged_at":"', merged, '","coderabbit_comments":[',
      ${eachFinding(findings, (index) => `'{', ${renderFinding(index)}, '}'`)}, ']}')
  from generate_series($5::bigint, $6::bigint) n
  cross join lateral (select
      case when abs(hashint8(n)) % 10 = 0 then 1 else 2 + abs(hashint8(n + 1000000000)) % ${ORGANIZATIONS - 1} end as organization,
      (abs(hashint8(n + 2000000000)) % ${AUTHORS})::text as author,
      case when $7 then 1 + (n - 1) * cardinality($3::date[]) / $8::bigint
        else 1 + abs(hashint8(n + 3000000000)) % cardinality($3::date[]) end::int as day
    offset 0) drawn
  cross join lateral (select (organization * ${REPOSITORIES} + n % ${REPOSITORIES})::text as repository,
      ($3::date[])[day] || 'T10:' || lpad((n % 60)::text, 2, '0') || ':00.000Z' as merged offset 0) named
  cross join lateral (select
      concat('https://github.com/org-', organization, '/repo-', repository, '/pull/', n) as url offset 0) addressed`

/** A workspace of a thousand organizations and its pull requests, written as superuser and without their indexes. */
export async function growPullRequests(
  database: TestDatabase,
  options: BulkPullRequestOptions,
): Promise<BulkStore> {
  const { root, key } = await growOrganizations(database, { total: ORGANIZATIONS, largest: ORGANIZATIONS })
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    const organizations = await readOrganizationIds(client, root)
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '1GB'; set timezone = UTC`)
    const restoreIndexes = await dropIndexes(client, 'pull_request')
    await insertAll(client, root, organizations, options)
    await restoreIndexes()
    await client.query(
      `insert into metrics_head (root_id, position, largest_entry)
       select $1, max(position), max(octet_length(entry)) from pull_request`,
      [root],
    )
    await client.query(
      `insert into metrics_day select root_id, week, day - date '0001-01-01', min(position), max(position)
       from pull_request group by 1, 2, 3`,
    )
    if (options.reviews) await insertReviews(client, root, options.findings)
    await client.query('vacuum analyze pull_request, review, metrics_head, metrics_day, review_day')
    return {
      root: root as RootId,
      key,
      largestOrganization: organizations[0] as OrganizationId,
      author: '7',
    }
  } finally {
    await client.end()
  }
}

const counter = (name: string, posted: number) => `"${name}":{"posted":${posted},"accepted":${posted >> 1}}`

/** Realistic counters of a number of findings, the same for each pull request. */
function renderCounters(findings: number): string {
  const each = (names: readonly string[]) =>
    names.map((name) => counter(name, Math.floor(findings / 5))).join(',')
  return `{${counter('total', findings)},"severity":{${each(severityNames)}},"category":{${each(categoryNames)}}}`
}

function createTally(findings: number): string {
  return tallyFindings(
    Array.from({ length: findings }, (_, index) => ({
      severity: severityNames[index % severityNames.length] ?? null,
      category: categoryNames[index % categoryNames.length] ?? null,
      accepted: index % 2 === 0,
      reviewer: 'reviewer',
    })),
  )
}

/** The rows of the stored pull requests, in their order; some were closed. */
async function insertReviews(client: pg.Client, root: string, findings: number): Promise<void> {
  await client.query(
    `insert into review (root_id, provider, host, repository_id, number, organization_id, instance_id, author_id, status, day,
       week, position, tally, entry)
     select root_id, provider, host, repository_id, number, organization_id, instance_id, author_id, told.status, day, week,
       position, case when told.status = 'merged' then $3 end, concat('{"pr_url":', to_json(url), ',"author_id":"', author_id,
         '","author_username":', facts -> 'author_username', ',"organization_id":"', provider_organization_id,
         '","organization_name":', facts -> 'organization_name', ',"repository_id":"', repository_id,
         '","repository_name":', facts -> 'repository_name', ',"status":"', told.status,
         '","created_at":', facts -> 'created_at', ',"ready_for_review_at":', facts -> 'ready_for_review_at',
         ',"first_human_review_at":', facts -> 'first_human_review_at', ',"last_commit_at":', facts -> 'last_commit_at',
         ',"merged_at":', case when told.status = 'merged' then facts -> 'last_commit_at' else 'null' end,
         ',"closed_at":', facts -> 'last_commit_at', ',"review_iterations":2,"estimated_complexity":3,',
         '"estimated_review_minutes":12,"coderabbit_comments":', $2::text, '}')
     from pull_request
     cross join lateral (select case when number % 12 = 0 then 'closed' else 'merged' end as status offset 0) told
     where root_id = $1 order by position`,
    [root, renderCounters(findings), createTally(findings)],
  )
  await client.query(
    `insert into review_day select root_id, week, day - date '0001-01-01', min(position), max(position)
     from review group by 1, 2, 3`,
  )
  await client.query('update metrics_head set largest_review = (select max(octet_length(entry)) from review)')
}

export async function readOrganizationIds(client: pg.Client, root: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from organization where root_id = $1 order by provider_organization_id::int',
    [root],
  )
  return rows.map(({ id }) => id)
}

async function insertAll(
  client: pg.Client,
  root: string,
  organizations: readonly string[],
  { count, findings, order, firstDay, days, onProgress }: BulkPullRequestOptions,
): Promise<void> {
  const dates = Array.from({ length: days }, (_, index) => dayAfter(firstDay, index))
  const weeks = dates.map(toWeekNumber)
  const text = insertRows(findings)
  for (let written = 0; written < count; written += ROWS_PER_INSERT) {
    const last = Math.min(written + ROWS_PER_INSERT, count)
    await client.query(text, [root, organizations, dates, weeks, written + 1, last, order === 'fresh', count])
    onProgress?.(last)
  }
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
