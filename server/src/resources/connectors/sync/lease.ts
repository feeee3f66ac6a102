import type { SyncContext } from './context.ts'
import type { Lease } from './sql.ts'

/** Long tasks renew it between items; a killed worker's tasks wait so long. */
const LEASE_MS = 10 * 60_000

export function makeLease({ owner, now }: Pick<SyncContext, 'owner' | 'now'>): Lease {
  const at = now()
  return { owner, at, until: new Date(at.getTime() + LEASE_MS) }
}
