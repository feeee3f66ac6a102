import type { MovedTable } from './move-rows-sql.ts'
import type { LargestColumn } from './source-sql.ts'

/** The placement of a root's metrics, from the main database. */
export interface MovePlacement {
  readonly store: string
  readonly moving_to: string | null
  readonly leaving: string | null
  readonly move: number
}

/** The head of a root in one store. */
export interface MoveHead extends Readonly<Record<LargestColumn, number>> {
  readonly position: number
  readonly state: 'active' | 'incoming' | 'moved'
  readonly move: number
  readonly arrival: ArrivalProgress | null
}

export interface CopyingProgress {
  readonly stage: 'copying'
  readonly table: MovedTable
  readonly after: readonly (string | number)[]
  readonly rows: number
}

/** Committed together with the copied rows, so that a move continues after the last commit. */
export type ArrivalProgress =
  | { readonly stage: 'clearing' }
  | CopyingProgress
  | { readonly stage: 'copied'; readonly rows: number }

export type MoveStep = 'fence' | 'claim' | 'clear' | 'copy' | 'open' | 'settle' | 'sweep' | 'rest'

/**
 * Every step runs in a transaction of its store, under the head's lock and only if the head is unchanged. So any worker can
 * run it, retry it, or continue after a crash.
 */
export function nextStep(placement: MovePlacement, from: MoveHead | null, to: MoveHead | null): MoveStep {
  const { moving_to, leaving, move } = placement
  if (moving_to === null) return leaving === null ? 'rest' : 'sweep'
  refuseInconsistentState(placement, from, to)
  if (from === null || from.move < move) return 'fence'
  return to === null || to.move < move ? 'claim' : nextArrivalStep(to, moving_to)
}

/** States that no move produces: nothing is changed, an operator must investigate. */
function refuseInconsistentState(
  { store, moving_to, move }: MovePlacement,
  from: MoveHead | null,
  to: MoveHead | null,
): void {
  if ([from, to].some((head) => head !== null && head.move > move)) {
    throw new Error(
      `The stores "${store}" and "${moving_to}" record a later move than metrics_placement. Check whether a database was restored.`,
    )
  }
  if (to?.state === 'active' && to.move < move) {
    throw new Error(`The root is also active in "${moving_to}"; its rows there would be lost.`)
  }
  if (from !== null && from.move < move && from.state !== 'active') {
    throw new Error(`The root should be active in "${store}", but its state there is ${from.state}.`)
  }
}

function nextArrivalStep({ state, arrival }: MoveHead, store: string): MoveStep {
  if (state === 'active') return 'settle'
  switch (arrival?.stage) {
    case 'clearing':
      return 'clear'
    case 'copying':
      return 'copy'
    case 'copied':
      return 'open'
    case undefined:
      throw new Error(`The head in "${store}" has no arrival progress for the move that targets it.`)
  }
}
