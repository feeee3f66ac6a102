import type { Scope } from '../../access/scope.ts'
import { type Pool, statement } from '../../db/connect.ts'
import { runUnscoped, type Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId, RootId } from '../../ids.ts'
import { type Owner, ownerColumns } from '../write/pull-request-sql.ts'
import { type Columns, insertInto, separate } from '../write/rows-sql.ts'
import { toBlockStart } from './grain.ts'

export interface Block {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly block: number
}

const columns: Columns<Block> = { ...ownerColumns, block: 'integer' }

const mark = statement(
  'metrics.mark-stale',
  `${insertInto('finding_stale', columns)} on conflict (root_id, organization_id, block) do nothing`,
)

const find = statement(
  'metrics.find-stale',
  `select root_id as root, organization_id, instance_id, block from finding_stale
   where since < $1 order by since limit $2`,
)

const end = statement(
  'metrics.end-stale',
  `delete from finding_stale where root_id = $1 and organization_id = $2 and block = $3 returning block`,
)

/** Says, under the lock of the head, that these pull requests are written, or were there before they were written. */
export async function markStale(
  scope: Scope,
  tx: Tx,
  pullRequests: readonly (Owner & { readonly day: string })[],
): Promise<void> {
  const blocks = new Map<string, Block>()
  for (const { organization_id, instance_id, day } of pullRequests) {
    const block = toBlockStart(day)
    blocks.set(`${organization_id} ${block}`, { organization_id, instance_id, block })
  }
  // In one order, so that writers never wait for one another in a circle.
  const rows = [...blocks].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, block]) => block)
  if (rows.length > 0) await tx.query(mark, [scope.root, separate(rows, columns)])
}

/** Of all roots of a store, those that are stale for longest first. */
export function findStaleUnscoped(
  pool: Pool,
  before: Date,
  limit: number,
): Promise<(Block & { readonly root: RootId })[]> {
  return runUnscoped<Block & { root: RootId }>(pool, find, [before.toISOString(), limit])
}

/** False when another worker was first. */
export async function deleteStaleBlock(
  scope: Scope,
  tx: Tx,
  { organization_id, block }: Block,
): Promise<boolean> {
  return (await tx.query(end, [scope.root, organization_id, block])).length === 1
}
