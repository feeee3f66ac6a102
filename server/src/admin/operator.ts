import type { ChangeContext } from '../access/change-context.ts'
import { rootScope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import { dryRunTransaction, inTransaction, type Tx } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'

/** Whoever runs the installation. Connects as scholiast_worker: row-level security holds for the operator too. */
export interface Operator {
  readonly pool: Pool
  readonly now: () => Date
}

type ChangeWork<Result> = (change: ChangeContext) => Promise<Result>

/** Runs `work` as one change of the operator: all of it is committed, or nothing. */
export function runChange<Result>(
  operator: Operator,
  root: RootId,
  work: ChangeWork<Result>,
): Promise<Result> {
  return inTransaction(operator.pool, rootScope(root), (tx) => work(createChange(operator, root, tx)))
}

/** Runs the same change and takes it back. */
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
