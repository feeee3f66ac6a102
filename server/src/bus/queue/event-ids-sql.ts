import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import { createSweepUnscoped } from './sql.ts'

export interface CountedId {
  readonly organization_id: OrganizationId
  readonly event_id: string
  /** Digest of the event that the id stands for. */
  readonly digest: Buffer
}

// Rows are written in one order, so that two workers never wait for each other in turn.
const insertIds = statement(
  'ingest.count-ids',
  `insert into counted_event_id (root_id, organization_id, event_id, digest, at)
   select $1, organization_id, event_id, digest, $5
   from unnest($2::uuid[], $3::text[], $4::bytea[]) as given (organization_id, event_id, digest)
   order by organization_id, event_id
   on conflict (root_id, organization_id, event_id) do nothing
   returning organization_id, event_id, digest`,
)

const selectIds = statement(
  'ingest.counted-ids',
  `select c.organization_id, c.event_id, c.digest
   from unnest($2::uuid[], $3::text[]) as given (organization_id, event_id)
   join counted_event_id c on c.root_id = $1 and c.organization_id = given.organization_id
     and c.event_id = given.event_id`,
)

const deleteIds = statement(
  'ingest.release-ids',
  `delete from counted_event_id c using unnest($2::uuid[], $3::text[], $4::bytea[]) as given (organization_id, event_id, digest)
   where c.root_id = $1 and c.organization_id = given.organization_id and c.event_id = given.event_id
     and c.digest = given.digest`,
)

/** Returns the ids that were not counted yet, and then what every id stands for. */
export async function countIds(
  scope: Scope,
  tx: Tx,
  ids: readonly CountedId[],
  at: Date,
): Promise<{ readonly added: readonly CountedId[]; readonly counted: readonly CountedId[] }> {
  const [organizations, names, digests] = toColumns(ids)
  const [added, counted] = await Promise.all([
    tx.query<CountedId>(insertIds, [scope.root, organizations, names, digests, at]),
    tx.query<CountedId>(selectIds, [scope.root, organizations, names]),
  ])
  return { added, counted }
}

export async function releaseIds(scope: Scope, tx: Tx, ids: readonly CountedId[]): Promise<void> {
  await tx.query(deleteIds, [scope.root, ...toColumns(ids)])
}

function toColumns(ids: readonly CountedId[]) {
  return [
    ids.map(({ organization_id }) => organization_id),
    ids.map(({ event_id }) => event_id),
    ids.map(({ digest }) => digest),
  ] as const
}

export const deleteIdsBeforeUnscoped = createSweepUnscoped('ingest.sweep-ids', 'counted_event_id')
