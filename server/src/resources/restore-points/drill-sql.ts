import { type Pool, statement } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'

export const readAuditHash = statement(
  'restore-drill.audit-hash',
  `select encode(hash, 'hex') as hash from audit_log where root_id = $1 and position = $2`,
)

export const countLearnings = statement(
  'restore-drill.learnings',
  `select count(*)::int as found from learning where root_id = $1 and state = 'shared' and position <= $2`,
)

export const readWeeks = statement(
  'restore-drill.weeks',
  'select distinct week from metrics_day where root_id = $1 order by week',
)

export const countPullRequests = statement(
  'restore-drill.pull-requests',
  `select count(*)::int as found from pull_request
   where root_id = $1 and week = $2 and position <= $3 and entry is not null`,
)

export interface SampledDocument {
  readonly provider: string
  readonly host: string
  readonly repository_id: string
  readonly number: string
  readonly digest: string
}

/** What a pull request was sent with. Outcomes change its findings and its entry at positions of their own. */
const digest = `md5(row(p.organization_id, p.url, p.author_id, p.status, p.merged_at, p.closed_at, p.day, p.event_id, p.event_at,
  p.facts::text)::text)`

/** Some pull requests of the week that were not sent again since the position. */
export const samplePullRequests = statement(
  'restore-drill.sample',
  `select provider, host, repository_id, number::text, ${digest} as digest from (
     select * from pull_request where root_id = $1 and week = $2 and position <= $3 and entry is not null
     order by position desc limit $4) p`,
)

/** How many of the sample are the same here. */
export const countSame = statement(
  'restore-drill.same',
  `select count(*)::int as found from pull_request p
   join json_to_recordset($2) as s (provider text, host text, repository_id text, number bigint, digest text)
     using (provider, host, repository_id, number)
   where p.root_id = $1 and ${digest} = s.digest`,
)

const selectDataUntil = statement(
  'restore-drill.data-until',
  'select extract(epoch from pg_last_xact_replay_timestamp())::float8 as at',
)

/** The last change that the copy has; null if it was not recovered from a log, as after a dump. */
export async function readDataUntilUnscoped(copy: Pool): Promise<Date | null> {
  const [row] = await runUnscoped<{ at: number | null }>(copy, selectDataUntil, [])
  return row?.at == null ? null : new Date(row.at * 1000)
}

const insertDrill = statement(
  'restore-drill.insert',
  'insert into restore_drill (data_until, seconds) values ($1, $2)',
)

/** A drill that found the backup sound. */
export async function insertDrillUnscoped(
  live: Pool,
  dataUntil: Date | null,
  seconds: number,
): Promise<void> {
  await runUnscoped(live, insertDrill, [dataUntil?.toISOString() ?? null, seconds])
}
