import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
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
} from '../../../metrics-store/write/rows-sql.ts'
import type { UsagePullRequest } from './entry.ts'

export interface UsageEventKey extends PullRequestKey {
  readonly event_id: string
}

export interface UsageEventRow extends UsageEventKey, RowOwner {}

const eventKeyColumns: ColumnTypes<UsageEventKey> = { ...keyColumns, event_id: 'text' }
const eventColumns: ColumnTypes<UsageEventRow> = { ...eventKeyColumns, ...ownerColumns }

const selectPullRequests = statement(
  'mcp-usage.pull-requests',
  `select p.provider, p.host, p.repository_id, p.number, p.organization_id, p.instance_id, p.provider_organization_id, p.url,
     p.author_id, p.status, ${renderUtc('p.merged_at')} as merged_at, p.day::text as day, p.week
   from ${inputRows} cross join lateral (select * from pull_request where ${keyCondition} limit 1) p`,
)

const selectKnownEvents = statement(
  'mcp-usage.known-events',
  `select place from ${inputRows} cross join lateral (
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

/** The places of those that are stored already; places are counted from 1. */
export function readKnownEvents(
  scope: Scope,
  tx: Tx,
  keys: readonly UsageEventKey[],
): Promise<{ readonly place: number }[]> {
  return tx.query<{ place: number }>(selectKnownEvents, [scope.root, encodeRows(keys, eventKeyColumns)])
}

export async function writeEvents(scope: Scope, tx: Tx, rows: readonly UsageEventRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertEvents, [scope.root, encodeRows(rows, eventColumns)])
}
