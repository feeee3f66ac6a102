import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'

const MAX_LIFETIME_MS = 150

export interface WriterChecks {
  /** Snapshots that were taken while events were written. */
  snapshots: number
  /** Groups of weeks of them whose counts were not those of the findings. */
  different: number
  kills: number
}

const selectDifferent = `
  with counted as (
    select root_id, organization_id, coalesce(instance_id, '00000000-0000-0000-0000-000000000000') as instance_id,
      day - (day - date '0001-01-01') % 7 as week, coalesce(reviewer, '') as reviewer, coalesce(severity::text, '') as severity,
      coalesce(category::text, '') as category, count(*) as posted, count(*) filter (where accepted) as accepted,
      count(*) filter (where not accepted) as not_accepted
    from finding where counted group by 1, 2, 3, 4, 5, 6, 7)
  select count(*)::int as different from counted c
  full join (select * from finding_week where (posted, accepted, not_accepted) <> (0, 0, 0)) w
    using (root_id, organization_id, instance_id, week, reviewer, severity, category)
  where (c.posted, c.accepted, c.not_accepted) is distinct from (w.posted, w.accepted, w.not_accepted)`

/**
 * Makes all writes at once, each repeated until it is done, while their connections are killed at random. Every snapshot of the
 * database meanwhile must have the weeks of its findings.
 */
export async function writeConcurrently(
  database: TestDatabase,
  writes: readonly (() => Promise<void>)[],
  checks: WriterChecks,
): Promise<void> {
  const superuser = database.superuser()
  const writing = new AbortController()

  async function takeSnapshots(): Promise<void> {
    do {
      const { rows } = await superuser.query<{ different: number }>(selectDifferent)
      checks.snapshots += 1
      checks.different += rows[0]?.different ?? 0
    } while (!writing.signal.aborted)
  }

  async function kill(): Promise<void> {
    while (!writing.signal.aborted) {
      await sleep(Math.random() * MAX_LIFETIME_MS)
      const { rows } = await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'scholiast-test-metrics' and state <> 'idle' and random() < 0.3`,
      )
      checks.kills += rows.length
    }
  }

  const watching = Promise.all([takeSnapshots(), kill()])
  try {
    await Promise.all(writes.map(repeatUntilDone))
  } finally {
    writing.abort()
    await watching
    await superuser.end()
  }
}

const MAX_TRIES = 200

async function repeatUntilDone(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (tries === MAX_TRIES) throw error
      await sleep(5)
    }
  }
}
