import type { Scope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readMoveHead, readMovePlacement } from '../../metrics-store/move-sql.ts'
import type { ArrivalProgress, MoveHead } from '../../metrics-store/move-step.ts'

export interface MoveStatus {
  readonly store: string
  readonly moving_to: string | null
  readonly leaving: string | null
  readonly stage: 'here' | 'waiting for the worker' | ArrivalProgress['stage'] | 'arrived' | 'sweeping'
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
    return { ...placement, stage: leaving === null ? 'here' : 'sweeping', rows_copied: null }
  const head = await inTransaction(stores.pool(moving_to), scope, (tx) => readMoveHead(scope, tx))
  if (head === null || head.move < move)
    return { ...placement, stage: 'waiting for the worker', rows_copied: null }
  return { ...placement, stage: getStage(head), rows_copied: getCopiedRows(head) }
}

function getStage({ state, arrival }: MoveHead): MoveStatus['stage'] {
  return state === 'here' || arrival === null ? 'arrived' : arrival.stage
}

function getCopiedRows({ arrival }: MoveHead): number | null {
  return arrival !== null && 'rows' in arrival ? arrival.rows : null
}
