import { auditChange, type ChangeContext } from '../../access/change-context.ts'
import type { Scope } from '../../access/scope.ts'
import { emit } from '../../bus/emit.ts'
import type { Pool } from '../../db/connect.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { inTransaction } from '../../db/transaction.ts'
import { refuseOperation } from '../../errors.ts'
import { readMoveHead, readMovePlacement } from '../../metrics-store/move-sql.ts'
import type { ArrivalProgress, MoveHead } from '../../metrics-store/move-step.ts'
import { insertMove, lockPlacement } from './sql.ts'

/** Metrics of the root cannot be read from the commit until the worker has moved them. Returns the old store. */
export async function requestMove(change: ChangeContext, store: string): Promise<string> {
  const { tx, scope } = change
  const { store: from, moving_to, leaving } = await lockPlacement(scope, tx)
  const wait = `Wait for it to finish (npm run admin -- metrics status ${scope.root}), then retry.`
  if (moving_to !== null) {
    refuseOperation(`The metrics are being moved from "${from}" to "${moving_to}". ${wait}`)
  }
  if (from === store) refuseOperation(`The metrics are already in "${store}". Name another store.`)
  if (leaving !== null) {
    refuseOperation(`Rows of the previous move are still being deleted from "${leaving}". ${wait}`)
  }
  if (!(await insertMove(scope, tx, from, store))) {
    refuseOperation(`Another move of these metrics was just requested. ${wait}`)
  }
  await emit(tx, scope, { type: 'metrics.move_requested', payload: { from, store } })
  await auditChange(change, {
    action: 'metrics_move_requested',
    resourceId: scope.root,
    organization: null,
    metadata: { from, store },
  })
  return from
}

export interface MoveStatus {
  readonly store: string
  readonly moving_to: string | null
  readonly leaving: string | null
  readonly stage: 'active' | 'waiting for the worker' | ArrivalProgress['stage'] | 'arrived' | 'sweeping'
  readonly rows_copied: number | null
}

export async function readMoveStatus(scope: Scope, pool: Pool, stores: MetricsStores): Promise<MoveStatus> {
  const placed = await inTransaction(pool, scope, (tx) => readMovePlacement(scope, tx))
  const { store, moving_to, leaving, move } = placed ?? {
    store: 'shared',
    moving_to: null,
    leaving: null,
    move: 0,
  }
  const placement = { store, moving_to, leaving }
  if (moving_to === null)
    return { ...placement, stage: leaving === null ? 'active' : 'sweeping', rows_copied: null }
  const head = await inTransaction(stores.pool(moving_to), scope, (tx) => readMoveHead(scope, tx))
  if (head === null || head.move < move)
    return { ...placement, stage: 'waiting for the worker', rows_copied: null }
  return { ...placement, stage: getStage(head), rows_copied: getCopiedRows(head) }
}

function getStage({ state, arrival }: MoveHead): MoveStatus['stage'] {
  return state === 'active' || arrival === null ? 'arrived' : arrival.stage
}

function getCopiedRows({ arrival }: MoveHead): number | null {
  return arrival !== null && 'rows' in arrival ? arrival.rows : null
}
