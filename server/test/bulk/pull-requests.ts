import pg from 'pg'
import type { OrganizationId, RootId } from '../../src/ids.ts'
import { categories as categoryNames, severities as severityNames } from '../../src/metrics-store/findings.ts'
import type { TestDatabase } from '../database.ts'
import { dropIndexes } from './indexes.ts'
import { growOrganizations } from './organizations.ts'

export interface BulkPullRequestOptions {
  readonly count: number
  /** Of each pull request. */
  readonly findings: number
  /** `fresh`: merge dates grow with the write order; `backfilled`: they have nothing to do with it. */
  readonly order: 'fresh' | 'backfilled'
  readonly firstDay: string
  readonly days: number
  /** Of a thousand organizations the first has this share of the pull requests; the others share the rest. */
  readonly largestShare?: number
  /** In each organization. */
  readonly repositories?: number
  /** In the workspace; each works in up to five repositories of an organization. */
  readonly authors?: number
  /** Whether GET /v1/metrics/mcp has them too. */
  readonly usage?: boolean
  readonly onProgress?: (written: number) => void
}

export interface BulkStore {
  readonly root: RootId
  /** A workspace token. */
  readonly key: string
  readonly largestOrganization: OrganizationId
  /** What the provider calls it. */
  readonly largestOrgId: string
  /** One of its repositories. */
  readonly repository: string
  /** One of the authors, who have about the same number of pull requests. */
  readonly author: string
}

/** The tables that bulk data fills, which are unlogged afterwards. */
export const bulkMetricsTables = ['pull_request', 'finding', 'mcp_usage'] as const

const ORGANIZATIONS = 1_000
const LARGEST_ORG_ID = '1'
const AUTHOR = '7'
const ROWS_PER_INSERT = 250_000

const texts = (values: readonly string[]) => `array[${values.map((value) => `'${value}'`).join(', ')}]`
const severities = texts(severityNames)
const categories = texts(categoryNames)
const reviewers = `array['correctness', 'security', 'performance', 'style', null]`
const outcomes = 'array[true, false, null]'

/** A number below the limit, the same for each row and seed. */
const hash = (seed: number, limit: number) => `abs(hashint8(n + ${seed}000000000::bigint)) % ${limit}`
const renderTime = (time: string) => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What both a document and a row say of a finding. */
const fields = (index: string) => ({
  url: `concat(url, '#discussion_r', 1700000000 + n * 10 + ${index})`,
  severity: `(${severities})[1 + (n + ${index}) % ${severityNames.length}]`,
  category: `(${categories})[1 + (n + ${index}) % ${categoryNames.length}]`,
  reviewer: `(${reviewers})[1 + (n + ${index}) % 5]`,
  accepted: `(${outcomes})[1 + (n + ${index}) % 3]`,
})

function renderComment(index: number): string {
  const { url, severity, category, accepted } = fields(String(index))
  return `concat('{"url":"', ${url}, '","severity":"', ${severity}, '","category":"', ${category},
    '","accepted":', coalesce((${accepted})::text, 'null'), '}')`
}

const counter = (name: string, posted: number) => `"${name}":{"posted":${posted},"accepted":${posted >> 1}}`

/** Realistic counters of a number of findings, the same for each pull request. */
function renderCounters(findings: number): string {
  const each = (names: readonly string[]) =>
    names.map((name) => counter(name, Math.floor(findings / names.length))).join(',')
  return `{${counter('total', findings)},"severity":{${each(severityNames)}},"category":{${each(categoryNames)}}}`
}

// As toPullRequestKey.
const pullRequestKey = `overlay(overlay(substr(encode(sha256(convert_to(concat_ws(e'\\n', $1::uuid, 'github', 'github.com', repository, n), 'utf8')),
  'hex'), 1, 32) placing '8' from 13) placing '8' from 17)::uuid`

/** $1 root, $2 organizations, $3 first day, $4 first and $5 last number. */
const drawRows = ({
  count,
  order,
  days,
  largestShare = 0.1,
  repositories = 20,
  authors = 10_000,
}: BulkPullRequestOptions) => `
  select *, ${pullRequestKey} as key, ($2::uuid[])[organization] as organization_id, merged::date as day,
    merged - interval '1 minute' * (${hash(4, 10_000)}) as created,
    concat('https://github.com/org-', organization, '/repo-', repository, '/pull/', n) as url
  from generate_series($4::bigint, $5::bigint) n
  cross join lateral (select
      case when ${hash(0, 1_000_000)} < ${largestShare * 1_000_000} then 1
        else 2 + ${hash(1, ORGANIZATIONS - 1)} end as organization,
      ${hash(2, authors)} as author, n % 12 > 0 as is_merged,
      $3::date + ${order === 'fresh' ? `((n - 1) * ${days} / ${count})` : `(${hash(3, days)})`}::int
        + time '10:00' + interval '1 minute' * (n % 60) as merged
    offset 0) drawn
  cross join lateral (select
      (organization * ${repositories} + (author * 7 + ${hash(5, 5)} * 13) % ${repositories})::text as repository
    offset 0) named`

// Nothing is joined, so that rows are written in order of position: that is how a writer leaves them in the heap.
const insertRows = (options: BulkPullRequestOptions) => `
  with drawn as materialized (${drawRows(options)}),
  pull_requests as (
    insert into pull_request (root_id, pull_request_key, provider, host, repository_id, number, organization_id,
      provider_organization_id, organization_name, repository_name, url, author_id, author_username, status, created_at,
      ready_for_review_at, first_human_review_at, last_commit_at, merged_at, closed_at, review_iterations,
      estimated_complexity, estimated_review_minutes, reviewers, day, position, event_id, event_at, counted, entry, review)
    select $1, key, 'github', 'github.com', repository, n, organization_id, organization,
      'Organization ' || organization, 'repository-' || repository, url, author, 'person-' || author,
      case when is_merged then 'merged' else 'closed' end, created, created, created + interval '1 hour', merged,
      case when is_merged then merged end, merged, n % 5, 3, 12, ${texts(['correctness', 'security', 'performance', 'style'])},
      day, n, 'event-' || n, merged, is_merged and ${options.findings > 0},
      case when is_merged and ${options.findings > 0} then concat('{"pr_url":"', url, '","organization_id":"', organization,
        '","repository_id":"', repository, '","author_id":"', author, '","merged_at":"', ${renderTime('merged')},
        '","coderabbit_comments":[', ${Array.from({ length: options.findings }, (_, index) => renderComment(index)).join(`, ',', `) || `''`},
        ']}') end,
      concat('{"pr_url":"', url, '","author_id":"', author, '","author_username":"person-', author,
        '","organization_id":"', organization, '","organization_name":"Organization ', organization,
        '","repository_id":"', repository, '","repository_name":"repository-', repository,
        '","status":"', case when is_merged then 'merged' else 'closed' end,
        '","created_at":"', ${renderTime('created')}, '","ready_for_review_at":"', ${renderTime('created')},
        '","first_human_review_at":"', ${renderTime(`created + interval '1 hour'`)}, '","last_commit_at":"', ${renderTime('merged')},
        '","merged_at":', case when is_merged then concat('"', ${renderTime('merged')}, '"') else 'null' end,
        ',"closed_at":"', ${renderTime('merged')}, '","review_iterations":', n % 5,
        ',"estimated_complexity":3,"estimated_review_minutes":12,"coderabbit_comments":${renderCounters(options.findings)}}')
    from drawn order by n
  )
  insert into finding (root_id, pull_request_key, ordinal, finding_id, organization_id, repository_id, author_id, day, counted,
    url, reviewer, severity, category, accepted, source, rule, evidence, decided_at, file, start_line, end_line, commit,
    posted_at, posted_as, raw_severity, bot_key, parser, sketch)
  select $1, key, i, concat('finding-', n, '-', i), organization_id, repository, author, day, is_merged,
    found.url, reviewer, severity::finding_severity, category::finding_category, accepted,
    case when accepted is not null then 'detector' end, case when accepted is not null then 'lines-changed' end,
    case when accepted is not null then json_build_array(json_build_object('kind', 'commit', 'at', ${renderTime('merged')})) end,
    case when accepted is not null then merged + interval '1 hour' end,
    concat('src/module-', n % 300, '/file-', i, '.ts'), n % 900 + 1, n % 900 + 3, md5(n::text) || substr(md5(n::text), 1, 8),
    merged - interval '1 hour', 'inline', 'Potential issue', md5(concat(n, '-', i)), 'coderabbit-1',
    substr(repeat(md5(concat(i, '-', n)), 3), 1, 86)
  from drawn cross join generate_series(0, ${options.findings} - 1) i
  cross join lateral (select ${Object.entries(fields('i'))
    .map(([name, value]) => `${name === 'url' ? value.replace('url', 'drawn.url') : value} as ${name}`)
    .join(', ')} offset 0) found
  order by n, i`

const insertUsage = (options: BulkPullRequestOptions) => `
  insert into mcp_usage (root_id, pull_request_key, repository_id, organization_id, author_id, day, position, servers, entry)
  select $1, key, repository, organization_id, author, day, n, servers::json, concat('{"servers":', servers, '}')
  from (${drawRows(options)}) drawn
  cross join lateral (select concat('[{"name":"linear","calls":3,"tools":[{"name":"get_issue","calls":2,"errors":', n % 2,
    '},{"name":"search_issues","calls":1,"errors":0}]},{"name":"server-', n % 40, '","calls":1,"tools":[{"name":"get_issue","calls":1,"errors":0}]}]')
    as servers offset 0) used
  order by n`

const countRows = [
  `insert into metrics_head (root_id, position, largest_entry, largest_review, largest_mcp)
   select $1, max(position), coalesce(max(octet_length(entry)), 0), max(octet_length(review)),
     coalesce((select max(octet_length(entry)) from mcp_usage), 0) from pull_request where root_id = $1`,
  `insert into metrics_day select $1, day, min(position), max(position) from pull_request where root_id = $1 group by day`,
  `insert into mcp_day select $1, day, min(position), max(position) from mcp_usage where root_id = $1 group by day`,
  `insert into finding_week
   select $1, organization_id, coalesce(instance_id, '00000000-0000-0000-0000-000000000000'),
     day - (day - date '0001-01-01') % 7, coalesce(reviewer, ''), coalesce(severity::text, ''), coalesce(category::text, ''),
     count(*), count(*) filter (where accepted), count(*) filter (where not accepted)
   from finding where root_id = $1 and counted group by 2, 3, 4, 5, 6, 7`,
]

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
    await client.query(
      `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set timezone = UTC; set jit = off`,
    )
    const restore = []
    for (const table of bulkMetricsTables) restore.push(await dropIndexes(client, table))
    await insertAll(client, root, organizations, options)
    for (const createIndexes of restore) await createIndexes()
    for (const text of countRows) await client.query(text, [root])
    await client.query(
      `vacuum analyze ${bulkMetricsTables.join(', ')}, metrics_head, metrics_day, mcp_day, finding_week`,
    )
    const { repositories = 20 } = options
    return {
      root: root as RootId,
      key,
      largestOrganization: organizations[0] as OrganizationId,
      largestOrgId: LARGEST_ORG_ID,
      repository: String(repositories + ((Number(AUTHOR) * 7) % repositories)),
      author: AUTHOR,
    }
  } finally {
    await client.end()
  }
}

async function readOrganizationIds(client: pg.Client, root: string): Promise<string[]> {
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
  options: BulkPullRequestOptions,
): Promise<void> {
  const { count, firstDay, usage, onProgress } = options
  const inserts = [insertRows(options), ...(usage ? [insertUsage(options)] : [])]
  for (let written = 0; written < count; written += ROWS_PER_INSERT) {
    const last = Math.min(written + ROWS_PER_INSERT, count)
    for (const insert of inserts)
      await client.query(insert, [root, organizations, firstDay, written + 1, last])
    onProgress?.(last)
  }
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
