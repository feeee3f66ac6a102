import { setTimeout as sleep } from 'node:timers/promises'
import type { BoundStatement } from '../db/batch.ts'
import type { Pool } from '../db/connect.ts'
import { inTransactionUnscoped, type Tx } from '../db/transaction.ts'
import { confirmLock, requireLock, takeLock } from './sql.ts'

export interface HeldLock {
  /** Aborts when the holder notices that it has lost the lock, which may be late. */
  readonly signal: AbortSignal
  /** Fails in the database of the lock from the moment it is lost. */
  readonly check: BoundStatement
}

interface TakenLock {
  readonly taken: boolean
  readonly holder: number
  readonly since: string
}

/**
 * Runs `work` in a transaction that holds a lock across all workers. Returns null if another worker holds it. A worker
 * that disappears loses the lock after `maxIdleSeconds`.
 */
export function withLock<Result>(
  pool: Pool,
  name: string,
  maxIdleSeconds: number,
  work: (tx: Tx, check: BoundStatement) => Promise<Result>,
): Promise<Result | null> {
  return inTransactionUnscoped(pool, async (tx) => {
    const lock = await tx.one<TakenLock>(takeLock, [name, String(maxIdleSeconds * 1000)])
    return lock.taken ? work(tx, { statement: requireLock, values: [name, lock.holder, lock.since] }) : null
  })
}

/**
 * Like `withLock`, for work of any length on other connections. It confirms the lock six times in `maxIdleSeconds` and
 * aborts the signal when it has lost it, so that the work stops soon. A worker that is frozen notices nothing: its
 * transactions must begin with the check.
 */
export function withConfirmedLock<Result>(
  pool: Pool,
  name: string,
  maxIdleSeconds: number,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result | null> {
  return withLock(pool, name, maxIdleSeconds, async (tx, check) => {
    const lost = new AbortController()
    const finished = new AbortController()
    const confirming = confirmUntil(finished.signal, (maxIdleSeconds * 1000) / 6, tx).catch(
      (cause: unknown) => {
        lost.abort(new Error(`The lock "${name}" was lost: another worker may hold it.`, { cause }))
      },
    )
    try {
      return await work({ signal: lost.signal, check })
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
