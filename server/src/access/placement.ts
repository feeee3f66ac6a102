import type { Pool } from '../db/connect.ts'
import { readScoped, type Tx } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import type { OrganizationId } from '../ids.ts'
import type { Scope } from './scope.ts'
import { readPlacement } from './sql.ts'

/** Where the metrics of a scope are stored, and which organizations are hidden. */
export interface Placement {
  readonly store: string
  /** Being moved to another store; nothing can be read. */
  readonly preparing: boolean
  /** Inactive organizations of the scope. Their rows are stored but not returned. */
  readonly inactive: readonly OrganizationId[]
}

export function readMetricsPlacement(pool: Pool, scope: Scope): Promise<Placement> {
  return readScoped(pool, scope, (tx) => findPlacement(scope, tx))
}

/** Refuses if metrics are disabled for an organization in the scope. */
export async function findPlacement(scope: Scope, tx: Tx): Promise<Placement> {
  const placement = await findEnabledPlacement(scope, tx)
  return (
    placement ??
    refuse(
      'METRICS_UNAVAILABLE',
      'Metrics are disabled for an organization in the requested scope. Select others, or ask an admin to enable them.',
    )
  )
}

/** Null if metrics are disabled for an organization in the scope. */
export async function findEnabledPlacement(scope: Scope, tx: Tx): Promise<Placement | null> {
  const values = [scope.root, scope.organizations, scope.instance]
  const row = await tx.one<Placement & { unavailable: boolean }>(readPlacement, values)
  if (row.unavailable) return null
  const { store, preparing, inactive } = row
  return { store, preparing, inactive }
}

export function refuseWhilePreparing({ preparing }: Pick<Placement, 'preparing'>): void {
  if (!preparing) return
  refuse('METRICS_PREPARING', 'The metrics are being moved to another store. Retry the same request later.', {
    'retry-after': '5',
  })
}
