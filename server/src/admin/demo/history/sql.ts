import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'

const newestSeeded = statement(
  'demo.newest-seeded',
  `select event_id, to_char(event_at at time zone 'UTC', 'YYYY-MM-DD') as day from pull_request
   where root_id = $1 and starts_with(event_id, $2) order by event_at desc limit 1`,
)

/** Of the pull requests whose event's id begins so, the one that was finalized last. */
export async function readNewestSeeded(
  scope: Scope,
  tx: Tx,
  prefix: string,
): Promise<{ readonly event_id: string; readonly day: string } | null> {
  const [newest] = await tx.query<{ event_id: string; day: string }>(newestSeeded, [scope.root, prefix])
  return newest ?? null
}
