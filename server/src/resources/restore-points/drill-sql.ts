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
  `select distinct (day - (day - date '0001-01-01') % 7)::text as week from metrics_day where root_id = $1 order by 1`,
)

const ofWeek = `root_id = $1 and day between $2::date and $2::date + 6 and position <= $3 and counted`

export const countPullRequests = statement(
  'restore-drill.pull-requests',
  `select count(*)::int as found from pull_request where ${ofWeek}`,
)

export interface SampledDocument {
  readonly pull_request_key: string
  readonly digest: string
}

/** What a pull request was sent with. Outcomes change its findings and its documents at positions of their own. */
const digest = `md5(row(p.organization_id, p.organization_name, p.repository_name, p.url, p.author_id, p.author_username, p.status,
  p.created_at, p.ready_for_review_at, p.first_human_review_at, p.last_commit_at, p.merged_at, p.closed_at, p.review_iterations,
  p.estimated_complexity, p.estimated_review_minutes, p.reviewers, p.day, p.event_id, p.event_at)::text)`

/** Some pull requests of the week that were not sent again since the position. */
export const samplePullRequests = statement(
  'restore-drill.sample',
  `select pull_request_key, ${digest} as digest from (
     select * from pull_request where ${ofWeek} order by position desc limit $4) p`,
)

/** How many of the sample are the same here. */
export const countSame = statement(
  'restore-drill.same',
  `select count(*)::int as found from pull_request p
   join json_to_recordset($2) as s (pull_request_key uuid, digest text) using (pull_request_key)
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
