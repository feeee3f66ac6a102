import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import { insertMove, lockPlacement } from './sql.ts'

/** Metrics of the root cannot be read from the commit until the worker has moved them. Returns the old store. */
export async function requestMove(change: ChangeContext, store: string): Promise<string> {
  const { tx, scope, actor, at } = change
  const { store: from, moving_to, leaving } = await lockPlacement(scope, tx)
  const wait = `Wait for it to finish (npm run admin -- metrics status ${scope.root}), then retry.`
  if (moving_to !== null) {
    refuse('INVALID_REQUEST', `The metrics are being moved from "${from}" to "${moving_to}". ${wait}`)
  }
  if (from === store) refuse('INVALID_REQUEST', `The metrics are already in "${store}". Name another store.`)
  if (leaving !== null) {
    refuse('INVALID_REQUEST', `Rows of the previous move are still being deleted from "${leaving}". ${wait}`)
  }
  if (!(await insertMove(scope, tx, from, store))) {
    refuse('INVALID_REQUEST', `Another move of these metrics was just requested. ${wait}`)
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
