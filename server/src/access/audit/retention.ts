import type { Pool } from '../../db/connect.ts'
import { sweepUnscoped } from '../../db/sweep.ts'
import { runUnscoped } from '../../db/transaction.ts'
import { NIL_UUID } from '../../ids.ts'
import { getFirstDayOfMonth } from '../../time.ts'
import type { AuditChainHead } from './heads.ts'
import {
  dropAuditMonthsUnscoped,
  retireAuditUnscoped,
  sweepAuditClearUnscoped,
  sweepHeadsUnscoped,
} from './sql.ts'

const ROOTS_PER_BATCH = 500
const VALUES_PER_BATCH = 5000
const HEADS_PER_BATCH = 5000

/**
 * Drops whole months of the audit log, for all roots, that ended at least `months` months ago; returns their number. The
 * rest of a chain continues from its checkpoint, which is attested before anything is dropped. Null = drop nothing.
 */
export async function applyAuditRetention(
  pool: Pool,
  months: number | null,
  now: Date,
  attest: (checkpoints: readonly AuditChainHead[]) => Promise<void>,
): Promise<number> {
  if (months === null) return 0
  const firstRetainedDay = getFirstDayOfMonth(now, months)
  for (let last: string | undefined = NIL_UUID; last !== undefined; ) {
    const values: unknown[] = [firstRetainedDay, last, ROOTS_PER_BATCH]
    const retired: AuditChainHead[] = await runUnscoped<AuditChainHead>(pool, retireAuditUnscoped, values)
    if (retired.length > 0) await attest(retired)
    last = retired.at(-1)?.root
  }
  const [done] = await runUnscoped<{ dropped: number }>(pool, dropAuditMonthsUnscoped, [firstRetainedDay])
  await sweepUnscoped(pool, sweepAuditClearUnscoped, VALUES_PER_BATCH)
  return done?.dropped ?? 0
}

/** Deletes stored heads that later ones replace. The file keeps all of them. */
export async function sweepHeads(pool: Pool): Promise<void> {
  await sweepUnscoped(pool, sweepHeadsUnscoped, HEADS_PER_BATCH)
}
