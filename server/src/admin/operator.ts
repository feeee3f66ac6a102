import type { ChangeContext } from '../access/change-context.ts'
import { rootScope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import { dryRunTransaction, inTransaction, type Tx } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'

/** Connects as scholiast_worker, so row-level security applies to admin commands too. */
export interface Operator {
  readonly pool: Pool
  readonly now: () => Date
}

type ChangeWork<Result> = (change: ChangeContext) => Promise<Result>

/** Runs `work` in one transaction, with the operator as its actor. */
export function runChange<Result>(
  operator: Operator,
  root: RootId,
  work: ChangeWork<Result>,
): Promise<Result> {
  return inTransaction(operator.pool, rootScope(root), (tx) => work(createChange(operator, root, tx)))
}

/** Runs `work` like `runChange`, then rolls back. */
export function dryRunChange<Result>(
  operator: Operator,
  root: RootId,
  work: ChangeWork<Result>,
): Promise<Result> {
  return dryRunTransaction(operator.pool, rootScope(root), (tx) => work(createChange(operator, root, tx)))
}

function createChange({ now }: Operator, root: RootId, tx: Tx): ChangeContext {
  return { tx, scope: rootScope(root), actor: { kind: 'operator', id: null }, at: now() }
}
