import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { MetricsScan } from '../../../metrics-store/scan-sql.ts'
import { mcpUsageSource } from '../../../metrics-store/source-sql.ts'
import {
  firstByKey,
  keyColumns,
  keyCondition,
  ownerColumns,
  type PullRequestKey,
  type RowOwner,
} from '../../../metrics-store/write/pull-request-sql.ts'
import {
  type ColumnTypes,
  createInsert,
  createRowQuery,
  createUpsert,
  renderInputRows,
} from '../../../metrics-store/write/rows-sql.ts'

/** The columns of a finalized pull request that its usage entry needs. */
export interface UsagePullRequest extends PullRequestKey, RowOwner {
  readonly repository_id: string
  readonly provider_organization_id: string
  readonly url: string
  readonly author_id: string | null
  readonly status: 'merged' | 'closed'
  readonly merged_at: string | null
  readonly day: string
}

/** The usage of one pull request. A row that is not returned has neither a position nor an entry. */
export interface UsageRow extends PullRequestKey, RowOwner {
  readonly repository_id: string
  readonly author_id: string | null
  readonly day: string | null
  readonly position: number | null
  /** JSON. */
  readonly servers: string
  readonly entry: string | null
}

/** `input_number` counts from 1: the position of its pull request in the input. */
export interface StoredUsage extends RowOwner {
  readonly input_number: number
  readonly servers: string
}

interface UsageEventKey extends PullRequestKey {
  readonly event_id: string
}

export interface UsageEventRow extends UsageEventKey, RowOwner {}

const eventKeyColumns: ColumnTypes<UsageEventKey> = { ...keyColumns, event_id: 'text' }
const eventColumns: ColumnTypes<UsageEventRow> = { ...eventKeyColumns, ...ownerColumns }
const usageColumns: ColumnTypes<UsageRow> = {
  ...keyColumns,
  repository_id: 'text',
  ...ownerColumns,
  author_id: 'text',
  day: 'date',
  position: 'bigint',
  servers: 'json',
  entry: 'text',
}

export const readUsedPullRequests = createRowQuery<PullRequestKey, UsagePullRequest>(
  statement(
    'mcp-usage.pull-requests',
    `select p.pull_request_key, p.repository_id, p.organization_id, p.instance_id, p.provider_organization_id, p.url,
       p.author_id, p.status, ${renderUtc('p.merged_at')} as merged_at, p.day::text as day
     from ${renderInputRows(keyColumns)} cross join lateral (select * from pull_request where ${keyCondition} ${firstByKey}) p`,
  ),
  keyColumns,
)

export const readUsage = createRowQuery<PullRequestKey, StoredUsage>(
  statement(
    'metrics.stored-usage',
    `select input_number, u.organization_id, u.instance_id, u.servers::text as servers
     from ${renderInputRows(keyColumns)} cross join lateral (select * from mcp_usage where ${keyCondition} ${firstByKey}) u`,
  ),
  keyColumns,
)

export const upsertUsageRows = createUpsert('metrics.upsert-usage', 'mcp_usage', usageColumns, keyColumns)

/** The input numbers of the keys that are already stored. */
export const readKnownEvents = createRowQuery<UsageEventKey, { readonly input_number: number }>(
  statement(
    'mcp-usage.known-events',
    `select input_number from ${renderInputRows(eventKeyColumns)} cross join lateral (
       select from mcp_event where ${keyCondition} and event_id = given.event_id limit 1) e`,
  ),
  eventKeyColumns,
)

export const writeEvents = createInsert('mcp-usage.insert-events', 'mcp_event', eventColumns)

/** Rows of (day, servers). */
export const mcpUsageScan: MetricsScan = {
  source: mcpUsageSource,
  columns: 'day::text as day, servers::text as servers',
}
