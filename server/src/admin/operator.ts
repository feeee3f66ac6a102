import type { Actor } from '../access/audit.ts'
import { rootScope, type Scope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import { inReach, type Tx } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'

/** One change: the transaction it is made in, how far it reaches, who makes it, and its moment. */
export interface Change {
  readonly tx: Tx
  readonly scope: Scope
  readonly actor: Actor
  readonly at: Date
}

/** Whoever runs the installation. Connects as scholiast_worker: row-level security holds for the operator too. */
export interface Operator {
  readonly pool: Pool
  readonly now: () => Date
}

type Work<Result> = (change: Change) => Promise<Result>

/** Runs `work` as one change of the operator: all of it is committed, or nothing. */
export function changeIn<Result>(operator: Operator, root: RootId, work: Work<Result>): Promise<Result> {
  const scope = rootScope(root)
  const at = operator.now()
  return inReach(operator.pool, scope, (tx) => work({ tx, scope, actor: { kind: 'operator', id: null }, at }))
}

/** Runs the same change and takes it back: what it answers is what would happen, with every rule applied. */
export async function rehearseIn<Result>(
  operator: Operator,
  root: RootId,
  work: Work<Result>,
): Promise<Result> {
  const answers: Result[] = []
  const takeBack = new Error('The rehearsal is over.')
  try {
    await changeIn(operator, root, async (change) => {
      answers.push(await work(change))
      throw takeBack
    })
  } catch (error) {
    if (error !== takeBack) throw error
  }
  return answers[0] as Result
}
