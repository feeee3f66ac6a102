import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { type Instance, readInstances } from './sql.ts'

export function listInstances(scope: Scope, tx: Tx): Promise<Instance[]> {
  return readInstances(scope, tx)
}
