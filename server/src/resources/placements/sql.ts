import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import { NIL_UUID } from '../../ids.ts'

export interface Placement {
  readonly store: string
  readonly moving_to: string | null
  readonly leaving: string | null
}

export interface PlacedRoot extends Placement {
  readonly id: string
  readonly name: string
  readonly since: string
}

const lock = statement(
  'placements.lock',
  `select store, moving_to, leaving from metrics_placement where root_id = $1 for update`,
)

const request = statement(
  'placements.request-move',
  `insert into metrics_placement as p (root_id, store, moving_to, move) values ($1, $2, $3, 1)
   on conflict (root_id) do update set moving_to = $3, move = p.move + 1, changed_at = now()
     where p.store = $2 and p.moving_to is null and p.leaving is null
   returning root_id`,
)

const pageOfPlacements = statement(
  'placements.page',
  `select r.id, r.name, p.store, p.moving_to, p.leaving,
     to_char(p.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
   from metrics_placement p join root r on r.id = p.root_id where p.root_id > $1 order by p.root_id limit $2`,
)

/** A root that was never moved has no row. */
export async function lockPlacement(scope: Scope, tx: Tx): Promise<Placement> {
  const placement = await tx.first<Placement>(lock, [scope.root])
  return placement ?? { store: 'shared', moving_to: null, leaving: null }
}

/** Returns false if the root is not in that store or is being moved. */
export async function insertMove(scope: Scope, tx: Tx, from: string, to: string): Promise<boolean> {
  return (await tx.query(request, [scope.root, from, to])).length === 1
}

/** Roots that were moved at least once, by id. All others are in the shared store. */
export function readPlacementsUnscoped(
  pool: Pool,
  page: { readonly after: string | null; readonly limit: number },
): Promise<PlacedRoot[]> {
  return runUnscoped<PlacedRoot>(pool, pageOfPlacements, [page.after ?? NIL_UUID, page.limit])
}
