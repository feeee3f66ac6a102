import type { Tx } from '../db/transaction.ts'
import type { Actor } from './audit.ts'
import type { Scope } from './scope.ts'

/** One change: the transaction it is made in, how far it reaches, who makes it, and its moment. */
export interface ChangeContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly actor: Actor
  readonly at: Date
}
