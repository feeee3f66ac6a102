import type { Pool } from '../../db/connect.ts'
import { refuse } from '../../errors.ts'
import { type Root, readRootByIdUnscoped, readRootsByNameUnscoped } from './sql.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds a tenant root by id or by a unique name. */
export async function findRootUnscoped(pool: Pool, idOrName: string): Promise<Root> {
  const byId = uuid.test(idOrName)
  const found = byId
    ? await readRootByIdUnscoped(pool, idOrName)
    : await readRootsByNameUnscoped(pool, idOrName)
  const [root] = found
  if (root === undefined)
    return refuse('NOT_FOUND', `No tenant root has the ${byId ? 'id' : 'name'} "${idOrName}".`)
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    return refuse(
      'INVALID_REQUEST',
      `Several tenant roots are named "${idOrName}". Pass the id of one of them: ${ids}.`,
    )
  }
  return root
}
