import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import { enqueueTasks, type LearningRef } from './tasks-sql.ts'

/** The worker shares the Learnings at their deadline unless an Admin decides before. */
export function enqueueApprovals(
  scope: Scope,
  tx: Tx,
  learnings: readonly (LearningRef & { readonly deadline: Date })[],
): Promise<void> {
  return enqueueTasks(
    scope,
    tx,
    'approve',
    learnings.map(({ organization_id, id, deadline }) => ({ organization_id, id, at: deadline })),
  )
}
