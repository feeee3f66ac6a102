import { rootScope } from '../../src/access/scope.ts'
import type { Pool } from '../../src/db/connect.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { plantLearnings } from '../shared-learnings.ts'
import type { TestOrganization } from '../tenant.ts'

type Planted = Parameters<typeof plantLearnings>[3]
type Rows = Awaited<ReturnType<typeof plantLearnings>>

/** Shared Learnings of an organization, of its first repository unless they say otherwise; not in the index. */
export function plantLearningsOf(
  pool: Pool,
  { id, root, instance, repositories }: TestOrganization,
  planted: Planted,
  at?: Date,
): Promise<Rows> {
  const scope = { ...rootScope(root), instance }
  const repository = repositories[0]?.repositoryId ?? '1'
  const placed = planted.map((one) => ({ repository, ...one }))
  return inTransaction(pool, scope, (tx) => plantLearnings(scope, tx, id, placed, at))
}
