import pg from 'pg'
import { FIRST_MONDAY, toDayNumber } from '../../src/metrics-store/week.ts'
import type { TestDatabase } from '../database.ts'
import type { TestOrganization } from '../tenant.ts'
import { dropIndexes } from './indexes.ts'

const FIRST_DAY = '2028-01-02'
const DAYS = 364
const REPOSITORIES = 200
const MINUTES = 10_000
const ROWS_PER_INSERT = 250_000

const dayNumber = `${toDayNumber(FIRST_DAY)} + ((n - 1) * ${DAYS} / $3::bigint)::int`
const drawn = `from generate_series($4::bigint, $5::bigint) n
  cross join lateral (select ${dayNumber} as day, ((n * 7) % ${REPOSITORIES})::text as repository,
    abs(hashint8(n)) % ${MINUTES} as to_review, abs(hashint8(n + 1000000000)) % ${MINUTES} as to_merge offset 0) d
  cross join lateral (select date '0001-01-01' + day as on_day, (day - ${FIRST_MONDAY}) / 7 as week,
    timestamp '2028-01-01' as created offset 0) t`
const renderTime = (time: string) => `to_char(${time}, '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`

// As large as an entry with all its counters.
const insertReviews = `
  insert into review (root_id, provider, host, repository_id, number, organization_id, author_id, status, day, week, position, entry)
  select $1, 'github', 'github.com', repository, n, $2, (n % 500)::text, case when n % 12 = 0 then 'closed' else 'merged' end,
    on_day, week, n, concat('{"pr_url":"https://github.com/organization/repository-', repository, '/pull/', n,
      '","author_id":"1","author_username":"somebody","organization_id":"1","organization_name":"Organization","repository_id":"', repository,
      '","repository_name":"repository-', repository, '","status":"', case when n % 12 = 0 then 'closed' else 'merged' end,
      '","created_at":', ${renderTime('created')}, ',"ready_for_review_at":', ${renderTime('created')},
      ',"first_human_review_at":', ${renderTime(`created + to_review * interval '1 minute'`)}, ',"last_commit_at":', ${renderTime('created')},
      ',"merged_at":', case when n % 12 = 0 then 'null' else ${renderTime(`created + to_merge * interval '1 minute'`)} end,
      ',"closed_at":null,"review_iterations":', n % 5, ',"estimated_complexity":3,"estimated_review_minutes":12,"coderabbit_comments":"',
      repeat('.', 600), '"}')
  ${drawn} order by n`

const insertUsage = `
  insert into mcp_usage (root_id, provider, host, repository_id, number, organization_id, author_id, day, week, position, servers, entry)
  select $1, 'github', 'github.com', repository, n, $2, (n % 500)::text, on_day, week, n, servers::json, concat('{"servers":', servers, '}')
  ${drawn}
  cross join lateral (select concat('[{"name":"linear","calls":3,"tools":[{"name":"get_issue","calls":2,"errors":', n % 2,
    '},{"name":"search_issues","calls":1,"errors":0}]},{"name":"server-', n % 40, '","calls":1,"tools":[{"name":"get_issue","calls":1,"errors":0}]}]')
    as servers offset 0) s order by n`

/** A year of pull requests of one organization, with usage of MCP servers, written as superuser and without their indexes. */
export async function growSummaries(
  database: TestDatabase,
  { root, id }: TestOrganization,
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    await client.query(
      `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set timezone = UTC; set jit = off`,
    )
    for (const [table, insert] of [
      ['review', insertReviews],
      ['mcp_usage', insertUsage],
    ] as const) {
      const restoreIndexes = await dropIndexes(client, table)
      for (let written = 0; written < count; written += ROWS_PER_INSERT)
        await client.query(insert, [root, id, count, written + 1, Math.min(written + ROWS_PER_INSERT, count)])
      await restoreIndexes()
    }
    await client.query('vacuum analyze review, mcp_usage')
  } finally {
    await client.end()
  }
}
