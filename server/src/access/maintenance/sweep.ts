import type { Pool } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
import { makeAuditMonthsUnscoped, sweepIdempotencyUnscoped, sweepWindowsUnscoped } from './sql.ts'

const BATCH_SIZE = 5000

/** Forgets kept answers that may no longer be given, in bounded statements; returns how many. */
export async function sweepIdempotency(pool: Pool, batch = BATCH_SIZE): Promise<number> {
  let total = 0
  for (;;) {
    const [row] = await runUnscoped<{ swept: number }>(pool, sweepIdempotencyUnscoped, [batch])
    const swept = row?.swept ?? 0
    total += swept
    if (swept < batch) return total
  }
}

type WindowKey = Readonly<Record<'root_id' | 'policy' | 'owner_id', string>>

/** Forgets rate windows in which nothing happened for a day: they are longer empty than any limit looks back. */
export async function sweepLimitWindows(pool: Pool, batch = BATCH_SIZE): Promise<void> {
  const nilId = '00000000-0000-0000-0000-000000000000'
  let last: WindowKey | undefined = { root_id: nilId, policy: '', owner_id: nilId }
  while (last !== undefined) {
    const values: unknown[] = [last.root_id, last.policy, last.owner_id, batch]
    const page: WindowKey[] = await runUnscoped<WindowKey>(pool, sweepWindowsUnscoped, values)
    last = page[0]
  }
}

/** This month's part of the audit log and the two to come, so that no row has to go to the default part. */
export async function makeAuditMonths(pool: Pool): Promise<void> {
  await runUnscoped(pool, makeAuditMonthsUnscoped, [])
}
