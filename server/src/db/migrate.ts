import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Migration, readMigrations, splitStatements } from './migration-files.ts'
import { type ProgressWatch, startProgressWatch } from './migration-progress.ts'

const MIGRATION_LOCK = 7_215_001

export interface MigrateOptions {
  readonly say?: (line: string) => void
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[]
  /**
   * While a statement waits for a lock, later requests wait behind it: so it gives up after this time and tries again. Less
   * than deadlock_timeout, 1 s, after which PostgreSQL would end a request that waits for the migration and blocks it.
   */
  readonly lockTimeoutMs?: number
  readonly attempts?: number
  /** The wait before the second attempt; it doubles up to ten times this value. */
  readonly retryMs?: number
  /** Also applies contract files: no process of version N−1 runs any more, and none will. */
  readonly contract?: { readonly finishedBackfills: ReadonlySet<string> } | null
}

interface Runner extends Required<MigrateOptions> {
  readonly client: pg.Client
  readonly watch: ProgressWatch
}

/** Applies missing migrations and returns how many. It may be killed at any time: the next run goes on from there. */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<number> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'scholiast-migrate',
    // The server notices within a second that this process was killed, and does not go on alone.
    options: '-c client_connection_check_interval=1000',
  })
  // A lost connection also rejects the statement in progress; without a listener it would end the process first.
  client.on('error', () => {})
  await client.connect()
  const say = options.say ?? (() => {})
  const watch = await startProgressWatch(ownerUrl, client, say)
  try {
    await lock(client, say)
    const migrations = options.migrations ?? (await readMigrations())
    const runner = {
      lockTimeoutMs: 800,
      attempts: 30,
      retryMs: 1_000,
      contract: null,
      ...options,
      say,
      migrations,
      client,
      watch,
    }
    return await applyMissing(runner)
  } finally {
    await watch.stop()
    await client.end()
  }
}

/** One migrating process at a time. To wait inside a statement would make a concurrent index of the other one wait too. */
async function lock(client: pg.Client, say: (line: string) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.locked) return
    if (attempt === 5) say('another process is migrating this database: waiting for it')
    await sleep(200)
  }
}

async function applyMissing(runner: Runner): Promise<number> {
  const { client, migrations, say } = runner
  await prepareHistory(client)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migration',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  refuseForeignHistory(applied, migrations)
  // A new database has no rows and no version N−1.
  const isNew = applied.size === 0
  let count = 0
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    if (migration.contract !== null && runner.contract === null && !isNew) {
      say(`left out ${migration.name}: it is applied by database migrate --contract`)
      continue
    }
    if (!isNew) refuseEarlyContract(runner, migration)
    say(`applying ${migration.name}`)
    runner.watch.begin(migration.name)
    await (migration.inTransaction
      ? applyInTransaction(runner, migration)
      : applyStatements(runner, migration))
    runner.watch.end()
    count += 1
  }
  return count
}

async function prepareHistory(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now(),
    contract boolean not null default false)`)
}

function refuseEarlyContract(runner: Runner, { name, contract }: Migration): void {
  const after = contract?.after ?? null
  if (after === null || runner.contract?.finishedBackfills.has(after)) return
  throw new Error(
    `Migration ${name} waits for the backfill ${after}, which is not finished: run database backfill.`,
  )
}

async function applyInTransaction(runner: Runner, migration: Migration): Promise<void> {
  const { client, lockTimeoutMs } = runner
  await retryLocks(runner, migration, async () => {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
      await client.query(migration.sql)
      await recordApplied(client, migration)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

const concurrently =
  /^(?:create\s+(?:unique\s+)?index|drop\s+index|reindex\s+(?:index|table))\s+concurrently\b/i
const createdIndex =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:[^"]|"")+"|\w+)\s+on\b/i

/** Statement by statement. A file that was interrupted starts again, so its statements can be repeated. */
async function applyStatements(runner: Runner, migration: Migration): Promise<void> {
  const { client, lockTimeoutMs } = runner
  for (const statement of splitStatements(migration.sql)) {
    const index = createdIndex.exec(statement)?.[1]
    // A concurrent statement blocks nobody while it waits for old transactions; a time-out would leave an invalid index.
    const timeout = concurrently.test(statement) ? 0 : lockTimeoutMs
    await retryLocks(runner, migration, async () => {
      await client.query('set lock_timeout = 0')
      if (index !== undefined) await dropInvalidIndex(runner, index)
      await client.query(`set lock_timeout = ${timeout}`)
      await client.query(statement)
    })
  }
  await client.query('reset lock_timeout')
  await recordApplied(client, migration)
}

/** `if not exists` would accept the unusable index that a killed run has left behind. */
async function dropInvalidIndex({ client, say }: Runner, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rowCount === 0) return
  say(`dropping index ${index}, which an interrupted run left incomplete`)
  await client.query(`drop index concurrently if exists ${index}`)
}

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

async function retryLocks(
  { say, watch, attempts, retryMs }: Runner,
  { name }: Migration,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error
      const blockers = watch.takeBlockers()
      const waited = blockers === '' ? 'other transactions' : blockers
      if (attempt === attempts) {
        throw new Error(
          `Migration ${name} could not lock its tables in ${attempts} attempts because of ${waited}. ` +
            'Nothing of it was applied. End those transactions, or run the command again later.',
          { cause: error },
        )
      }
      const delay = Math.min(retryMs * 2 ** (attempt - 1), retryMs * 10) * (0.5 + Math.random() / 2)
      say(
        `${name} waits for ${waited}; attempt ${attempt + 1} of ${attempts} in ${(delay / 1000).toFixed(1)} s`,
      )
      await sleep(delay)
    }
  }
}

async function recordApplied(client: pg.Client, { name, checksum, contract }: Migration): Promise<void> {
  await client.query('insert into migration (name, checksum, contract) values ($1, $2, $3)', [
    name,
    checksum,
    contract !== null,
  ])
}

export interface PendingMigration {
  readonly name: string
  readonly contract: Migration['contract']
}

/** Without a lock or a change, for reports. */
export async function findPendingMigrations(
  ownerUrl: string,
  migrations?: readonly Migration[],
): Promise<PendingMigration[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'scholiast-migrate' })
  await client.connect()
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('migration') is not null as exists`,
    )
    const applied = rows[0]?.exists
      ? (await client.query<{ name: string }>('select name from migration')).rows
      : []
    const names = new Set(applied.map(({ name }) => name))
    return (migrations ?? (await readMigrations())).filter(({ name }) => !names.has(name))
  } finally {
    await client.end()
  }
}

/** A database that was made by other files. Until 1.0.0 the baseline is edited in place, and nothing upgrades from an older one. */
function refuseForeignHistory(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const [baseline] = migrations
  if (applied.size > 0 && baseline !== undefined && applied.get(baseline.name) !== baseline.checksum) {
    throw new Error(
      `This database has an older schema: ${baseline.name} has changed since. Before 1.0.0 there is no upgrade from it, so ` +
        'start again with an empty database (for development: scripts/engines wipe --yes, or docker compose down --volumes).',
    )
  }
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of applied) {
    const expected = checksums.get(name)
    if (expected === undefined) {
      throw new Error(
        `The database has migration ${name}, which this version does not have: run a newer version.`,
      )
    }
    if (expected !== checksum) {
      throw new Error(`Migration ${name} was changed after it was applied: write a new migration instead.`)
    }
  }
}
