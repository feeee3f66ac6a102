import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../server/test/database.ts'
import { startApi } from '../server/test/process.ts'
import { createTestWriter } from '../server/test/pull-requests.ts'
import { createTenant } from '../server/test/tenant.ts'
import type { ProofOptions } from './run.ts'
import {
  compare,
  type Difference,
  readExport,
  readFileCopy,
  readPostgresCopy,
  readReviewExport,
  readReviewFile,
  readReviewTable,
} from './sync/compare.ts'
import { runAndKill, runToEnd, type SyncCommand } from './sync/kills.ts'
import { startWriters, type WriterTally } from './sync/writers.ts'
import { copyCommandLine } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const builtEntry = fileURLToPath(new URL('../cli/dist/scholiast.js', import.meta.url))

// The cursor of a response is stored before its data: with files in the manifest before, in PostgreSQL in a transaction before.
const cursorBeforeData = [
  {
    file: 'dist/metrics/file-copy.js',
    name: '#save',
    wrap: `async (save, manifest) => {
      await save(manifest.changes.length === 0 ? manifest : { ...manifest, changes: this.#manifest.changes })
      this.#manifest = manifest
    }`,
  },
  {
    file: 'dist/metrics/postgres-copy.js',
    name: 'apply',
    find: 'await this.#client.query(applyChanges)',
    replace:
      "await this.#storeCursor(end.next_cursor); await this.#client.query('commit'); await this.#client.query('begin'); await this.#client.query(applyChanges)",
  },
]

interface Kills {
  readonly count: number
  /** How many of them had an unfinished file or an open transaction. */
  readonly amidWork: number
}

/** A copy that is killed at random times while others write equals the export of the server in the end. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const [fileKills, databaseKills] = quick ? [10, 5] : [100, 50]
  const database = await createDatabase()
  const warehouse = await createEmptyDatabase()
  const tenant = await createTenant(database, { organizations: 3 })
  const writer = createTestWriter(database, { connections: 8 })
  const folder = await mkdtemp(join(tmpdir(), 'scholiast-sync-'))
  const copy = withoutCure ? await copyCommandLine(cursorBeforeData) : null
  const api = await startApi(database, { LIMIT_METRICS: 'off' })
  try {
    const { value: key } = await tenant.createKey('workspace')
    const connection = { entry: copy?.entry ?? builtEntry, baseUrl: api.url, key }
    const toFiles: SyncCommand = { ...connection, target: folder }
    const toPostgres: SyncCommand = { ...connection, target: warehouse.superuserUrl }
    const writers = startWriters(writer, tenant.workspace)
    const pool = warehouse.superuser()
    const [killed, killedInDatabase] = await Promise.all([
      killRepeatedly(toFiles, fileKills, () => hasUnfinishedFile(folder)),
      killRepeatedly(toPostgres, databaseKills, () => hasOpenTransaction(pool)),
    ])
    await pool.end()
    await writers.stop()
    await Promise.all([runToEnd(toFiles), runToEnd(toPostgres)])
    const exported = await readExport(api.url, key)
    const reviews = await readReviewExport(api.url, key)
    const all = 'pull requests with and without findings'
    report(title(withoutCure), [
      ...reportWriters(writers.tally),
      reportKills('files', fileKills, killed),
      reportDifference('files', compare(exported, await readFileCopy(join(folder, 'review-comments.jsonl')))),
      reportDifference('files', compare(reviews, await readReviewFile(join(folder, 'reviews.jsonl'))), all),
      reportKills('PostgreSQL', databaseKills, killedInDatabase),
      reportDifference('PostgreSQL', compare(exported, await readPostgresCopy(warehouse))),
      reportDifference('PostgreSQL', compare(reviews, await readReviewTable(warehouse)), all),
    ])
  } finally {
    await api.stop()
    await Promise.all([tenant.close(), writer.close()])
    await copy?.remove()
    await rm(folder, { recursive: true })
    await Promise.all([database.drop(), warehouse.drop()])
  }
}

async function killRepeatedly(
  command: SyncCommand,
  count: number,
  isAmidWork: () => Promise<boolean>,
): Promise<Kills> {
  // The first run has the most to read, and shows how long this machine takes to start one.
  let runMs = await runToEnd(command)
  let amidWork = 0
  for (let kill = 0; kill < count; kill++) {
    if (await runAndKill(command, runMs * (0.3 + Math.random() * 0.7), isAmidWork)) amidWork += 1
    if (kill % 5 === 4) runMs = await runToEnd(command)
  }
  return { count, amidWork }
}

/** Whether there is a file that the manifest does not name: a response or a merge that was not finished. */
async function hasUnfinishedFile(folder: string): Promise<boolean> {
  const state = join(folder, '.scholiast')
  const manifest = await readFile(join(state, 'manifest.json'), 'utf8').catch(() => '')
  const files = await readdir(state)
  return files.some((name) => name !== 'manifest.json' && name !== 'lock' && !manifest.includes(`"${name}"`))
}

async function hasOpenTransaction(pool: ReturnType<TestDatabase['superuser']>): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where application_name = 'scholiast metrics sync' and state <> 'idle'
     and datname = current_database()`,
  )
  return rowCount !== 0
}

function title(withoutCure: boolean): string {
  return withoutCure
    ? 'sync without its cure: the cursor is stored before the data'
    : 'sync: a copy that is killed at random equals the export'
}

function reportWriters({ written, rewritten, removed, outcomes }: WriterTally): Measurement[] {
  const least = Math.min(written, rewritten, removed, outcomes)
  return [
    {
      measure: '8 writers meanwhile: pull requests written, rewritten, removed, outcomes changed',
      goal: '> 0 each',
      result: [written, rewritten, removed, outcomes].join(', '),
      met: least > 0,
    },
  ]
}

function reportKills(target: string, goal: number, { count, amidWork }: Kills): Measurement {
  return {
    measure: `${target}: runs killed (SIGKILL), ${amidWork} of them amid a response or a merge`,
    goal: `${goal}`,
    result: count,
    met: count === goal,
  }
}

function reportDifference(
  target: string,
  { expected, missing, double, different }: Difference,
  what = 'pull requests with findings',
): Measurement {
  return {
    measure: `${target}, ${expected} ${what}: missing, double, different (outcomes included)`,
    goal: '0, 0, 0',
    result: `${missing}, ${double}, ${different}`,
    met: expected > 0 && missing === 0 && double === 0 && different === 0,
  }
}
