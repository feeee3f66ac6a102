import type { Tx } from '../db/transaction.ts'
import { refuseOperation } from '../errors.ts'
import type { ChangeContext } from './change-context.ts'
import type { Plan } from './principal.ts'
import type { Scope } from './scope.ts'
import { insertRoot, lockSeats, readRoot, readSeats } from './sql.ts'

export type RootKind = 'workspace' | 'instance' | 'organization'

export interface Subscription {
  readonly plan: Plan
  readonly seats: number
  readonly active: boolean
}

export interface NewRoot {
  readonly kind: RootKind
  readonly name: string
  readonly sso: boolean
  readonly subscription: Subscription
}

/** Creates the tenant root of the change's scope. */
export async function createRoot({ tx, scope, at }: ChangeContext, root: NewRoot): Promise<void> {
  const { plan, active, seats } = root.subscription
  const values = [scope.root, root.kind, root.name, root.sso, at.toISOString(), plan, active, seats]
  if ((await tx.query(insertRoot, values)).length === 0) {
    refuseOperation(`A tenant root with the id ${scope.root} already exists. Choose another id.`)
  }
}

export async function readRootKind(scope: Scope, tx: Tx): Promise<RootKind | null> {
  const root = await tx.first<{ kind: RootKind }>(readRoot, [scope.root])
  return root?.kind ?? null
}

/** Seats belong to the tenant root, not to an organization. */
export interface SeatCounts {
  readonly purchased: number
  readonly assigned: number
  /** Whether the subscription is active. */
  readonly active: boolean
}

/** Must be first in every transaction that changes seats: it blocks other changes until the commit. */
export async function lockAndCountSeats(scope: Scope, tx: Tx): Promise<SeatCounts> {
  const [, seats] = await Promise.all([tx.query(lockSeats, [scope.root]), countSeats(scope, tx)])
  return seats
}

export function countSeats(scope: Scope, tx: Tx): Promise<SeatCounts> {
  return tx.one<SeatCounts>(readSeats, [scope.root])
}
