import type { SyncContext } from './context.ts'
import type { Lease } from './sql.ts'

/** Long tasks renew it between items; a killed worker's tasks wait so long. */
export const LEASE_MS = 10 * 60_000

export function createLease({ owner, now }: Pick<SyncContext, 'owner' | 'now'>): Lease {
  return { owner, at: now(), seconds: LEASE_MS / 1000 }
}
