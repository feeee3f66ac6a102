import type { Pool } from '../../db/connect.ts'
import { type Root, readRootsUnscoped } from './sql.ts'

export interface RootPage {
  readonly after: string | null
  readonly limit: number
  readonly kind: Root['kind'] | null
}

/** Every tenant root of the installation, by id: for the operator alone, who has no root. */
export function listRootsUnscoped(pool: Pool, page: RootPage): Promise<Root[]> {
  return readRootsUnscoped(pool, page)
}
