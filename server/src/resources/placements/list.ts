import type { Pool } from '../../db/connect.ts'
import { type PlacedRoot, readPlacementsUnscoped } from './sql.ts'

/** Roots that were ever moved, by id; the others are in the shared store. For the operator, who has no root. */
export function listPlacementsUnscoped(
  pool: Pool,
  page: { readonly after: string | null; readonly limit: number },
): Promise<PlacedRoot[]> {
  return readPlacementsUnscoped(pool, page)
}
