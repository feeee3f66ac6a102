import type { Pool, Statement } from './connect.ts'
import { runUnscoped } from './transaction.ts'

/**
 * Repeats a statement that deletes a batch of rows and returns their number as `swept`, until it finds fewer. The size of
 * the batch is its last parameter. Returns the number of deleted rows.
 */
export async function sweepUnscoped(
  pool: Pool,
  sweep: Statement,
  batch: number,
  values: readonly unknown[] = [],
): Promise<number> {
  let total = 0
  for (let swept = batch; swept === batch; total += swept) {
    const [row] = await runUnscoped<{ swept: number }>(pool, sweep, [...values, batch])
    swept = row?.swept ?? 0
  }
  return total
}
