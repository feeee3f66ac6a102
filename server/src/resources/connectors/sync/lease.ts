import type { SyncContext } from './context.ts'

// Leases of connectors, repositories and pull requests. What to lease is selected in a materialized part, which runs once: a
// subquery of the update would run for each row that it is joined with. What is due is due by the clock of the caller, so that a
// test can move it. A lease runs out by the clock of the database, which all workers share, and is then taken by the next worker;
// what its former owner still writes is refused by `lease_owner`.

/** Long tasks renew it between items; a killed worker's tasks wait so long. */
export const LEASE_MS = 10 * 60_000

export interface Lease {
  readonly owner: string
  readonly at: Date
}

export function createLease({ owner, now }: Pick<SyncContext, 'owner' | 'now'>): Lease {
  return { owner, at: now() }
}

export const leaseEnd = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`
