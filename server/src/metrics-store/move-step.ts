import type { MovedTable } from './move-rows-sql.ts'
import type { LargestColumn } from './source-sql.ts'

/** Where a root's metrics are and where they go, as the main database has it. */
export interface MovePlacement {
  readonly store: string
  readonly moving_to: string | null
  readonly leaving: string | null
  readonly move: number
}

/** What a store knows of a root. */
export interface MoveHead extends Readonly<Record<LargestColumn, number>> {
  readonly position: number
  readonly state: 'here' | 'arriving' | 'moved'
  readonly move: number
  readonly arrival: ArrivalProgress | null
}

export interface CopyingProgress {
  readonly stage: 'copying'
  readonly table: MovedTable
  readonly after: readonly (string | number)[]
  readonly rows: number
}

/** Written together with the rows it tells of: a move goes on where the last commit left it. */
export type ArrivalProgress =
  | { readonly stage: 'clearing' }
  | CopyingProgress
  | { readonly stage: 'copied'; readonly rows: number }

export type MoveStep = 'fence' | 'claim' | 'clear' | 'copy' | 'open' | 'settle' | 'sweep' | 'rest'

/**
 * Every step is taken in the store's own transaction, under the lock of its head and only if the head is still as it
 * was seen here. So it does not matter who takes it, how often it is tried, or where the one before has died.
 */
export function nextStep(placement: MovePlacement, from: MoveHead | null, to: MoveHead | null): MoveStep {
  const { moving_to, leaving, move } = placement
  if (moving_to === null) return leaving === null ? 'rest' : 'sweep'
  refuseInconsistentState(placement, from, to)
  if (from === null || from.move < move) return 'fence'
  return to === null || to.move < move ? 'claim' : nextArrivalStep(to, moving_to)
}

/** States that no move leaves behind: nothing is touched, somebody must look. */
function refuseInconsistentState(
  { store, moving_to, move }: MovePlacement,
  from: MoveHead | null,
  to: MoveHead | null,
): void {
  if ([from, to].some((head) => head !== null && head.move > move)) {
    throw new Error(
      `The stores "${store}" and "${moving_to}" know of a later move than metrics_placement. Was a database restored?`,
    )
  }
  if (to?.state === 'here' && to.move < move) {
    throw new Error(`The root is at home in "${moving_to}" too: its rows there would be lost.`)
  }
  if (from !== null && from.move < move && from.state !== 'here') {
    throw new Error(`The root should be at home in "${store}", but it is ${from.state} there.`)
  }
}

function nextArrivalStep({ state, arrival }: MoveHead, store: string): MoveStep {
  if (state === 'here') return 'settle'
  switch (arrival?.stage) {
    case 'clearing':
      return 'clear'
    case 'copying':
      return 'copy'
    case 'copied':
      return 'open'
    case undefined:
      throw new Error(`The root left "${store}" with the very move that brings it there.`)
  }
}
