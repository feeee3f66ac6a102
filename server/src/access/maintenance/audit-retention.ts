import type { Pool } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { AuditChainHead } from '../audit/heads.ts'
import { dropAuditMonthsUnscoped, retireAuditUnscoped, sweepAuditClearUnscoped } from './sql.ts'

const ROOTS_AT_ONCE = 500
const VALUES_AT_ONCE = 5000
const NO_ROOT = '00000000-0000-0000-0000-000000000000'

/**
 * Drops whole months of the audit log that ended at least so many months ago, over all roots; returns how many. What is
 * left of a chain follows on its checkpoint, which is attested before anything is dropped. Null = everything is kept.
 */
export async function applyAuditRetention(
  pool: Pool,
  months: number | null,
  now: Date,
  attest: (checkpoints: readonly AuditChainHead[]) => Promise<void>,
): Promise<number> {
  if (months === null) return 0
  const firstRetainedDay = getFirstDayOfMonth(now, months)
  for (let last: string | undefined = NO_ROOT; last !== undefined; ) {
    const values: unknown[] = [firstRetainedDay, last, ROOTS_AT_ONCE]
    const retired: AuditChainHead[] = await runUnscoped<AuditChainHead & object>(
      pool,
      retireAuditUnscoped,
      values,
    )
    if (retired.length > 0) await attest(retired)
    last = retired.at(-1)?.root
  }
  const [done] = await runUnscoped<{ dropped: number }>(pool, dropAuditMonthsUnscoped, [firstRetainedDay])
  for (let swept = VALUES_AT_ONCE; swept === VALUES_AT_ONCE; ) {
    const [row] = await runUnscoped<{ swept: number }>(pool, sweepAuditClearUnscoped, [VALUES_AT_ONCE])
    swept = row?.swept ?? 0
  }
  return done?.dropped ?? 0
}

/** Of the month that lies so many before this one. */
function getFirstDayOfMonth(now: Date, monthsAgo: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 10)
}
