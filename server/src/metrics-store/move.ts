import { auditChange } from '../access/change-context.ts'
import { rootScope, type Scope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import type { MetricsStores } from '../db/stores.ts'
import { inTransaction, type Tx } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'
import type { Log } from '../observe/log.ts'
import { countRows, deleteChunk, getLowestKey, insertChunk, movedTables, readChunk } from './move-rows-sql.ts'
import {
  advanceArrival,
  claimTarget,
  clearLeavingStore,
  completePlacement,
  fenceSource,
  findMovesUnscoped,
  lockMovedHead,
  openTarget,
  readDatabaseIdentity,
  readMoveHead,
  readMovePlacement,
} from './move-sql.ts'
import {
  type ArrivalProgress,
  type CopyingProgress,
  type MoveHead,
  type MovePlacement,
  type MoveStep,
  nextStep,
} from './move-step.ts'

interface MovedEvent {
  readonly type: 'metrics.moved'
  readonly payload: { readonly from: string; readonly store: string }
}

export interface Mover {
  readonly database: Pool
  readonly stores: MetricsStores
  readonly log: Log
  readonly now: () => Date
  /** Writes an outbox event in the transaction of the change. */
  readonly emitEvent: (tx: Tx, scope: Scope, event: MovedEvent) => Promise<void>
}

interface Move {
  readonly mover: Mover
  readonly scope: Scope
  readonly moveNumber: number
  readonly sourceStore: string
  readonly targetStore: string
  readonly sourcePool: Pool
  readonly targetPool: Pool
  readonly source: MoveHead | null
  readonly target: MoveHead | null
}

// Shorter than the drain time of a worker. Each pass takes one step per root, so that a small root does not wait for a large one.
const RUN_MS = 10_000
const STEP_MS = 1_000

/** Steps that a move repeats until all rows are processed. */
const repeatedSteps: ReadonlySet<MoveStep> = new Set(['clear', 'copy', 'sweep'])
const CLEARING: ArrivalProgress = { stage: 'clearing' }

/** Advances every move in progress. The next run continues from there, on any worker. */
export async function moveMetrics(mover: Mover): Promise<void> {
  const end = mover.now().getTime() + RUN_MS
  let roots = await findMovesUnscoped(mover.database)
  while (roots.length > 0 && mover.now().getTime() < end) {
    const left: RootId[] = []
    for (const root of roots) if (await continueMove(mover, root)) left.push(root)
    roots = left
  }
}

/** A failing move does not stop the others. */
async function continueMove(mover: Mover, root: RootId): Promise<boolean> {
  try {
    return (await stepMove(mover, root)) !== 'rest'
  } catch (err) {
    mover.log.error({ err, root }, 'a step of a metrics move failed; the next run retries')
    return false
  }
}

/** Runs the next step of a root's move and returns it. */
export async function stepMove(mover: Mover, root: RootId): Promise<MoveStep> {
  const scope = rootScope(root)
  const placement = await inTransaction(mover.database, scope, (tx) => readMovePlacement(scope, tx))
  if (placement === null || (placement.moving_to === null && placement.leaving === null)) return 'rest'
  const move = await loadMove(mover, scope, placement)
  const step = nextStep(placement, move.source, move.target)
  if (await runStep(step, move)) {
    if (!repeatedSteps.has(step))
      mover.log.info(
        { root, step, from: move.sourceStore, to: move.targetStore },
        'a step of a metrics move is done',
      )
    return step
  }
  mover.log.warn(
    { root, step },
    'a step of a metrics move was done by another worker, or its store has changed',
  )
  return 'rest'
}

/** Reads both stores before the first step: a root does not leave for an unreachable store. */
async function loadMove(mover: Mover, scope: Scope, placement: MovePlacement): Promise<Move> {
  const sourceStore = placement.leaving ?? placement.store
  const targetStore = placement.moving_to ?? placement.store
  const sourcePool = mover.stores.pool(sourceStore)
  const targetPool = mover.stores.pool(targetStore)
  const [source = null, target = null] = await Promise.all(
    [sourcePool, targetPool].map((pool) => inTransaction(pool, scope, (tx) => readMoveHead(scope, tx))),
  )
  const moveNumber = placement.move
  return { mover, scope, moveNumber, sourceStore, targetStore, sourcePool, targetPool, source, target }
}

/** False when the head has changed since it was read: nothing was done. */
function runStep(step: MoveStep, move: Move): Promise<boolean> {
  const { scope, moveNumber, targetPool, target } = move
  switch (step) {
    case 'fence':
      return checkAndFenceSource(move)
    case 'claim':
      return inTransaction(targetPool, scope, (tx) => claimTarget(scope, tx, moveNumber, CLEARING))
    case 'clear':
      return clearTarget(move)
    case 'copy':
      return copyChunk(move, target?.arrival as CopyingProgress)
    case 'open':
      return verifyAndOpen(move)
    case 'settle':
      return completeMove(move)
    case 'sweep':
      return sweepSource(move)
    case 'rest':
      return Promise.resolve(true)
  }
}

async function checkAndFenceSource(move: Move): Promise<boolean> {
  const { scope, moveNumber, sourceStore, targetStore, sourcePool, targetPool } = move
  const [sourceIdentity, targetIdentity] = await Promise.all(
    [sourcePool, targetPool].map(readDatabaseIdentity),
  )
  if (sourceIdentity === targetIdentity)
    throw new Error(`The stores "${sourceStore}" and "${targetStore}" are the same database.`)
  return inTransaction(sourcePool, scope, (tx) => fenceSource(scope, tx, moveNumber))
}

/** Rows that an earlier stay left in the target would otherwise count as copied. */
async function clearTarget(move: Move): Promise<boolean> {
  const { scope, moveNumber, targetPool } = move
  const outcome = await deleteRootRows(move, targetPool, (tx) =>
    advanceArrival(scope, tx, moveNumber, CLEARING, CLEARING),
  )
  if (outcome !== 'empty') return outcome === 'going on'
  const [table] = movedTables
  if (table === undefined) return false
  const start: ArrivalProgress = { stage: 'copying', table, after: getLowestKey(table), rows: 0 }
  return inTransaction(targetPool, scope, (tx) => advanceArrival(scope, tx, moveNumber, CLEARING, start))
}

/** The source stays fenced while the target is incoming, so its rows do not change any more. */
async function copyChunk(
  { scope, moveNumber, sourcePool, targetPool }: Move,
  arrival: CopyingProgress,
): Promise<boolean> {
  const { table, after, rows } = arrival
  const chunk = await inTransaction(sourcePool, scope, (tx) => readChunk(scope, tx, table, after))
  const next =
    chunk.last === null
      ? advanceToNextTable(arrival)
      : { ...arrival, after: chunk.last, rows: rows + chunk.rows }
  return inTransaction(targetPool, scope, async (tx) => {
    if (!(await advanceArrival(scope, tx, moveNumber, arrival, next))) return false
    if (chunk.rows > 0) await insertChunk(scope, tx, table, chunk)
    return true
  })
}

function advanceToNextTable({ table, rows }: CopyingProgress): ArrivalProgress {
  const next = movedTables[movedTables.indexOf(table) + 1]
  if (next === undefined) return { stage: 'copied', rows }
  return { stage: 'copying', table: next, after: getLowestKey(next), rows }
}

async function verifyAndOpen(move: Move): Promise<boolean> {
  const { scope, moveNumber, sourcePool, targetPool, source, target } = move
  const { arrival } = target ?? {}
  if (source === null || !arrival) return false
  const [left, arrived] = await Promise.all([sourcePool, targetPool].map((pool) => countAllRows(pool, scope)))
  if (left !== arrived) throw new Error(`The target store has ${arrived} of ${left} rows; it is not opened.`)
  return inTransaction(targetPool, scope, (tx) => openTarget(scope, tx, moveNumber, arrival, source))
}

async function countAllRows(pool: Pool, scope: Scope): Promise<number> {
  let rows = 0
  for (const table of movedTables)
    rows += await inTransaction(pool, scope, (tx) => countRows(scope, tx, table))
  return rows
}

function completeMove(move: Move): Promise<boolean> {
  const { mover, scope, moveNumber, sourceStore, targetStore, target } = move
  const at = mover.now()
  return inTransaction(mover.database, scope, async (tx) => {
    if (!(await completePlacement(scope, tx, moveNumber))) return false
    const payload = { from: sourceStore, store: targetStore }
    await mover.emitEvent(tx, scope, { type: 'metrics.moved', payload })
    const change = { tx, scope, actor: { kind: 'service', id: null }, at } as const
    await auditChange(change, {
      action: 'metrics_moved',
      resourceId: scope.root,
      organization: null,
      metadata: { ...payload, position: target?.position ?? 0 },
    })
    return true
  })
}

/** The head stays as a tombstone for requests that were routed to the old store before the move completed. */
async function sweepSource(move: Move): Promise<boolean> {
  const { mover, scope, moveNumber, sourcePool } = move
  const outcome = await deleteRootRows(move, sourcePool, (tx) => lockMovedHead(scope, tx, moveNumber))
  if (outcome !== 'empty') return outcome === 'going on'
  return inTransaction(mover.database, scope, (tx) => clearLeavingStore(scope, tx, moveNumber))
}

/** Deletes the root's rows in chunks, each under the lock that `lockHead` takes. */
async function deleteRootRows(
  { mover, scope }: Move,
  pool: Pool,
  lockHead: (tx: Tx) => Promise<boolean>,
): Promise<'empty' | 'going on' | 'overtaken'> {
  const end = mover.now().getTime() + STEP_MS
  for (const table of movedTables) {
    for (let after = getLowestKey(table); ; ) {
      const progress = await inTransaction(pool, scope, async (tx) =>
        (await lockHead(tx)) ? deleteChunk(scope, tx, table, after) : null,
      )
      if (progress === null) return 'overtaken'
      if (progress.last === null) break
      if (mover.now().getTime() > end) return 'going on'
      after = progress.last
    }
  }
  return 'empty'
}
