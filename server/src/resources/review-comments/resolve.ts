import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { findOrganizations, UNRESOLVED } from '../../bus/ingest/organizations.ts'
import type { FoundOrganization } from '../../bus/ingest/organizations-sql.ts'
import { type Deferred, type EventBatch, NotNow } from '../../bus/ingest-event.ts'
import { readInReach } from '../../db/transaction.ts'
import type { ReviewEvent } from './payload.ts'
import { readStore } from './resolve-sql.ts'

/** What the writer needs of a worker. */
export type Writer = Pick<WorkerContext, 'database' | 'stores' | 'now'>

/** An event and the organization it belongs to. */
export interface Resolved<Event extends ReviewEvent = ReviewEvent> {
  readonly event: Event
  readonly organization: FoundOrganization
}

export interface Resolution {
  /** The metrics store of the root. */
  readonly store: string
  readonly events: readonly Resolved[]
  readonly deferred: readonly Deferred[]
}

/** Finds where the events of a batch belong, in one round trip. */
export async function resolveEvents(writer: Writer, batch: EventBatch): Promise<Resolution> {
  const scope = rootScope(batch.root)
  const events = batch.events as readonly ReviewEvent[]
  const names = events.map(({ payload: { organization } }) => organization)
  const [{ store, moving }, find] = await readInReach(writer.database, scope, (tx) =>
    Promise.all([readStore(scope, tx), findOrganizations(writer, tx, batch, names)]),
  )
  if (moving) throw new NotNow('The metrics of the tenant root are on their way to another store.')
  const resolved: Resolved[] = []
  const deferred: Deferred[] = []
  for (const event of events) {
    const organization = find(event.payload.organization)
    if (organization === null) deferred.push({ event, reason: UNRESOLVED })
    else resolved.push({ event, organization })
  }
  return { store, events: resolved, deferred }
}
