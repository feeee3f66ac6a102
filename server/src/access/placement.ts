import type { Pool } from '../db/connect.ts'
import { readScoped, type Tx } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import type { OrganizationId } from '../ids.ts'
import type { Scope } from './scope.ts'
import { readPlacement } from './sql.ts'

/** Where the metrics of a scope lie, and what of it must not be shown. */
export interface Placement {
  readonly store: string
  /** On its way to another store: nothing can be read. */
  readonly preparing: boolean
  /** Organizations of the scope that are not active: their rows stay, and nobody sees them. */
  readonly inactive: readonly OrganizationId[]
}

export function readMetricsPlacement(pool: Pool, scope: Scope): Promise<Placement> {
  return readScoped(pool, scope, (tx) => findPlacement(scope, tx))
}

/** Refuses when metrics are switched off for an organization of the scope. */
export async function findPlacement(scope: Scope, tx: Tx): Promise<Placement> {
  const values = [scope.root, scope.organizations, scope.instance]
  const [row] = await tx.query<Placement & { unavailable: boolean }>(readPlacement, values)
  if (row === undefined) throw new Error('A placement is always found.')
  if (row.unavailable) {
    refuse(
      'METRICS_UNAVAILABLE',
      'Metrics are switched off for an organization in the requested scope. Select others, or ask an admin to switch them on.',
    )
  }
  const { store, preparing, inactive } = row
  return { store, preparing, inactive }
}

export function refuseWhilePreparing({ preparing }: Pick<Placement, 'preparing'>): void {
  if (!preparing) return
  refuse(
    'METRICS_PREPARING',
    'The metrics are being moved to their own store. Wait, then retry the same request.',
    {
      'retry-after': '5',
    },
  )
}
