import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'

export interface StoreOfRoot {
  readonly store: string
  /** On its way to another store. */
  readonly moving: boolean
}

// No row = it was never moved.
const storeOfRoot = statement(
  'ingest.store-of-root',
  `select coalesce(p.store, 'shared') as store, p.moving_to is not null as moving
   from (select $1::uuid as root_id) asked left join metrics_placement p on p.root_id = asked.root_id`,
)

export async function readStore(scope: Scope, tx: Tx): Promise<StoreOfRoot> {
  const [found] = await tx.query<StoreOfRoot & object>(storeOfRoot, [scope.root])
  if (found === undefined) throw new Error('A store is always found.')
  return found
}
