import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import { type LargestColumn, largestColumns } from '../source-sql.ts'

export interface WriteHead extends Readonly<Record<LargestColumn, number>> {
  /** The last reserved position. */
  readonly position: number
  readonly state: 'active' | 'incoming' | 'moved'
}

const advanceHead = statement(
  'metrics.reserve-positions',
  `insert into metrics_head as h (root_id, position) values ($1, $2::bigint)
   on conflict (root_id) do update set position = h.position + $2::bigint
   returning position, state, ${largestColumns.join(', ')}`,
)

const updateLargest = statement(
  'metrics.raise-largest',
  `update metrics_head
   set ${largestColumns.map((column, index) => `${column} = greatest(${column}, $${index + 2})`).join(', ')} where root_id = $1`,
)

/** Locks the root's head until the end of the transaction, so that later reads see every earlier write. */
export function reservePositions(scope: Scope, tx: Tx, count: number): Promise<WriteHead> {
  return tx.one<WriteHead>(advanceHead, [scope.root, count])
}

/** Updates the head if one of the written entries is larger than all earlier ones. */
export async function raiseLargest(
  scope: Scope,
  tx: Tx,
  head: WriteHead,
  written: Readonly<Partial<Record<LargestColumn, readonly string[]>>>,
): Promise<void> {
  const bytes = largestColumns.map((column) =>
    (written[column] ?? []).reduce(
      (largest, entry) => Math.max(largest, Buffer.byteLength(entry)),
      head[column],
    ),
  )
  if (largestColumns.some((column, index) => bytes[index] !== head[column]))
    await tx.query(updateLargest, [scope.root, ...bytes])
}
