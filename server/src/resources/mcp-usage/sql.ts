import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { UsedPullRequest } from '../../metrics-store/usage/write.ts'
import {
  keyColumns,
  keyed,
  type Owner,
  ownerColumns,
  type PullRequestKey,
  utc,
} from '../../metrics-store/write/pull-request-sql.ts'
import { type Columns, insertInto, lines, separate } from '../../metrics-store/write/rows-sql.ts'

export interface EventKey extends PullRequestKey {
  readonly event_id: string
}

export interface EventRow extends EventKey, Owner {}

const eventKeyColumns: Columns<EventKey> = { ...keyColumns, event_id: 'text' }
const eventColumns: Columns<EventRow> = { ...eventKeyColumns, ...ownerColumns }

const pullRequests = statement(
  'mcp-usage.pull-requests',
  `select p.provider, p.host, p.repository_id, p.number, p.organization_id, p.instance_id, p.provider_organization_id, p.url,
     p.author_id, p.status, ${utc('p.merged_at')} as merged_at, p.day::text as day, p.week
   from ${lines} cross join lateral (select * from pull_request where ${keyed} limit 1) p`,
)

const knownEvents = statement(
  'mcp-usage.known-events',
  `select place from ${lines} cross join lateral (
     select from mcp_event where ${keyed} and event_id = c[5] limit 1) e`,
)

const insertEvents = statement('mcp-usage.insert-events', insertInto('mcp_event', eventColumns))

export function readUsedPullRequests(
  scope: Scope,
  tx: Tx,
  keys: readonly PullRequestKey[],
): Promise<UsedPullRequest[]> {
  return tx.query<UsedPullRequest & object>(pullRequests, [scope.root, separate(keys, keyColumns)])
}

/** The places of those that are stored already; places are counted from 1. */
export function readKnownEvents(
  scope: Scope,
  tx: Tx,
  keys: readonly EventKey[],
): Promise<{ readonly place: number }[]> {
  return tx.query<{ place: number }>(knownEvents, [scope.root, separate(keys, eventKeyColumns)])
}

export async function writeEvents(scope: Scope, tx: Tx, rows: readonly EventRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertEvents, [scope.root, separate(rows, eventColumns)])
}
