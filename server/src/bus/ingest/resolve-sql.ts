import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'

export interface RootStore {
  readonly store: string
  /** On its way to another store. */
  readonly moving: boolean
}

// No row = it was never moved.
const selectRootStore = statement(
  'ingest.store-of-root',
  `select coalesce(p.store, 'shared') as store, p.moving_to is not null as moving
   from (select $1::uuid as root_id) asked left join metrics_placement p on p.root_id = asked.root_id`,
)

export async function readRootStore(scope: Scope, tx: Tx): Promise<RootStore> {
  const [found] = await tx.query<RootStore & object>(selectRootStore, [scope.root])
  if (found === undefined) throw new Error('A store is always found.')
  return found
}
