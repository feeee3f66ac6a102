import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { KeyId, OrganizationId, RootId } from '../../ids.ts'
import type { EventBatch, IngestEvent } from '../ingest-event.ts'
import type { OrganizationRef } from './shapes.ts'

type MeasurementEvent = Pick<IngestEvent<{ readonly organization: OrganizationRef }>, 'type' | 'payload'>

// Rows are written in one order, so that two workers never wait for each other in turn. During a move the message is
// retried without limit, so it is not counted.
const addReceived = statement(
  'ingest.count-received',
  `insert into received_event_count as c (root_id, organization_id, credential_id, type, hour, events)
   select $1, o.id, $2, given.type, date_trunc('hour', $3::timestamptz, 'UTC'), count(*)
   from unnest($5::text[], $6::text[], $7::text[], $8::text[]) as given (type, provider, host, id)
   join organization o on o.root_id = $1 and o.provider_organization_id = given.id
     and o.provider = given.provider and o.host = given.host
   where ($4::uuid[] is null or o.id = any ($4))
     and not exists (select from metrics_placement where root_id = $1 and moving_to is not null)
   group by o.id, given.type order by o.id, given.type
   on conflict (root_id, organization_id, credential_id, type, hour) do update set events = c.events + excluded.events`,
)

/** Counts events that get no audit row of their own: the worker writes one per hour (`auditReceivedEvents`). */
export async function countReceivedEvents(
  scope: Scope,
  tx: Tx,
  { credential, organizations }: Pick<EventBatch, 'credential' | 'organizations'>,
  events: readonly MeasurementEvent[],
  at: Date,
): Promise<void> {
  const names = events.map(({ payload }) => payload.organization)
  await tx.query(addReceived, [
    scope.root,
    credential,
    at,
    organizations,
    events.map(({ type }) => type),
    names.map(({ provider }) => provider),
    names.map(({ host }) => host),
    names.map(({ id }) => id),
  ])
}

export const findRootsWithReceivedUnscoped = statement(
  'ingest.roots-with-received',
  'select distinct root_id from received_event_count where hour < $1::timestamptz',
)

export interface ReceivedCount {
  readonly organization_id: OrganizationId
  readonly credential_id: KeyId
  readonly type: string
  readonly hour: Date
  readonly events: number
}

export interface RootWithReceived {
  readonly root_id: RootId
}

const deleteReceived = statement(
  'ingest.take-received',
  `with taken as (
     delete from received_event_count where root_id = $1 and hour < $2::timestamptz
     returning organization_id, credential_id, type, hour, events
   )
   select organization_id, credential_id, type, hour, events from taken
   order by hour, organization_id, credential_id, type`,
)

/** Deletes and returns the counts of hours that began before a time. */
export function takeReceivedCounts(scope: Scope, tx: Tx, before: Date): Promise<ReceivedCount[]> {
  return tx.query(deleteReceived, [scope.root, before])
}
