import type { Change } from '../access/change.ts'
import { rootScope } from '../access/scope.ts'
import type { Pool } from '../db/connect.ts'
import { inReach } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'

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
