import { setTimeout as sleep } from 'node:timers/promises'
import { type Pool, statement } from './connect.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { runUnscoped } from './transaction.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

const RETRY_MS = 1000
const INSUFFICIENT_PRIVILEGE = '42501'
const UNDEFINED_TABLE = '42P01'

const readApplied = statement('db.read-migrations', 'select name, contract from migration')

interface AppliedMigration {
  readonly name: string
  readonly contract: boolean
}

/**
 * Resolves when the database has every migration that this version needs. Returns false if the signal aborts first. A
 * database that is ahead is accepted, so that version N−1 can be started again, unless a later version has
 * removed something from it.
 */
export async function awaitSchema(
  pool: Pool,
  reportMissing: (missing: readonly string[]) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const migrations = await readMigrations()
  let reported = false
  while (!signal.aborted) {
    const applied = await readAppliedMigrations(pool)
    if (applied !== null) {
      const missing = findMissing(migrations, applied)
      if (missing.length === 0) return true
      if (!reported) reportMissing(missing)
      reported = true
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
  }
  return false
}

function findMissing(migrations: readonly Migration[], applied: readonly AppliedMigration[]): string[] {
  refuseContracted(applied, new Set(migrations.map(({ name }) => name)))
  const names = new Set(applied.map(({ name }) => name))
  return migrations
    .filter(({ name, contract }) => contract === null && !names.has(name))
    .map(({ name }) => name)
}

/**
 * Without the table or the right to read it, no migration has been applied. Returns null if the database is unavailable.
 */
async function readAppliedMigrations(pool: Pool): Promise<AppliedMigration[] | null> {
  try {
    return await runUnscoped<AppliedMigration>(pool, readApplied, [])
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if ([INSUFFICIENT_PRIVILEGE, UNDEFINED_TABLE].includes(code)) return []
    if (isDatabaseUnavailable(error)) return null
    throw error
  }
}

function refuseContracted(applied: readonly AppliedMigration[], known: ReadonlySet<string>): void {
  const removed = applied.find(({ name, contract }) => contract && !known.has(name))
  if (removed === undefined) return
  throw new Error(
    `The database has migration ${removed.name}, which removed what this version uses: run a newer version.`,
  )
}
