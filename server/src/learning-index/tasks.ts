import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import { leaveTasks, type TaskOf } from './tasks-sql.ts'

/** The worker shares them when their time has come, unless somebody has decided by then. */
export function oweApproval(
  scope: Scope,
  tx: Tx,
  learnings: readonly (TaskOf & { readonly deadline: Date })[],
): Promise<void> {
  return leaveTasks(
    scope,
    tx,
    'approve',
    learnings.map(({ organization_id, id, deadline }) => ({ organization_id, id, at: deadline })),
  )
}
