import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import type { LearningId, OrganizationId } from '../ids.ts'

// In order of id, as whoever writes Learnings locks them. Uses come late and out of order: the newest is kept.
const updateUsage = statement(
  'learnings.use',
  `with used as materialized (
     select id from learning where root_id = $1 and organization_id = $2 and id = any ($3)
     order by id for no key update
   )
   update learning l set usage_count = l.usage_count + 1, last_used_at = greatest(l.last_used_at, $4)
   from used where l.root_id = $1 and l.organization_id = $2 and l.id = used.id`,
)

/** One more use of each, at that time; ids that the organization does not have are ignored. */
export async function recordUse(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
  at: Date,
): Promise<void> {
  if (ids.length > 0) await tx.query(updateUsage, [scope.root, organization, ids, at])
}
