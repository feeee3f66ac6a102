import type { Scope } from '../../../access/scope.ts'
import { type Statement, statement } from '../../../db/connect.ts'
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
  renderUpdateSet,
} from '../../../metrics-store/write/rows-sql.ts'

/** Documents are JSON texts, times `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface PullRequestRow extends PullRequestKey, RowOwner {
  readonly provider_organization_id: string
  readonly url: string
  readonly author_id: string | null
  readonly status: 'merged' | 'closed'
  readonly merged_at: string | null
  readonly closed_at: string | null
  readonly day: string
  readonly week: number
  readonly position: number
  readonly event_id: string
  readonly event_at: string
  readonly facts: string
  readonly findings: string
  readonly entry: string | null
}

/** A pull request as GET /v1/metrics/reviews has it: those that are closed, or without a finding, among them. */
export interface ReviewRow
  extends PullRequestKey,
    RowOwner,
    Pick<PullRequestRow, 'author_id' | 'status' | 'day' | 'week' | 'position'> {
  readonly entry: string
  readonly tally: string | null
}

export interface OutcomeKey extends PullRequestKey {
  readonly finding_id: string
  readonly event_id: string
}

export interface OutcomeRow extends OutcomeKey, RowOwner {
  readonly accepted_before: boolean | null
  readonly accepted: boolean | null
  readonly source: string
  readonly at: string
}

export interface ChangeRow extends RowOwner {
  readonly position: number
  readonly entry: string
}

/** The outcome of a finding that counts; `place` is that of its pull request among those asked for. */
export interface CurrentOutcomeRow {
  readonly place: number
  readonly finding_id: string
  readonly event_id: string
  readonly accepted: boolean | null
  readonly at: string
}

const outcomeKeyColumns: ColumnTypes<OutcomeKey> = { ...keyColumns, finding_id: 'text', event_id: 'text' }

const pullRequestColumns: ColumnTypes<PullRequestRow> = {
  ...keyColumns,
  ...ownerColumns,
  provider_organization_id: 'text',
  url: 'text',
  author_id: 'text',
  status: 'text',
  merged_at: 'timestamptz',
  closed_at: 'timestamptz',
  day: 'date',
  week: 'integer',
  position: 'bigint',
  event_id: 'text',
  event_at: 'timestamptz',
  facts: 'json',
  findings: 'json',
  entry: 'text',
}

const reviewColumns: ColumnTypes<ReviewRow> = {
  ...keyColumns,
  ...ownerColumns,
  author_id: 'text',
  status: 'text',
  day: 'date',
  week: 'integer',
  position: 'bigint',
  entry: 'text',
  tally: 'text',
}

const outcomeColumns: ColumnTypes<OutcomeRow> = {
  ...outcomeKeyColumns,
  ...ownerColumns,
  accepted_before: 'boolean',
  accepted: 'boolean',
  source: 'text',
  at: 'timestamptz',
}

const changeColumns: ColumnTypes<ChangeRow> = { position: 'bigint', ...ownerColumns, entry: 'text' }

// Under the lock of the head it is known which pull requests are new. Not to ask for them again saves a sixth.
const insertPullRequests = statement(
  'review-comments.insert-pull-requests',
  renderInsert('pull_request', pullRequestColumns),
)

const upsertPullRequests = statement(
  'review-comments.upsert-pull-requests',
  `${renderInsert('pull_request', pullRequestColumns)}
   on conflict (root_id, provider, host, repository_id, number) do update
   set ${renderUpdateSet(pullRequestColumns, keyColumns)}`,
)

const insertReviews = statement('review-comments.insert-reviews', renderInsert('review', reviewColumns))

const upsertReviews = statement(
  'review-comments.upsert-reviews',
  `${renderInsert('review', reviewColumns)}
   on conflict (root_id, provider, host, repository_id, number) do update set ${renderUpdateSet(reviewColumns, keyColumns)}`,
)

const insertOutcomes = statement('review-comments.insert-outcomes', renderInsert('outcome', outcomeColumns))

const insertChanges = statement(
  'review-comments.insert-changes',
  renderInsert('review_comment_change', changeColumns),
)

const selectPullRequests = statement(
  'review-comments.stored-pull-requests',
  `select p.provider, p.host, p.repository_id, p.number, p.organization_id, p.instance_id,
     p.provider_organization_id, p.url, p.author_id, p.status, ${renderUtc('p.merged_at')} as merged_at,
     ${renderUtc('p.closed_at')} as closed_at, p.day::text as day, p.week, p.position, p.event_id,
     ${renderUtc('p.event_at')} as event_at, p.facts::text as facts, p.findings::text as findings, p.entry
   from ${inputRows} cross join lateral (select * from pull_request where ${keyCondition} limit 1) p`,
)

const selectCurrentOutcomes = statement(
  'review-comments.outcomes-in-force',
  `select place, o.finding_id, o.event_id, o.accepted, ${renderUtc('o.at')} as at
   from ${inputRows} cross join lateral (
     select distinct on (finding_id) finding_id, event_id, accepted, at from outcome where ${keyCondition}
     order by finding_id, at desc, event_id collate "C" desc) o`,
)

const selectKnownOutcomes = statement(
  'review-comments.known-outcomes',
  `select place from ${inputRows} cross join lateral (
     select from outcome where ${keyCondition} and finding_id = c[5] and event_id = c[6] limit 1) o`,
)

export function readPullRequests(
  scope: Scope,
  tx: Tx,
  keys: readonly PullRequestKey[],
): Promise<PullRequestRow[]> {
  return tx.query<PullRequestRow & object>(selectPullRequests, [scope.root, encodeRows(keys, keyColumns)])
}

export function readCurrentOutcomes(
  scope: Scope,
  tx: Tx,
  keys: readonly PullRequestKey[],
): Promise<CurrentOutcomeRow[]> {
  return tx.query<CurrentOutcomeRow & object>(selectCurrentOutcomes, [
    scope.root,
    encodeRows(keys, keyColumns),
  ])
}

/** The places of those that are stored already; places are counted from 1. */
export async function readKnownOutcomes(
  scope: Scope,
  tx: Tx,
  keys: readonly OutcomeKey[],
): Promise<{ readonly place: number }[]> {
  if (keys.length === 0) return []
  return tx.query<{ place: number }>(selectKnownOutcomes, [scope.root, encodeRows(keys, outcomeKeyColumns)])
}

export async function createPullRequests(
  scope: Scope,
  tx: Tx,
  rows: readonly PullRequestRow[],
): Promise<void> {
  if (rows.length > 0) await tx.query(insertPullRequests, [scope.root, encodeRows(rows, pullRequestColumns)])
}

export async function changePullRequests(
  scope: Scope,
  tx: Tx,
  rows: readonly PullRequestRow[],
): Promise<void> {
  if (rows.length > 0) await tx.query(upsertPullRequests, [scope.root, encodeRows(rows, pullRequestColumns)])
}

export async function writeOutcomes(scope: Scope, tx: Tx, rows: readonly OutcomeRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertOutcomes, [scope.root, encodeRows(rows, outcomeColumns)])
}

export async function writeChanges(scope: Scope, tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertChanges, [scope.root, encodeRows(rows, changeColumns)])
}

export async function writeReviews(
  scope: Scope,
  tx: Tx,
  created: readonly ReviewRow[],
  changed: readonly ReviewRow[],
): Promise<void> {
  const write = async (text: Statement, rows: readonly ReviewRow[]) => {
    if (rows.length > 0) await tx.query(text, [scope.root, encodeRows(rows, reviewColumns)])
  }
  await Promise.all([write(insertReviews, created), write(upsertReviews, changed)])
}
