import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../../ids.ts'
import { type Columns, insertInto, lines, separate } from '../write/rows-sql.ts'
import type { Place } from './grain.ts'

export interface CountKey extends Place {
  readonly organization_id: OrganizationId
}

export interface CountRow extends CountKey {
  readonly instance_id: InstanceId | null
  readonly counts: string
}

const keyColumns: Columns<CountKey> = {
  organization_id: 'uuid',
  grain: 'text',
  period: 'integer',
  repository_id: 'text',
  author_id: 'text',
  number: 'bigint',
}

const columns: Columns<CountRow> = { ...keyColumns, instance_id: 'uuid', counts: 'text' }

const keyed = `root_id = $1 and organization_id = c[1]::uuid and grain = c[2] and period = c[3]::integer
  and repository_id = c[4] and author_id = c[5] and number = c[6]::bigint`

const storedCounts = statement(
  'metrics.stored-counts',
  `select place, f.counts from ${lines} cross join lateral (select counts from finding_count where ${keyed} limit 1) f`,
)

const upsertCounts = statement(
  'metrics.upsert-counts',
  `${insertInto('finding_count', columns)}
   on conflict (root_id, ${Object.keys(keyColumns).join(', ')}) do update set counts = excluded.counts`,
)

const removeCounts = statement(
  'metrics.remove-counts',
  `delete from finding_count using ${lines} where ${keyed}`,
)

/** Those that are there, with the places, from 1 on, of their keys. */
export async function readCounts(
  scope: Scope,
  tx: Tx,
  keys: readonly CountKey[],
): Promise<{ readonly place: number; readonly counts: string }[]> {
  if (keys.length === 0) return []
  return tx.query<{ place: number; counts: string }>(storedCounts, [scope.root, separate(keys, keyColumns)])
}

export async function upsert(scope: Scope, tx: Tx, rows: readonly CountRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(upsertCounts, [scope.root, separate(rows, columns)])
}

export async function remove(scope: Scope, tx: Tx, keys: readonly CountKey[]): Promise<void> {
  if (keys.length > 0) await tx.query(removeCounts, [scope.root, separate(keys, keyColumns)])
}
