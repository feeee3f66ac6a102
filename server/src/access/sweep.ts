import type { Pool } from '../db/connect.ts'
import { sweepUnscoped } from '../db/sweep.ts'
import { runUnscoped } from '../db/transaction.ts'
import { NIL_UUID } from '../ids.ts'
import { createAuditMonthsUnscoped } from './audit/sql.ts'
import {
  sweepIdempotencyUnscoped,
  sweepNoncesUnscoped,
  sweepSessionsUnscoped,
  sweepWindowsUnscoped,
} from './sweep-sql.ts'

const BATCH_SIZE = 5000

/** Deletes expired stored responses in batches; returns their number. */
export function sweepIdempotency(pool: Pool, batch = BATCH_SIZE): Promise<number> {
  return sweepUnscoped(pool, sweepIdempotencyUnscoped, batch)
}

/** Deletes old sessions and expired values that worked once; returns their number. */
export async function sweepSessions(pool: Pool, batch = BATCH_SIZE): Promise<number> {
  const sessions = await sweepUnscoped(pool, sweepSessionsUnscoped, batch)
  return sessions + (await sweepUnscoped(pool, sweepNoncesUnscoped, batch))
}

type WindowKey = Readonly<Record<'root_id' | 'policy' | 'owner_id', string>>

/** Deletes rate limit windows without a request for a day, longer than any limit. */
export async function sweepLimitWindows(pool: Pool, batch = BATCH_SIZE): Promise<void> {
  let last: WindowKey | undefined = { root_id: NIL_UUID, policy: '', owner_id: NIL_UUID }
  while (last !== undefined) {
    const values: unknown[] = [last.root_id, last.policy, last.owner_id, batch]
    const page: WindowKey[] = await runUnscoped<WindowKey>(pool, sweepWindowsUnscoped, values)
    last = page[0]
  }
}

/** Creates the audit log partitions of this month and the next two, so that no row goes to the default partition. */
export async function createAuditMonths(pool: Pool): Promise<void> {
  await runUnscoped(pool, createAuditMonthsUnscoped, [])
}
