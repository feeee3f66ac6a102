import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { OrganizationId } from '../../../ids.ts'
import {
  keyColumns,
  keyCondition,
  ownerColumns,
  type PullRequestKey,
  type RowOwner,
} from '../../../metrics-store/write/pull-request-sql.ts'
import {
  type ColumnTypes,
  encodeRows,
  inputRows,
  renderInsert,
  renderUpdateSet,
} from '../../../metrics-store/write/rows-sql.ts'

/** What a pull request used. Where it is not shown, there is neither a place nor an entry of it. */
export interface UsageRow extends PullRequestKey, RowOwner {
  readonly author_id: string | null
  readonly day: string | null
  readonly week: number | null
  readonly position: number | null
  /** JSON. */
  readonly servers: string
  readonly entry: string | null
}

/** `place` is that of its pull request among those asked for, from 1 on. */
export interface StoredUsage extends RowOwner {
  readonly place: number
  readonly servers: string
}

const columns: ColumnTypes<UsageRow> = {
  ...keyColumns,
  ...ownerColumns,
  author_id: 'text',
  day: 'date',
  week: 'integer',
  position: 'bigint',
  servers: 'json',
  entry: 'text',
}

const selectUsage = statement(
  'metrics.stored-usage',
  `select place, u.organization_id, u.instance_id, u.servers::text as servers
   from ${inputRows} cross join lateral (select * from mcp_usage where ${keyCondition} limit 1) u`,
)

const upsertUsage = statement(
  'metrics.upsert-usage',
  `${renderInsert('mcp_usage', columns)}
   on conflict (root_id, ${Object.keys(keyColumns).join(', ')}) do update set ${renderUpdateSet(columns, keyColumns)}`,
)

export function readUsage(scope: Scope, tx: Tx, keys: readonly PullRequestKey[]): Promise<StoredUsage[]> {
  return tx.query<StoredUsage & { organization_id: OrganizationId }>(selectUsage, [
    scope.root,
    encodeRows(keys, keyColumns),
  ])
}

export async function upsertUsageRows(scope: Scope, tx: Tx, rows: readonly UsageRow[]): Promise<void> {
  await tx.query(upsertUsage, [scope.root, encodeRows(rows, columns)])
}
