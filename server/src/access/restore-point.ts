import type { Tx } from '../db/transaction.ts'
import type { Scope } from './scope.ts'
import { readRestorePoints } from './sql.ts'

/** The sequences of positions of a tenant root that cursors hold. A restore to an earlier point sets them back. */
export const positionSequences = ['audit', 'learnings', 'security', 'metrics'] as const
export type PositionSequence = (typeof positionSequences)[number]

/** The epoch of an installation that was never restored, and of cursors that carry none. */
export const FIRST_EPOCH = 0

/** A restore to an earlier point, with the last position of each sequence of one root that existed then. */
export interface RestorePoint extends Readonly<Record<PositionSequence, number>> {
  readonly epoch: number
  readonly restored_to: string
}

/** All restore points, as they apply to one root. */
export function findRestorePoints(scope: Scope, tx: Tx): Promise<RestorePoint[]> {
  return tx.query<RestorePoint>(readRestorePoints, [scope.root])
}
