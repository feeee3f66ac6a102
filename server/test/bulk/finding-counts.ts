import pg from 'pg'
import { FIRST_MONDAY, toDayNumber } from '../../src/metrics-store/week.ts'
import type { TestDatabase } from '../database.ts'
import { dropIndexes } from './indexes.ts'
import { growOrganizations } from './organizations.ts'
import { readOrganizationIds } from './pull-requests.ts'

export interface BulkCounts {
  /** A workspace token. */
  readonly key: string
  /** The provider's id of the organization whose findings are summed. */
  readonly orgId: string
  readonly repository: string
  readonly author: string
  /** Marks the block of the day as changed and not counted, in every organization. */
  markStale(day: string): Promise<void>
}

const ORGANIZATIONS = 1_000
const FIRST_DAY = toDayNumber('2025-01-01')
const DAYS = 400
// 200,000 pull requests a year are 547 a day, also before and after the year.
const PULL_REQUESTS = Math.round((200_000 * DAYS) / 365)
const FINDINGS = 5
const REPOSITORIES = 200
const AUTHORS = 500
const ROWS_PER_INSERT = 250_000
// The size of an entry of GET /v1/metrics/reviews: the rows of a summary are stored between such entries.
const ENTRY_BYTES = 1_150

const renderHash = (seed: number, below: number) => `abs(hashint8(n + ${seed}000000000::bigint)) % ${below}`
const renderDayNumber = (place: string, count: string) =>
  `${FIRST_DAY} + ((${place} - 1) * ${DAYS} / ${count})::int`

// Every author works in five repositories; a finding has one of four reviewers, or an unknown one. The pull requests are
// spread evenly among those of others: $1 pull requests in all.
const drawFindings = `
  create unlogged table bulk_finding as
  select n as number, (n * $1 / ${PULL_REQUESTS})::bigint as place, ${renderDayNumber('n', `${PULL_REQUESTS}`)} as day, author::text as author,
    ((author * 7 + ${renderHash(2, 5)} * 13) % ${REPOSITORIES})::text as repository,
    (array['correctness', 'security', 'performance', 'style', null])[1 + reviewer] as reviewer,
    16 * case severity when 5 then 15 else severity end + case category when 6 then 15 else category end as cell, outcome
  from generate_series(1, ${PULL_REQUESTS}::bigint) n
  cross join lateral (select floor((${renderHash(3, 65536)} / 65536.0) ^ 1.3 * ${AUTHORS})::int as author offset 0) a
  cross join lateral (select abs(hashint8(n * 8 + k)) as one, abs(hashint8(n * 8 + k + 5000000000)) as other
    from generate_series(1, ${FINDINGS}) k offset 0) rolled
  cross join lateral (select one % 5 as reviewer, floor(((one / 5 % 1024) / 1024.0) ^ 1.5 * 6)::int as severity,
    other % 7 as category, other / 7 % 3 as outcome offset 0) f`

/** Tallies of the findings, one per key. */
const renderTallies = (keys: string, from: string) => `
  with cell as (
    select ${keys}, reviewer, cell,
      concat_ws(',', cell, count(*), count(*) filter (where outcome = 0), count(*) filter (where outcome = 1)) as counts
    from ${from} group by ${keys}, reviewer, cell
  ), reviewer as (
    select ${keys}, concat('[', coalesce(to_json(reviewer)::text, 'null'), ',', string_agg(counts, ','), ']') as counts
    from cell group by ${keys}, reviewer
  )
  select ${keys}, concat('[', string_agg(counts, ','), ']') as tally from reviewer group by ${keys}`

const tallyPullRequests = `
  create unlogged table bulk_own as ${renderTallies('place, number, day, repository, author', 'bulk_finding')};
  create unique index on bulk_own (place)`

const tallyGrains = `
  create unlogged table bulk_count as ${renderTallies(
    'grain, period, repository_id, author_id',
    `(select f.reviewer, f.cell, f.outcome, g.* from bulk_finding f
      cross join lateral (values ('block', day - day % 28, repository, author), ('repository', day - day % 7, repository, ''),
        ('author', day - day % 7, '', author), ('total', day - day % 7, '', '')) g (grain, period, repository_id, author_id)) told`,
  )}`

// Half of the other rows belong to other organizations of the workspace, half to other tenants. Rows are written in the
// order of their days, like those of a worker.
const joinSurroundings = `
  cross join lateral (select 2 + ${renderHash(4, 2 * ORGANIZATIONS - 1)} as tenant, ${renderDayNumber('n', '$3::bigint')} as day offset 0) d
  cross join lateral (select case when tenant <= ${ORGANIZATIONS} then $1::uuid else md5('root ' || tenant)::uuid end as root_id,
    coalesce(($2::uuid[])[tenant], md5('organization ' || tenant)::uuid) as organization_id offset 0) t`
const TALLY_AROUND = `'[["security",65,2,1,0,33,1,0,1],[null,255,1,0,1]]'`

const insertReviews = `
  insert into review (root_id, provider, host, repository_id, number, organization_id, author_id, status, day, week, position,
    entry, tally)
  select case when own.place is null then t.root_id else $1 end, 'github', 'github.com', coalesce(own.repository, 'r' || n), n,
    case when own.place is null then t.organization_id else ($2::uuid[])[1] end, coalesce(own.author, 'a' || n), 'merged',
    date '0001-01-01' + coalesce(own.day, d.day), (coalesce(own.day, d.day) - ${FIRST_MONDAY}) / 7, n,
    repeat('.', ${ENTRY_BYTES}), coalesce(own.tally, ${TALLY_AROUND})
  from generate_series($4::bigint, $5::bigint) n ${joinSurroundings}
  left join bulk_own own on own.place = n order by n`

// Fewer pull requests share a row than in a real team, so that there are too many rows rather than too few.
const insertCounts = `
  insert into finding_count (root_id, organization_id, grain, period, repository_id, author_id, tally)
  select t.root_id, t.organization_id, grain, case grain when 'block' then day - day % 28 else day - day % 7 end,
    case when grain <> 'author' then 'r' || n else '' end, case when grain <> 'repository' then 'a' || n else '' end,
    ${TALLY_AROUND}
  from generate_series($4::bigint, $5::bigint) n ${joinSurroundings}
  cross join lateral (values ('block', 2), ('author', 2), ('repository', 4)) g (grain, one_in)
  where n % one_in = 0`

const insertOwnCounts = `
  insert into finding_count (root_id, organization_id, grain, period, repository_id, author_id, tally)
  select $1, $2, grain, period, repository_id, author_id, tally from bulk_count`

/** An organization with a million findings a year, among pull requests of others on the same days. */
export async function growFindingCounts(
  database: TestDatabase,
  others: number,
  onProgress: (written: number) => void,
): Promise<BulkCounts> {
  const { root, key } = await growOrganizations(database, { total: ORGANIZATIONS, largest: ORGANIZATIONS })
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    await client.query(
      `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '512MB'; set jit = off`,
    )
    const organizations = await readOrganizationIds(client, root)
    const count = others + PULL_REQUESTS
    await client.query(drawFindings.replaceAll('$1', String(count)))
    await client.query(tallyPullRequests)
    await client.query(tallyGrains)
    const restore = [await dropIndexes(client, 'review'), await dropIndexes(client, 'finding_count')]
    await client.query(insertOwnCounts, [root, organizations[0]])
    for (let written = 0; written < count; written += ROWS_PER_INSERT) {
      const last = Math.min(written + ROWS_PER_INSERT, count)
      const values = [root, organizations, count, written + 1, last]
      await client.query(insertReviews, values)
      await client.query(insertCounts, values)
      onProgress(last)
    }
    for (const createIndexes of restore) await createIndexes()
    await client.query('drop table bulk_finding, bulk_own, bulk_count')
    await client.query('vacuum analyze review, finding_count')
  } finally {
    await client.end()
  }
  return { key, orgId: '1', repository: '7', author: '1', markStale: (day) => markStale(database, root, day) }
}

async function markStale(database: TestDatabase, root: string, day: string): Promise<void> {
  const superuser = database.superuser()
  const number = toDayNumber(day)
  await superuser.query(
    'insert into stale_finding_count (root_id, organization_id, block) select root_id, id, $2 from organization where root_id = $1',
    [root, number - (number % 28)],
  )
  await superuser.query('vacuum analyze stale_finding_count')
  await superuser.end()
}
