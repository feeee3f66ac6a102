import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import { insertMove, lockPlacement } from './sql.ts'

/** From its commit on the root's metrics cannot be read, until the worker has moved them. Answers where they were. */
export async function requestMove(change: ChangeContext, store: string): Promise<string> {
  const { tx, scope, actor, at } = change
  const { store: from, moving_to, leaving } = await lockPlacement(scope, tx)
  const wait = `Wait until that has ended (npm run admin -- metrics status ${scope.root}), then ask again.`
  if (moving_to !== null) {
    refuse('INVALID_REQUEST', `The metrics are on their way from "${from}" to "${moving_to}". ${wait}`)
  }
  if (from === store) refuse('INVALID_REQUEST', `The metrics are in "${store}" already.`)
  if (leaving !== null) {
    refuse('INVALID_REQUEST', `What the last move left in "${leaving}" is still being deleted. ${wait}`)
  }
  if (!(await insertMove(scope, tx, from, store))) {
    refuse('INVALID_REQUEST', `Somebody else has just asked for a move of these metrics. ${wait}`)
  }
  await emit(tx, scope, { type: 'metrics.move_requested', payload: { from, store } })
  const entry: AuditEntry = {
    action: 'metrics_move_requested',
    resourceType: 'metrics',
    resourceId: scope.root,
    organization: null,
    actor,
    metadata: { from, store },
  }
  await writeAuditEntry(tx, scope, entry, at)
  return from
}
