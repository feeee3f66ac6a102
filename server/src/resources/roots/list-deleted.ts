import type { Pool } from '../../db/connect.ts'
import { readTombstonesUnscoped, type Tombstone } from './sql.ts'

/** Roots that were deleted, or are being deleted, by id: for the operator, who has no root. */
export function listDeletedRootsUnscoped(
  pool: Pool,
  page: { readonly after: string | null; readonly limit: number },
): Promise<Tombstone[]> {
  return readTombstonesUnscoped(pool, page)
}
