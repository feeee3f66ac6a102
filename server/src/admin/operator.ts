import type { ChangeContext } from '../access/change-context.ts'
import { rootScope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import { dryRunTransaction, inTransaction } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'

/** Connects as scholiast_worker, so row-level security applies to admin commands too. */
export interface Operator {
  readonly pool: Pool
  readonly now: () => Date
}

/** Runs `work` in one transaction, with the operator as its actor. A dry run rolls it back. */
export function runChange<Result>(
  { pool, now }: Operator,
  root: RootId,
  work: (change: ChangeContext) => Promise<Result>,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Result> {
  const scope = rootScope(root)
  const run = dryRun ? dryRunTransaction : inTransaction
  return run(pool, scope, (tx) => work({ tx, scope, actor: { kind: 'operator', id: null }, at: now() }))
}
