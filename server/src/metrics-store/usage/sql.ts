import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import {
  keyColumns,
  keyed,
  type Owner,
  ownerColumns,
  type PullRequestKey,
} from '../write/pull-request-sql.ts'
import { type Columns, insertInto, lines, replacing, separate } from '../write/rows-sql.ts'

/** What a pull request used. Where it is not shown, there is neither a place nor an entry of it. */
export interface UsageRow extends PullRequestKey, Owner {
  readonly author_id: string | null
  readonly day: string | null
  readonly week: number | null
  readonly position: number | null
  /** JSON. */
  readonly servers: string
  readonly entry: string | null
}

/** `place` is that of its pull request among those asked for, from 1 on. */
export interface StoredUsage extends Owner {
  readonly place: number
  readonly servers: string
}

const columns: Columns<UsageRow> = {
  ...keyColumns,
  ...ownerColumns,
  author_id: 'text',
  day: 'date',
  week: 'integer',
  position: 'bigint',
  servers: 'json',
  entry: 'text',
}

const storedUsage = statement(
  'metrics.stored-usage',
  `select place, u.organization_id, u.instance_id, u.servers::text as servers
   from ${lines} cross join lateral (select * from mcp_usage where ${keyed} limit 1) u`,
)

const upsertUsage = statement(
  'metrics.upsert-usage',
  `${insertInto('mcp_usage', columns)}
   on conflict (root_id, ${Object.keys(keyColumns).join(', ')}) do update set ${replacing(columns, keyColumns)}`,
)

export function readUsage(scope: Scope, tx: Tx, keys: readonly PullRequestKey[]): Promise<StoredUsage[]> {
  return tx.query<StoredUsage & { organization_id: OrganizationId }>(storedUsage, [
    scope.root,
    separate(keys, keyColumns),
  ])
}

export async function upsert(scope: Scope, tx: Tx, rows: readonly UsageRow[]): Promise<void> {
  await tx.query(upsertUsage, [scope.root, separate(rows, columns)])
}
