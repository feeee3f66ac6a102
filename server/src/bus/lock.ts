import type { Pool } from '../db/connect.ts'
import { inTransactionUnscoped, type Tx } from '../db/transaction.ts'
import { takeLock } from './sql.ts'

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
