import { setTimeout as sleep } from 'node:timers/promises'
import { acquireConnection, type Pool } from './connect.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

const RETRY_MS = 1000

/**
 * Resolves when every pool has connected, which includes its checks; retries while a database is unavailable. Returns
 * false if the signal aborts first. Rejects if the connection can never work, such as with a wrong password.
 */
export async function awaitDatabase(
  pools: readonly Pool[],
  reportUnavailable: (error: unknown) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let reported = false
  while (!signal.aborted) {
    try {
      for (const pool of pools) (await acquireConnection(pool)).connection.release()
      return true
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (!reported) reportUnavailable(error)
      reported = true
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return false
}
