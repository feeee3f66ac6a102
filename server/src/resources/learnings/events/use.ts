import type { ChangeContext } from '../../../access/change-context.ts'
import type { ResolvedOrganization } from '../../../bus/ingest/sql.ts'
import { recordUse } from '../../../learning-index/use-sql.ts'
import { getEventTime, toEventKey, type UsedEvent } from './payload.ts'
import { recordAppliedUse } from './sql.ts'

/** Counts each Learning once for the event. Uses of Learnings that are gone count for nothing. */
export async function applyUse(
  { scope, tx, at }: ChangeContext,
  { organization_id }: ResolvedOrganization,
  event: UsedEvent,
): Promise<null> {
  const { learning_ids, used_at } = event.payload
  const isNew = await recordAppliedUse(scope, tx, toEventKey(event), at)
  if (isNew) await recordUse(scope, tx, organization_id, learning_ids, getEventTime(event, used_at))
  return null
}
