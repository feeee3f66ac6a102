import { setTimeout as sleep } from 'node:timers/promises'
import { bulkMetricsTables, growPullRequests } from '../../server/test/bulk/pull-requests.ts'
import { createDatabaseOn, type TestDatabase } from '../../server/test/database.ts'
import { createOwnEngines } from '../../server/test/proofs/own-engines.ts'
import { createBackups, toBackupSettings } from '../../server/test/proofs/pgbackrest.ts'
import type { Measurement } from '../tools/report.ts'

const GB = 1e9
const POLL_MS = 200

/** How long a full backup and a restore of it take. */
export async function timeBackups(pullRequests: number): Promise<Measurement[]> {
  const engines = await createOwnEngines({ postgresSettings: toBackupSettings })
  try {
    const backups = createBackups(engines.folder, engines.postgres.url)
    const database = await createDatabaseOn(engines.postgres.url)
    console.error(`  writing ${pullRequests} pull requests`)
    await growPullRequests(database, {
      count: pullRequests,
      findings: 10,
      order: 'fresh',
      firstDay: '2025-01-06',
      days: 364,
    })
    const superuser = database.superuser()
    // What was written in bulk without a log would not be restored.
    for (const table of bulkMetricsTables) await superuser.query(`alter table ${table} set logged`)
    while (await isArchiving(superuser)) await sleep(POLL_MS)
    const [backupMinutes, size] = await timed(() => backups.full())
    await engines.postgres.kill()
    const [restoreMinutes] = await timed(async () => {
      backups.restore(null)
      await engines.postgres.start()
      while (await isRecovering(superuser)) await sleep(POLL_MS)
    })
    const { rows } = await superuser.query<{ found: number }>(
      'select count(*)::int as found from pull_request',
    )
    await superuser.end()
    const found = rows[0]?.found ?? 0
    const gigabytes = size.database / GB
    const render = (minutes: number) =>
      `${minutes.toFixed(1)} min, ${(minutes / gigabytes).toFixed(2)} min per GB`
    return [
      {
        measure: `${pullRequests.toLocaleString('en')} pull requests with 10 findings, ${gigabytes.toFixed(1)} GB: full backup (${(size.stored / GB).toFixed(1)} GB stored)`,
        goal: 'shown',
        result: render(backupMinutes),
        met: size.stored > 0,
      },
      {
        measure: `… restored and started, ${found.toLocaleString('en')} of them there`,
        goal: 'all, time shown',
        result: render(restoreMinutes),
        met: found === pullRequests,
      },
    ]
  } finally {
    await engines.remove()
  }
}

type Superuser = ReturnType<TestDatabase['superuser']>

async function isRecovering(superuser: Superuser): Promise<boolean> {
  const { rows } = await superuser.query<{ found: boolean }>('select pg_is_in_recovery() as found')
  return rows[0]?.found ?? true
}

/** Whether the log of the bulk load still waits for the archive. */
async function isArchiving(superuser: Superuser): Promise<boolean> {
  const waiting = `select from pg_ls_archive_statusdir() where name like '%.ready' limit 1`
  return (await superuser.query(waiting)).rowCount !== 0
}

async function timed<Result>(work: () => Result | Promise<Result>): Promise<readonly [number, Result]> {
  const started = performance.now()
  const result = await work()
  return [(performance.now() - started) / 60_000, result]
}
