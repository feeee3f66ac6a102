import { growPullRequests } from '../../server/test/bulk/pull-requests.ts'
import { createDatabaseOn } from '../../server/test/database.ts'
import { createOwnEngines } from '../../server/test/proofs/own-engines.ts'
import { createBackups, toBackupSettings } from '../../server/test/proofs/pgbackrest.ts'
import type { Measurement } from '../tools/report.ts'

const GB = 1e9

/** How long a full backup and a restore of it take. */
export async function timeBackups(pullRequests: number): Promise<Measurement[]> {
  const engines = await createOwnEngines({ postgresSettings: toBackupSettings })
  try {
    const database = await createDatabaseOn(engines.postgres.url)
    console.error(`  writing ${pullRequests} pull requests`)
    await growPullRequests(database, {
      count: pullRequests,
      findings: 10,
      order: 'fresh',
      firstDay: '2025-01-06',
      days: 364,
      reviews: true,
    })
    const backups = createBackups(engines.folder, engines.postgres.url)
    const [backupMinutes, size] = await timed(() => backups.full())
    await engines.postgres.kill()
    const [restoreMinutes] = await timed(async () => {
      backups.restore(null)
      await engines.postgres.start()
    })
    const superuser = database.superuser()
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

async function timed<Result>(work: () => Result | Promise<Result>): Promise<readonly [number, Result]> {
  const started = performance.now()
  const result = await work()
  return [(performance.now() - started) / 60_000, result]
}
