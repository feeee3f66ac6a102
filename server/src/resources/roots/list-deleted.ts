import type { Pool } from '../../db/connect.ts'
import { readTombstonesUnscoped, type Tombstone } from './sql.ts'

/** For the operator: roots that are deleted or being deleted, by id. */
export function listDeletedRootsUnscoped(
  pool: Pool,
  page: { readonly after: string | null; readonly limit: number },
): Promise<Tombstone[]> {
  return readTombstonesUnscoped(pool, page)
}
