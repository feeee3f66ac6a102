import type { Pool } from '../../db/connect.ts'
import { type PlacedRoot, readPlacementsUnscoped } from './sql.ts'

/** For the operator: roots that were moved at least once, by id. All others are in the shared store. */
export function listPlacementsUnscoped(
  pool: Pool,
  page: { readonly after: string | null; readonly limit: number },
): Promise<PlacedRoot[]> {
  return readPlacementsUnscoped(pool, page)
}
