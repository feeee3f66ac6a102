import type { Scope } from '../access/scope.ts'
import { type Pool, statement } from '../db/connect.ts'
import { runUnscoped, type Tx } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'
import type { ArrivalProgress, MoveHead, MovePlacement } from './move-step.ts'
import { largestColumns } from './source-sql.ts'

const findMoves = statement(
  'metrics.find-moves',
  `select root_id from metrics_placement where moving_to is not null or leaving is not null
   order by changed_at limit 100`,
)

const selectPlacement = statement(
  'metrics.read-placement',
  `select store, moving_to, leaving, move from metrics_placement where root_id = $1`,
)

const updatePlacement = statement(
  'metrics.complete-move',
  `update metrics_placement set store = moving_to, leaving = store, moving_to = null, changed_at = now()
   where root_id = $1 and move = $2 and moving_to is not null returning root_id`,
)

const clearLeaving = statement(
  'metrics.clear-leaving',
  `update metrics_placement set leaving = null, changed_at = now() where root_id = $1 and move = $2 returning root_id`,
)

const selectHead = statement(
  'metrics.read-head',
  `select position, ${largestColumns.join(', ')}, state, move, arrival from metrics_head where root_id = $1`,
)

// Waits for the writer that holds the head. Every later writer and reader finds the root moved.
const fenceHead = statement(
  'metrics.fence-head',
  `insert into metrics_head as h (root_id, position, state, move) values ($1, 0, 'moved', $2)
   on conflict (root_id) do update set state = 'moved', move = $2 where h.state = 'active' and h.move < $2
   returning root_id`,
)

const claimHead = statement(
  'metrics.claim-head',
  `insert into metrics_head as h (root_id, position, state, move, arrival) values ($1, 0, 'incoming', $2, $3)
   on conflict (root_id) do update set state = 'incoming', move = $2, arrival = $3
     where h.state <> 'active' and h.move < $2
   returning root_id`,
)

const advanceHead = statement(
  'metrics.advance-head',
  `update metrics_head set arrival = $4::jsonb
   where root_id = $1 and state = 'incoming' and move = $2 and arrival = $3::jsonb returning root_id`,
)

// Cursors contain positions, so positions continue where the source store stopped.
const openHead = statement(
  'metrics.open-head',
  `update metrics_head set state = 'active', arrival = null, position = greatest(position, $4),
     ${largestColumns.map((column, index) => `${column} = greatest(${column}, $${index + 5})`).join(', ')}
   where root_id = $1 and state = 'incoming' and move = $2 and arrival = $3::jsonb returning root_id`,
)

const lockMovedHeadRow = statement(
  'metrics.lock-moved-head',
  `select root_id from metrics_head where root_id = $1 and state = 'moved' and move = $2 for update`,
)

const selectIdentity = statement(
  'metrics.read-identity',
  `select pg_postmaster_start_time()::text || ' ' || current_database() as identity`,
)

export async function findMovesUnscoped(pool: Pool): Promise<RootId[]> {
  const found = await runUnscoped<{ root_id: RootId }>(pool, findMoves, [])
  return found.map(({ root_id }) => root_id)
}

export function readMovePlacement(scope: Scope, tx: Tx): Promise<MovePlacement | null> {
  return tx.first<MovePlacement>(selectPlacement, [scope.root])
}

/** Switches the store and records the old one in one statement. False when another worker was first. */
export async function completePlacement(scope: Scope, tx: Tx, move: number): Promise<boolean> {
  return (await tx.query(updatePlacement, [scope.root, move])).length === 1
}

export async function clearLeavingStore(scope: Scope, tx: Tx, move: number): Promise<boolean> {
  return (await tx.query(clearLeaving, [scope.root, move])).length === 1
}

export function readMoveHead(scope: Scope, tx: Tx): Promise<MoveHead | null> {
  return tx.first<MoveHead>(selectHead, [scope.root])
}

/** After the commit, nothing of the root is written to this store or read from it. */
export async function fenceSource(scope: Scope, tx: Tx, move: number): Promise<boolean> {
  return (await tx.query(fenceHead, [scope.root, move])).length === 1
}

export async function claimTarget(
  scope: Scope,
  tx: Tx,
  move: number,
  arrival: ArrivalProgress,
): Promise<boolean> {
  return (await tx.query(claimHead, [scope.root, move, JSON.stringify(arrival)])).length === 1
}

/** Locks the head until the commit, if the arrival is exactly at `from`. */
export async function advanceArrival(
  scope: Scope,
  tx: Tx,
  move: number,
  from: ArrivalProgress,
  to: ArrivalProgress,
): Promise<boolean> {
  const values = [scope.root, move, JSON.stringify(from), JSON.stringify(to)]
  return (await tx.query(advanceHead, values)).length === 1
}

export async function openTarget(
  scope: Scope,
  tx: Tx,
  move: number,
  arrival: ArrivalProgress,
  source: MoveHead,
): Promise<boolean> {
  const values = [
    scope.root,
    move,
    JSON.stringify(arrival),
    source.position,
    ...largestColumns.map((column) => source[column]),
  ]
  return (await tx.query(openHead, values)).length === 1
}

/** Locks the head that this move left behind, unless a later move has changed it. */
export async function lockMovedHead(scope: Scope, tx: Tx, move: number): Promise<boolean> {
  return (await tx.query(lockMovedHeadRow, [scope.root, move])).length === 1
}

/** Two names of the same database have the same identity. */
export async function readDatabaseIdentity(pool: Pool): Promise<string> {
  const [found] = await runUnscoped<{ identity: string }>(pool, selectIdentity, [])
  return found?.identity ?? ''
}
