import type { Pool } from '../../db/connect.ts'
import { type Root, readRootsUnscoped } from './sql.ts'

export interface RootPage {
  readonly after: string | null
  readonly limit: number
  readonly kind: Root['kind'] | null
}

/** For the operator: all tenant roots of the installation, by id. */
export function listRootsUnscoped(pool: Pool, page: RootPage): Promise<Root[]> {
  return readRootsUnscoped(pool, page)
}
