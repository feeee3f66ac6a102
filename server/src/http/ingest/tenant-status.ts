import { refuse } from '../../errors.ts'
import type { RootId } from '../../ids.ts'

/** What the bus knows about the events of a tenant root, or of one of its organizations. */
export interface TenantStatus {
  readonly last_event_at: string | null
  /** Messages of the root in the queue. */
  readonly queued: number
  readonly lag_seconds: number
  /** Messages whose events wait for a retry. */
  readonly parked: number
  /** Dead letters of the root by credential; null = unknown. */
  readonly dead_letters: ReadonlyMap<string | null, number>
}

/** An organization as events name it. */
export interface NamedOrganization {
  readonly provider: string
  readonly host: string
  readonly id: string
}

export type ReadIngestStatus = (root: RootId, organization: NamedOrganization | null) => Promise<TenantStatus>

/** For a process without a bus. */
export const refuseIngestStatus: ReadIngestStatus = async () =>
  refuse('OVERLOADED', 'The event queue is unavailable, so its status is unknown. Try again later.', {
    'retry-after': '5',
  })
