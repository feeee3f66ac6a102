import pg from 'pg'
import { dayNumberOf } from '../../src/metrics/week.ts'
import type { TestDatabase } from '../database.ts'
import { growOrganizations } from './organizations.ts'

export interface BulkCounts {
  /** A workspace token. */
  readonly key: string
  /** The Git provider's id of the organization whose findings are summed. */
  readonly orgId: string
}

const ORGANIZATIONS = 1_000
const FIRST_DAY = dayNumberOf('2025-01-01')
const DAYS = 400
const PULL_REQUESTS = 200_000
const FINDINGS = 5
const REPOSITORIES = 200
const AUTHORS = 500

const drawn = (seed: number, below: number) => `abs(hashint8(n + ${seed}000000000::bigint)) % ${below}`

// A year of 200,000 pull requests is 547 a day, also in the days before and after it. Who works most works in five
// repositories as everybody else does; a finding is of one of four reviewers, or nobody knows of whom.
const drawFindings = `
  create unlogged table bulk_finding as
  select n as number, ${FIRST_DAY} + ${drawn(1, DAYS)} as day, author, ((author * 7 + ${drawn(2, 5)} * 13) % ${REPOSITORIES})::text as repository,
    (array['correctness', 'security', 'performance', 'style', null])[1 + reviewer] as reviewer,
    16 * case severity when 5 then 15 else severity end + case category when 6 then 15 else category end as cell, outcome
  from generate_series(1, ${Math.round((PULL_REQUESTS * DAYS) / 365)}::bigint) n
  cross join lateral (select floor((${drawn(3, 65536)} / 65536.0) ^ 1.3 * ${AUTHORS})::int as author offset 0) a
  cross join lateral (select abs(hashint8(n * 8 + k)) as one, abs(hashint8(n * 8 + k + 5000000000)) as other
    from generate_series(1, ${FINDINGS}) k offset 0) rolled
  cross join lateral (select one % 5 as reviewer, floor(((one / 5 % 1024) / 1024.0) ^ 1.5 * 6)::int as severity,
    other % 7 as category, other / 7 % 3 as outcome offset 0) f`

const countFindings = `
  create unlogged table bulk_count as
  with cell as (
    select g.grain, g.period, g.repository_id, g.author_id, g.number, reviewer, cell,
      concat_ws(',', cell, count(*), count(*) filter (where outcome = 0), count(*) filter (where outcome = 1)) as counts
    from bulk_finding
    cross join lateral (values ('day', day, repository, author::text, number),
      ('block', day - day % 28, repository, author::text, 0), ('repository', day - day % 7, repository, '', 0),
      ('author', day - day % 7, '', author::text, 0), ('total', day - day % 7, '', '', 0))
      g (grain, period, repository_id, author_id, number)
    group by 1, 2, 3, 4, 5, 6, 7
  ), reviewer as (
    select grain, period, repository_id, author_id, number,
      concat('[', coalesce(to_json(reviewer)::text, 'null'), ',', string_agg(counts, ','), ']') as counts
    from cell group by 1, 2, 3, 4, 5, reviewer
  )
  select $1::uuid as root_id, $2::uuid as organization_id, grain, period, repository_id, author_id, number,
    concat('[', string_agg(counts, ','), ']') as counts
  from reviewer group by 3, 4, 5, 6, 7`

// Half of what is around it is of the other organizations of its workspace, half of other tenants. Fewer pull requests share a
// row than would among people who work together, so that there are rather too many rows than too few.
const insertAll = `
  insert into finding_count (root_id, organization_id, grain, period, repository_id, author_id, number, counts)
  select * from (
    select root_id, organization_id, grain, period, repository_id, author_id, number, counts from bulk_count
    union all
    select case when place <= ${ORGANIZATIONS} then $1::uuid else md5('root ' || place)::uuid end,
      coalesce(($2::uuid[])[place], md5('organization ' || place)::uuid), grain,
      case grain when 'day' then day when 'block' then day - day % 28 else day - day % 7 end,
      case when grain <> 'author' then 'r' || n else '' end, case when grain <> 'repository' then 'a' || n else '' end,
      case grain when 'day' then n else 0 end,
      '[["security",65,2,1,0,33,1,0,1],[null,255,1,0,1]]'
    from generate_series(1, $3::bigint) n
    cross join lateral (select 2 + ${drawn(4, 2 * ORGANIZATIONS - 1)} as place, ${FIRST_DAY} + ${drawn(5, DAYS)} as day offset 0) d
    cross join lateral (values ('day', 1), ('block', 2), ('author', 2), ('repository', 4)) g (grain, one_in)
    where n % one_in = 0
  ) counted order by period, hashtext(repository_id || author_id)`

/** An organization with a million findings a year, and so many pull requests of others around them, week by week. */
export async function growFindingCounts(database: TestDatabase, around: number): Promise<BulkCounts> {
  const { root, key } = await growOrganizations(database, { total: ORGANIZATIONS, largest: ORGANIZATIONS })
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    await client.query(
      `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '512MB'; set jit = off`,
    )
    const { rows } = await client.query<{ id: string }>(
      'select id from organization where root_id = $1 order by provider_organization_id::int',
      [root],
    )
    const organizations = rows.map(({ id }) => id)
    await client.query(drawFindings)
    await client.query(countFindings.replace('$1', `'${root}'`).replace('$2', `'${organizations[0]}'`))
    const restoreIndexes = await dropIndexes(client)
    await client.query(insertAll, [root, organizations, around])
    await restoreIndexes()
    await client.query('drop table bulk_finding, bulk_count')
    await client.query('vacuum analyze finding_count')
    return { key, orgId: '1' }
  } finally {
    await client.end()
  }
}

/** Many rows are written without their indexes and without a log; the indexes are then made as they were. */
async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `select indexname as name, indexdef as made from pg_indexes
     where schemaname = 'public' and tablename = 'finding_count' and indexname <> 'finding_count_pkey'`,
  )
  const { rows: keys } = await client.query<{ made: string }>(
    `select pg_get_constraintdef(oid) as made from pg_constraint where conname = 'finding_count_pkey'`,
  )
  await client.query('alter table finding_count drop constraint finding_count_pkey')
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query('alter table finding_count set unlogged')
  return async () => {
    await client.query(`alter table finding_count add constraint finding_count_pkey ${keys[0]?.made}`)
    for (const { made } of indexes) await client.query(made)
  }
}
