import { setTimeout as sleep } from 'node:timers/promises'
import { type Pool, statement } from './connect.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { runUnscoped } from './transaction.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

const RETRY_MS = 1000
const INSUFFICIENT_PRIVILEGE = '42501'
const UNDEFINED_TABLE = '42P01'

const readApplied = statement('db.read-migrations', 'select name, checksum, contract from migration')

interface AppliedMigration {
  readonly name: string
  readonly checksum: string
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
      const { missing, contracted } = compareSchema(migrations, applied)
      if (contracted !== null) throw new Error(describeContracted(contracted))
      if (missing.length === 0) return true
      if (!reported) reportMissing(missing)
      reported = true
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
  }
  return false
}

export interface SchemaState {
  /** The last migration that was applied; null if none was. */
  readonly latest: string | null
  /** Migrations that this version needs. */
  readonly missing: readonly string[]
  /** Migrations of this version that the database has in another form. */
  readonly changed: readonly string[]
  /** A migration of a later version that has removed what this version uses. */
  readonly contracted: string | null
}

function compareSchema(migrations: readonly Migration[], applied: readonly AppliedMigration[]): SchemaState {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const known = new Set(migrations.map(({ name }) => name))
  const needed = migrations.filter(({ name, contract }) => contract === null && !checksums.has(name))
  const changed = migrations.filter(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
  return {
    latest:
      applied
        .map(({ name }) => name)
        .toSorted()
        .at(-1) ?? null,
    missing: needed.map(({ name }) => name),
    changed: changed.map(({ name }) => name),
    contracted: applied.find(({ name, contract }) => contract && !known.has(name))?.name ?? null,
  }
}

/** Compares the schema of a database with this version. Null if the database is unavailable. */
export async function readSchemaState(pool: Pool): Promise<SchemaState | null> {
  const applied = await readAppliedMigrations(pool)
  return applied && compareSchema(await readMigrations(), applied)
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

function describeContracted(name: string): string {
  return `The database has migration ${name}, which removed what this version uses: run a newer version.`
}
