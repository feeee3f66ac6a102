import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
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

/** The columns of a finalized pull request that its usage entry needs. */
export interface UsagePullRequest extends PullRequestKey, RowOwner {
  readonly provider_organization_id: string
  readonly url: string
  readonly author_id: string | null
  readonly status: 'merged' | 'closed'
  readonly merged_at: string | null
  readonly day: string
  readonly week: number
}

/** The usage of one pull request. A row that is not returned has neither a position nor an entry. */
export interface UsageRow extends PullRequestKey, RowOwner {
  readonly author_id: string | null
  readonly day: string | null
  readonly week: number | null
  readonly position: number | null
  /** JSON. */
  readonly servers: string
  readonly entry: string | null
}

/** `ordinal` counts from 1: the position of its pull request in the input. */
export interface StoredUsage extends RowOwner {
  readonly ordinal: number
  readonly servers: string
}

export interface UsageEventKey extends PullRequestKey {
  readonly event_id: string
}

export interface UsageEventRow extends UsageEventKey, RowOwner {}

const eventKeyColumns: ColumnTypes<UsageEventKey> = { ...keyColumns, event_id: 'text' }
const eventColumns: ColumnTypes<UsageEventRow> = { ...eventKeyColumns, ...ownerColumns }
const usageColumns: ColumnTypes<UsageRow> = {
  ...keyColumns,
  ...ownerColumns,
  author_id: 'text',
  day: 'date',
  week: 'integer',
  position: 'bigint',
  servers: 'json',
  entry: 'text',
}

const selectPullRequests = statement(
  'mcp-usage.pull-requests',
  `select p.provider, p.host, p.repository_id, p.number, p.organization_id, p.instance_id, p.provider_organization_id, p.url,
     p.author_id, p.status, ${renderUtc('p.merged_at')} as merged_at, p.day::text as day, p.week
   from ${inputRows} cross join lateral (select * from pull_request where ${keyCondition} limit 1) p`,
)

const selectUsage = statement(
  'metrics.stored-usage',
  `select ordinal, u.organization_id, u.instance_id, u.servers::text as servers
   from ${inputRows} cross join lateral (select * from mcp_usage where ${keyCondition} limit 1) u`,
)

const upsertUsage = statement(
  'metrics.upsert-usage',
  `${renderInsert('mcp_usage', usageColumns)}
   on conflict (root_id, ${Object.keys(keyColumns).join(', ')}) do update set ${renderUpdateSet(usageColumns, keyColumns)}`,
)

const selectKnownEvents = statement(
  'mcp-usage.known-events',
  `select ordinal from ${inputRows} cross join lateral (
     select from mcp_event where ${keyCondition} and event_id = c[5] limit 1) e`,
)

const insertEvents = statement('mcp-usage.insert-events', renderInsert('mcp_event', eventColumns))

export function readUsedPullRequests(
  scope: Scope,
  tx: Tx,
  keys: readonly PullRequestKey[],
): Promise<UsagePullRequest[]> {
  return tx.query<UsagePullRequest & object>(selectPullRequests, [scope.root, encodeRows(keys, keyColumns)])
}

export function readUsage(scope: Scope, tx: Tx, keys: readonly PullRequestKey[]): Promise<StoredUsage[]> {
  return tx.query<StoredUsage & { organization_id: OrganizationId }>(selectUsage, [
    scope.root,
    encodeRows(keys, keyColumns),
  ])
}

export async function upsertUsageRows(scope: Scope, tx: Tx, rows: readonly UsageRow[]): Promise<void> {
  await tx.query(upsertUsage, [scope.root, encodeRows(rows, usageColumns)])
}

/** The ordinals, from 1, of the keys that are already stored. */
export function readKnownEvents(
  scope: Scope,
  tx: Tx,
  keys: readonly UsageEventKey[],
): Promise<{ readonly ordinal: number }[]> {
  return tx.query<{ ordinal: number }>(selectKnownEvents, [scope.root, encodeRows(keys, eventKeyColumns)])
}

export async function writeEvents(scope: Scope, tx: Tx, rows: readonly UsageEventRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertEvents, [scope.root, encodeRows(rows, eventColumns)])
}
