import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../db/connect.ts'
import { inTransactionUnscoped, type Tx } from '../db/transaction.ts'
import { confirmLock, takeLock } from './sql.ts'

/**
 * Runs `work` in a transaction that holds a lock across all workers. Returns null if another worker holds it. A worker
 * that disappears loses the lock after `maxIdleSeconds`.
 */
export function withLock<Result>(
  pool: Pool,
  name: string,
  maxIdleSeconds: number,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result | null> {
  return inTransactionUnscoped(pool, async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>(takeLock, [name, String(maxIdleSeconds * 1000)])
    return lock?.taken ? work(tx) : null
  })
}

/**
 * Like `withLock`, for work of any length on other connections. It confirms the lock six times in `maxIdleSeconds` and
 * aborts the signal when it has lost it, so that the work can stop before another worker takes over.
 */
export function withConfirmedLock<Result>(
  pool: Pool,
  name: string,
  maxIdleSeconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  return withLock(pool, name, maxIdleSeconds, async (tx) => {
    const lost = new AbortController()
    const finished = new AbortController()
    const confirming = confirmUntil(finished.signal, (maxIdleSeconds * 1000) / 6, tx).catch(
      (cause: unknown) => {
        lost.abort(new Error(`The lock "${name}" was lost: another worker may hold it.`, { cause }))
      },
    )
    try {
      return await work(lost.signal)
    } finally {
      finished.abort()
      await confirming
    }
  })
}

async function confirmUntil(signal: AbortSignal, everyMs: number, tx: Tx): Promise<void> {
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await tx.query(confirmLock, [])
  }
}
