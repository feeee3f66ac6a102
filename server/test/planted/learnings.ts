import { rootScope } from '../../src/access/scope.ts'
import type { Pool } from '../../src/db/connect.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { plantLearnings } from '../shared-learnings.ts'
import type { TestOrganization } from '../tenant.ts'

type PlantedLearnings = Parameters<typeof plantLearnings>[3]
type PlantedRows = Awaited<ReturnType<typeof plantLearnings>>

/** Plants shared Learnings of an organization, by default in its first repository. They are not indexed. */
export function plantOrganizationLearnings(
  pool: Pool,
  { id, root, instance, repositories }: TestOrganization,
  planted: PlantedLearnings,
  at?: Date,
): Promise<PlantedRows> {
  const scope = { ...rootScope(root), instance }
  const repository = repositories[0]?.repositoryId ?? '1'
  const withRepository = planted.map((one) => ({ repository, ...one }))
  return inTransaction(pool, scope, (tx) => plantLearnings(scope, tx, id, withRepository, at))
}
