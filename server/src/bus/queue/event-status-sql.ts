import type { IngestCredential } from '../../access/ingest-credential.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { EventBatch } from '../ingest-event.ts'
import { createSweepUnscoped } from './sql.ts'

/** Stored: committed. Refused: given up, or its id stands for another event. Parked: retried for about an hour. */
export type EventStatus = 'stored' | 'refused' | 'parked'

// Rows are written in one order, so that two workers never wait for each other in turn.
const upsertStatuses = statement(
  'ingest.record-statuses',
  `insert into event_status (root_id, credential_id, event_id, status, at)
   select $1, $2, event_id, status, $5 from unnest($3::text[], $4::text[]) as given (event_id, status)
   order by event_id
   on conflict (root_id, credential_id, event_id) do update set status = excluded.status, at = excluded.at`,
)

/** Replaces what was recorded about events of a credential, by id. */
export async function writeEventStatuses(
  tx: Tx,
  { root, credential }: Pick<EventBatch, 'root' | 'credential'>,
  statuses: ReadonlyMap<string, EventStatus>,
  at: Date,
): Promise<void> {
  await tx.query(upsertStatuses, [root, credential, [...statuses.keys()], [...statuses.values()], at])
}

const selectStatuses = statement(
  'ingest.statuses',
  `select event_id, status from event_status
   where root_id = $1 and credential_id = $2 and event_id = any ($3::text[])`,
)

/** Returns what is known about events of a credential, by id. */
export async function readEventStatuses(
  tx: Tx,
  { root, id }: IngestCredential,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EventStatus>> {
  type Row = { readonly event_id: string; readonly status: EventStatus }
  const rows = await tx.query<Row>(selectStatuses, [root, id, ids])
  return new Map(rows.map(({ event_id, status }) => [event_id, status]))
}

export const deleteStatusesBeforeUnscoped = createSweepUnscoped('ingest.sweep-statuses', 'event_status')
