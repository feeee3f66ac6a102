import { rootScope } from '../../access/scope.ts'
import { readScoped } from '../../db/transaction.ts'
import type { WorkerContext } from '../context.ts'
import { type Deferred, type EventBatch, type IngestEvent, RetryLaterError } from '../ingest-event.ts'
import { findOrganizations, UNRESOLVED } from './organizations.ts'
import type { ResolvedOrganization } from './organizations-sql.ts'
import { readRootStore } from './resolve-sql.ts'
import type { OrganizationName } from './shapes.ts'

/** What a writer of metrics needs of a worker. */
export type Writer = Pick<WorkerContext, 'database' | 'stores' | 'now'>

type OfOrganization = IngestEvent<{ readonly organization: OrganizationName }>

/** An event and the organization it belongs to. */
export interface Resolved<Event extends OfOrganization = OfOrganization> {
  readonly event: Event
  readonly organization: ResolvedOrganization
}

interface Resolution<Event extends OfOrganization> {
  /** The metrics store of the root. */
  readonly store: string
  readonly events: readonly Resolved<Event>[]
  readonly deferred: readonly Deferred[]
}

/** Finds where the events of a batch belong, in one round trip. */
export async function resolveEvents<Event extends OfOrganization>(
  writer: Writer,
  batch: EventBatch,
): Promise<Resolution<Event>> {
  const scope = rootScope(batch.root)
  const events = batch.events as readonly Event[]
  const names = events.map(({ payload: { organization } }) => organization)
  const [{ store, moving }, find] = await readScoped(writer.database, scope, (tx) =>
    Promise.all([readRootStore(scope, tx), findOrganizations(writer, tx, batch, names)]),
  )
  if (moving) throw new RetryLaterError('The metrics of the tenant root are on their way to another store.')
  const resolved: Resolved<Event>[] = []
  const deferred: Deferred[] = []
  for (const event of events) {
    const organization = find(event.payload.organization)
    if (organization === null) deferred.push({ event, reason: UNRESOLVED })
    else resolved.push({ event, organization })
  }
  return { store, events: resolved, deferred }
}

// Enough that a commit is little of the cost; few enough that the head of a root is not held for long.
const MAX_GROUPS_PER_WRITE = 200

/**
 * Stores the events of a batch in groups, some at a time. Resolves when they are committed, but for those that belong to no
 * organization of the batch, which are returned; `store` returns the ones that it refuses for that.
 */
export async function storeInGroups<Event extends OfOrganization, Group>(
  writer: Writer,
  batch: EventBatch,
  toGroups: (events: readonly Resolved<Event>[]) => readonly Group[],
  store: (
    writer: Writer,
    store: string,
    batch: EventBatch,
    groups: readonly Group[],
  ) => Promise<readonly Event[]>,
): Promise<readonly Deferred[]> {
  const resolution = await resolveEvents<Event>(writer, batch)
  const groups = toGroups(resolution.events)
  const deferred = [...resolution.deferred]
  for (let from = 0; from < groups.length; from += MAX_GROUPS_PER_WRITE) {
    const refused = await store(
      writer,
      resolution.store,
      batch,
      groups.slice(from, from + MAX_GROUPS_PER_WRITE),
    )
    deferred.push(...refused.map((event) => ({ event, reason: UNRESOLVED })))
  }
  return deferred
}
