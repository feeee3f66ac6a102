import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId, OrganizationId } from '../ids.ts'

// Locks in order of id, like `lockLearnings`, to prevent deadlocks. Uses may arrive out of order.
const updateUsage = statement(
  'learnings.use',
  `with used as materialized (
     select id from learning where root_id = $1 and organization_id = $2 and id = any ($3)
     order by id for no key update
   )
   update learning l set usage_count = l.usage_count + 1, last_used_at = greatest(l.last_used_at, $4)
   from used where l.root_id = $1 and l.organization_id = $2 and l.id = used.id`,
)

/** Counts one use of each Learning. Unknown ids are ignored. */
export async function recordUse(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
  at: Date,
): Promise<void> {
  if (ids.length > 0) await tx.query(updateUsage, [scope.root, organization, ids, at])
}
