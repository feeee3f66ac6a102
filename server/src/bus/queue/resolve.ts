import { rootScope } from '../../access/scope.ts'
import { readScoped } from '../../db/transaction.ts'
import type { WorkerContext } from '../context.ts'
import { type DeferredEvent, type EventBatch, type IngestEvent, RetryLaterError } from '../ingest-event.ts'
import { findOrganizations, UNRESOLVED_REASON } from './organizations.ts'
import { countReceivedEvents } from './received-sql.ts'
import type { OrganizationRef } from './shapes.ts'
import type { ResolvedOrganization } from './sql.ts'
import { readRootStore } from './sql.ts'

/** The part of the worker's context that writes metrics. */
export type WriterContext = Pick<WorkerContext, 'database' | 'stores' | 'organizationCache' | 'now'>

type OrganizationEvent = IngestEvent<{ readonly organization: OrganizationRef }>

/** An event and the organization it belongs to. */
export interface ResolvedEvent<Event extends OrganizationEvent = OrganizationEvent> {
  readonly event: Event
  readonly organization: ResolvedOrganization
}

interface ResolvedBatch<Event extends OrganizationEvent> {
  /** The metrics store of the root. */
  readonly store: string
  readonly events: readonly ResolvedEvent<Event>[]
  readonly deferred: readonly DeferredEvent[]
}

/** Finds the store and the organizations of a batch of measurements, and counts them, in one round trip. */
export async function resolveEvents<Event extends OrganizationEvent>(
  writer: WriterContext,
  batch: EventBatch,
): Promise<ResolvedBatch<Event>> {
  const scope = rootScope(batch.root)
  const events = batch.events as readonly Event[]
  const names = events.map(({ payload: { organization } }) => organization)
  const [{ store, moving }, find] = await readScoped(writer.database, scope, (tx) =>
    Promise.all([
      readRootStore(scope, tx),
      findOrganizations(writer, tx, batch, names),
      countReceivedEvents(scope, tx, batch, events, writer.now()),
    ]),
  )
  if (moving) throw new RetryLaterError('The metrics of the tenant root are being moved to another store.')
  const resolved: ResolvedEvent<Event>[] = []
  const deferred: DeferredEvent[] = []
  for (const event of events) {
    const organization = find(event.payload.organization)
    if (organization === null) deferred.push({ event, reason: UNRESOLVED_REASON })
    else resolved.push({ event, organization })
  }
  return { store, events: resolved, deferred }
}

// Large enough that the commit is a small part of the cost; small enough that a root's head is not locked for long.
const MAX_GROUPS_PER_WRITE = 200

/** Splits groups into the sets that are written in one transaction each. */
export function* splitIntoWrites<Group>(groups: readonly Group[]): Generator<readonly Group[], void> {
  for (let from = 0; from < groups.length; from += MAX_GROUPS_PER_WRITE)
    yield groups.slice(from, from + MAX_GROUPS_PER_WRITE)
}

/** Defers events whose organization is not one of the batch. */
export function deferUnresolved(events: readonly IngestEvent[]): DeferredEvent[] {
  return events.map((event) => ({ event, reason: UNRESOLVED_REASON }))
}
