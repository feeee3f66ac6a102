import type { Tx } from '../db/transaction.ts'
import type { Actor } from './audit.ts'
import type { Scope } from './scope.ts'

/** The transaction, scope, actor and time of a change. */
export interface ChangeContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly actor: Actor
  readonly at: Date
}
