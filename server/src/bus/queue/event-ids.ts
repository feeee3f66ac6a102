import { hash } from 'node:crypto'
import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { readScoped } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import type { WorkerContext } from '../context.ts'
import type { EventBatch, IngestEvent } from '../ingest-event.ts'
import { type CountedId, countIds, deleteIdsBeforeUnscoped, releaseIds } from './event-ids-sql.ts'
import { findOrganizations } from './organizations.ts'
import type { OrganizationRef } from './shapes.ts'

type Counter = Pick<WorkerContext, 'database' | 'organizationCache' | 'now'>

/** The organizations that an event names. */
type ListOrganizations = (event: IngestEvent) => readonly OrganizationRef[]

export interface CountedBatch {
  readonly batch: EventBatch
  /** Events whose id stands for another event. */
  readonly refused: readonly IngestEvent[]
  /** Lets other events have the ids of events that were not stored. */
  release(unstored: ReadonlySet<IngestEvent>): Promise<void>
  /** Counts the ids of stored events in organizations that the events themselves have created. */
  countCreated(unstored: ReadonlySet<IngestEvent>): Promise<void>
}

/** An id in one organization, with the event that uses it. */
interface IdUse extends CountedId {
  readonly event: IngestEvent
}

const DIGEST_BYTES = 16

/**
 * Leaves out events whose id stands for another event in one of their organizations. An id is counted before its event is
 * stored, because metrics can be in another database: a redelivered event has the same digest and passes, and its handler
 * is idempotent.
 */
export async function countEventIds(
  counter: Counter,
  batch: EventBatch,
  listOrganizations: ListOrganizations,
): Promise<CountedBatch> {
  const scope = rootScope(batch.root)
  const refs = new Map(batch.events.map((event) => [event, listOrganizations(event)]))
  const names = [...refs.values()].flat()

  async function listUses(): Promise<IdUse[]> {
    if (names.length === 0) return []
    const find = await readScoped(counter.database, scope, (tx) =>
      findOrganizations(counter, tx, batch, names),
    )
    return batch.events.flatMap((event) => {
      const found = (refs.get(event) ?? []).flatMap((name) => find(name)?.organization_id ?? [])
      return toUses(event, [...new Set(found)])
    })
  }

  const uses = await listUses()
  const { events, added } = await count(uses)

  /** If two events of the batch share an id, the first is counted. */
  async function count(given: readonly IdUse[]): Promise<{ events: IngestEvent[]; added: readonly IdUse[] }> {
    const first = new Map(given.toReversed().map((use) => [toKey(use), use]))
    const asked = [...first.values()]
    if (asked.length === 0) return { events: [...batch.events], added: [] }
    const { added: fresh, counted } = await readScoped(counter.database, scope, (tx) =>
      countIds(scope, tx, asked, counter.now()),
    )
    const digests = new Map(counted.map((id) => [toKey(id), id.digest]))
    const refused = new Set(
      given
        .filter(
          (use) => first.get(toKey(use)) !== use || digests.get(toKey(use))?.equals(use.digest) === false,
        )
        .map(({ event }) => event),
    )
    return {
      events: batch.events.filter((event) => !refused.has(event)),
      added: fresh.flatMap((id) => first.get(toKey(id)) ?? []),
    }
  }

  async function release(given: readonly IdUse[]): Promise<void> {
    if (given.length > 0) await readScoped(counter.database, scope, (tx) => releaseIds(scope, tx, given))
  }

  const passed = new Set(events)
  await release(added.filter(({ event }) => !passed.has(event)))
  return {
    batch: { ...batch, events },
    refused: batch.events.filter((event) => !passed.has(event)),
    release: (unstored) => release(added.filter(({ event }) => unstored.has(event))),
    async countCreated(unstored) {
      const found = Map.groupBy(uses, ({ event }) => event)
      const named = (event: IngestEvent) => refs.get(event)?.length ?? 0
      const stored = events.filter((event) => !unstored.has(event))
      if (stored.every((event) => named(event) === (found.get(event)?.length ?? 0))) return
      const before = new Set(uses.map(toKey))
      const created = (await listUses()).filter((use) => passed.has(use.event) && !before.has(toKey(use)))
      await count(created)
    },
  }
}

function toUses(event: IngestEvent, organizations: readonly OrganizationId[]): IdUse[] {
  if (organizations.length === 0) return []
  const { id, type, version, occurred_at, payload } = event
  const content = JSON.stringify([type, version, occurred_at, payload])
  const digest = hash('sha256', content, 'buffer').subarray(0, DIGEST_BYTES)
  return organizations.map((organization_id) => ({ organization_id, event_id: id, digest, event }))
}

function toKey({ organization_id, event_id }: CountedId): string {
  return `${organization_id} ${event_id}`
}

/** A day more than senders are promised. */
const RETENTION_MS = 31 * DAY_MS
const BATCH_SIZE = 5000

/** Deletes ids that may be used again; then the times of the events decide. Returns their number. */
export function sweepEventIds(pool: Pool, now: Date): Promise<number> {
  return deleteIdsBeforeUnscoped(pool, new Date(now.getTime() - RETENTION_MS), BATCH_SIZE)
}
