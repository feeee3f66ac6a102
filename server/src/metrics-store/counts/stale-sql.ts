import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId, RootId } from '../../ids.ts'
import { ownerColumns, type RowOwner } from '../write/pull-request-sql.ts'
import { type ColumnTypes, createInsert } from '../write/rows-sql.ts'
import { toBlockStart } from './grain.ts'

export interface CountBlock {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly block: number
}

const columns: ColumnTypes<CountBlock> = { ...ownerColumns, block: 'integer' }

const insertStaleBlocks = createInsert(
  'metrics.mark-stale',
  'stale_finding_count',
  columns,
  'on conflict (root_id, organization_id, block) do nothing',
)

const selectStaleBlocks = statement(
  'metrics.find-stale',
  `select root_id as root, organization_id, instance_id, block from stale_finding_count
   where since < $1 order by since limit $2`,
)

const deleteStale = statement(
  'metrics.delete-stale',
  `delete from stale_finding_count where root_id = $1 and organization_id = $2 and block = $3 returning block`,
)

/** Marks the blocks of these pull requests, old and new versions, as stale. The caller holds the head's lock. */
export async function markStale(
  scope: Scope,
  tx: Tx,
  pullRequests: readonly (RowOwner & { readonly day: string })[],
): Promise<void> {
  const blocks = new Map<string, CountBlock>()
  for (const { organization_id, instance_id, day } of pullRequests) {
    const block = toBlockStart(day)
    blocks.set(`${organization_id} ${block}`, { organization_id, instance_id, block })
  }
  // Sorted, so that concurrent writers cannot deadlock.
  const rows = [...blocks].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, block]) => block)
  await insertStaleBlocks(scope, tx, rows)
}

/** Stale blocks of all roots of a store, oldest first. */
export function findStaleUnscoped(
  pool: Pool,
  before: Date,
  limit: number,
): Promise<(CountBlock & { readonly root: RootId })[]> {
  return runUnscoped<CountBlock & { root: RootId }>(pool, selectStaleBlocks, [before.toISOString(), limit])
}

/** False when another worker has already rebuilt it. */
export async function deleteStaleBlock(
  scope: Scope,
  tx: Tx,
  { organization_id, block }: CountBlock,
): Promise<boolean> {
  return (await tx.query(deleteStale, [scope.root, organization_id, block])).length === 1
}
