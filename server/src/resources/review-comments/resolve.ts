import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { type Deferred, type EventBatch, NotNow } from '../../bus/ingest-event.ts'
import type { Pool } from '../../db/connect.ts'
import { readInReach } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { OrganizationName, ReviewEvent } from './payload.ts'
import { type FoundOrganization, readOrganizations, readStore } from './resolve-sql.ts'

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

/** Not told apart: what does not exist, and what the credential may not speak for. */
export const UNRESOLVED = 'No organization that the credential may speak for matches.'

type Memory = Map<string, { readonly organization: FoundOrganization; readonly until: number }>

// So soon an organization that has left the root is noticed. That one is missing is not remembered.
const LIFE_MS = 5000
const MOST_REMEMBERED = 10_000
/** Of each database its own. */
const memories = new WeakMap<Pool, Memory>()

/** Finds where the events of a batch belong, in one round trip. */
export async function resolveEvents(writer: Writer, batch: EventBatch): Promise<Resolution> {
  const { root, organizations } = batch
  const scope = rootScope(root)
  const events = batch.events as readonly ReviewEvent[]
  const asked = new Map(
    events.map(({ payload: { organization } }) => [nameOf(root, organization), organization]),
  )
  const found = recall(writer, asked.keys())
  const missing = [...asked].filter(([name]) => !found.has(name)).map(([, organization]) => organization)
  const [{ store, moving }, read] = await readInReach(writer.database, scope, (tx) =>
    Promise.all([readStore(scope, tx), missing.length === 0 ? [] : readOrganizations(scope, tx, missing)]),
  )
  if (moving) throw new NotNow('The metrics of the tenant root are on their way to another store.')
  remember(writer, root, read)
  for (const organization of read) found.set(nameOf(root, organization), organization)

  const resolved: Resolved[] = []
  const deferred: Deferred[] = []
  for (const event of events) {
    const organization = found.get(nameOf(root, event.payload.organization))
    const allowed = organization && (organizations?.includes(organization.organization_id) ?? true)
    if (allowed) resolved.push({ event, organization })
    else deferred.push({ event, reason: UNRESOLVED })
  }
  return { store, events: resolved, deferred }
}

function nameOf(root: RootId, { provider, host, id }: OrganizationName): string {
  return `${root}\n${provider}\n${host}\n${id}`
}

function recall({ database, now }: Writer, names: Iterable<string>): Map<string, FoundOrganization> {
  const memory = memories.get(database)
  const found = new Map<string, FoundOrganization>()
  const at = now().getTime()
  for (const name of names) {
    const remembered = memory?.get(name)
    if (remembered !== undefined && at < remembered.until) found.set(name, remembered.organization)
  }
  return found
}

function remember({ database, now }: Writer, root: RootId, found: readonly FoundOrganization[]): void {
  const memory: Memory = memories.get(database) ?? new Map()
  memories.set(database, memory)
  if (memory.size + found.length > MOST_REMEMBERED) memory.clear()
  const until = now().getTime() + LIFE_MS
  for (const organization of found) memory.set(nameOf(root, organization), { organization, until })
}
