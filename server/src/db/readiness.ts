import { runBatch } from './batch.ts'
import { acquireConnection, connect, statement } from './connect.ts'
import { ReadOnlyServerError } from './unavailable.ts'
import type { WaitLimits } from './wait-limits.ts'

/** Checks whether a database can be written, on a connection of its own, so that a busy pool is not taken for a lost one. */
export interface DatabaseProbe {
  /** Returns why the database cannot be used, or null. Never takes longer than 2 s, and never runs twice at once. */
  check(): Promise<string | null>
  close(): Promise<void>
}

const probeLimits: WaitLimits = { connectionMs: 1_500, responseMs: 2_000 }

// True on a standby too.
const readWritable = statement(
  'db.read-writable',
  `select current_setting('transaction_read_only') = 'on' as read_only`,
)

export function createDatabaseProbe(url: string, name: string): DatabaseProbe {
  const pool = connect({ url, name: `${name}-readiness`, connections: 1, limits: probeLimits })
  let running: Promise<string | null> | undefined

  async function probe(): Promise<string | null> {
    try {
      const { connection, waitedMs } = await acquireConnection(pool)
      let failure: Error | undefined
      try {
        const statements = [{ statement: readWritable, values: [] }]
        const [rows] = await runBatch(connection, statements, probeLimits.responseMs - waitedMs)
        if (rows?.[0]?.['read_only'] !== false) throw new ReadOnlyServerError()
      } catch (error) {
        failure = error as Error
        throw error
      } finally {
        connection.release(failure)
      }
      return null
    } catch (error) {
      return error instanceof ReadOnlyServerError ? 'database read-only' : 'database unreachable'
    }
  }

  return {
    check() {
      running ??= probe().finally(() => {
        running = undefined
      })
      return running
    },
    close: () => pool.end(),
  }
}
