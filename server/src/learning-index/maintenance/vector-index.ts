import { rootScope } from '../../access/scope.ts'
import { MAX_EXACT_ROWS } from '../search.ts'
import type { IndexMaintenanceContext } from './repair.ts'
import { createVectorIndex, findWithoutVectorIndexUnscoped } from './sql.ts'

/** Creates the vector indexes of large organizations, for every model that is active or being filled. */
export async function createVectorIndexes({
  database,
  log,
}: Pick<IndexMaintenanceContext, 'database' | 'log'>): Promise<void> {
  for (const { root, organization, model } of await findWithoutVectorIndexUnscoped(
    database,
    MAX_EXACT_ROWS,
  )) {
    const start = performance.now()
    const isCreated = await createVectorIndex(rootScope(root), database, organization, model)
    const ms = Math.round(performance.now() - start)
    if (isCreated)
      log.info({ root, organization, model, ms }, 'created the vector index of a large organization')
  }
}
