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
  createInsert,
  createRowQuery,
  createUpsert,
  renderInputRows,
} from '../../../metrics-store/write/rows-sql.ts'
import type { Evidence } from './finding-details.ts'
import type { SourceOutcome } from './outcome.ts'

/** `facts`, `findings`, `details` and `entry` are JSON; times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
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
  /** Location, time and reason of findings, and the reviewers; null = none. */
  readonly details: string | null
  readonly entry: string | null
}

export interface OutcomeKey extends PullRequestKey {
  readonly finding_id: string
  readonly event_id: string
}

export interface OutcomeRow extends OutcomeKey, RowOwner, Omit<SourceOutcome, 'evidence'> {
  readonly accepted_before: boolean | null
  /** JSON; null = none. */
  readonly evidence: string | null
}

/** The latest outcome of a finding of each source; `ordinal` counts from 1: the position of its pull request in the input. */
export interface CurrentOutcomeRow extends Omit<SourceOutcome, 'evidence'> {
  readonly ordinal: number
  readonly finding_id: string
  readonly evidence: readonly Evidence[] | null
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
  details: 'json',
  entry: 'text',
}

const outcomeColumns: ColumnTypes<OutcomeRow> = {
  ...outcomeKeyColumns,
  ...ownerColumns,
  accepted_before: 'boolean',
  accepted: 'boolean',
  source: 'text',
  at: 'timestamptz',
  rule: 'text',
  evidence: 'json',
}

// The head's lock makes it certain which pull requests are new; a plain insert is a sixth cheaper than an upsert.
export const createPullRequests = createInsert(
  'review-comments.insert-pull-requests',
  'pull_request',
  pullRequestColumns,
)
export const changePullRequests = createUpsert(
  'review-comments.upsert-pull-requests',
  'pull_request',
  pullRequestColumns,
  keyColumns,
)

// An id that was used for the finding more than 30 days before can come again, with a later time.
export const writeOutcomes = createUpsert(
  'review-comments.insert-outcomes',
  'outcome',
  outcomeColumns,
  outcomeKeyColumns,
)

export const readPullRequests = createRowQuery<PullRequestKey, PullRequestRow>(
  statement(
    'review-comments.stored-pull-requests',
    `select p.provider, p.host, p.repository_id, p.number, p.organization_id, p.instance_id,
       p.provider_organization_id, p.url, p.author_id, p.status, ${renderUtc('p.merged_at')} as merged_at,
       ${renderUtc('p.closed_at')} as closed_at, p.day::text as day, p.week, p.position, p.event_id,
       ${renderUtc('p.event_at')} as event_at, p.facts::text as facts, p.findings::text as findings,
       p.details::text as details, p.entry
     from ${renderInputRows(keyColumns)} cross join lateral (select * from pull_request where ${keyCondition} limit 1) p`,
  ),
  keyColumns,
)

export const readCurrentOutcomes = createRowQuery<PullRequestKey, CurrentOutcomeRow>(
  statement(
    'review-comments.current-outcomes',
    `select ordinal, o.finding_id, o.event_id, o.accepted, o.source, ${renderUtc('o.at')} as at, o.rule, o.evidence
     from ${renderInputRows(keyColumns)} cross join lateral (
       select distinct on (finding_id, source) finding_id, event_id, accepted, source, at, rule, evidence
       from outcome where ${keyCondition}
       order by finding_id, source, at desc, event_id collate "C" desc) o`,
  ),
  keyColumns,
)

/** The ordinals, from 1, of the keys that are already stored, with their times. */
export const readKnownOutcomes = createRowQuery<
  OutcomeKey,
  { readonly ordinal: number; readonly at: string }
>(
  statement(
    'review-comments.known-outcomes',
    `select ordinal, ${renderUtc('o.at')} as at from ${renderInputRows(outcomeKeyColumns)} cross join lateral (
       select at from outcome where ${keyCondition} and finding_id = given.finding_id and event_id = given.event_id limit 1) o`,
  ),
  outcomeKeyColumns,
)

const selectRepositoryNames = statement(
  'review-comments.repository-names',
  `select r.organization_id, r.provider_repository_id as repository_id, r.name
   from unnest($2::uuid[], $3::text[]) as given (organization_id, repository_id)
   join repository r on r.root_id = $1 and r.organization_id = given.organization_id
     and r.provider_repository_id = given.repository_id`,
)

interface RepositoryRef {
  readonly organization_id: OrganizationId
  readonly repository_id: string
}

/** The names in the inventory. It is in the main database, whatever the metrics store. */
export function readRepositoryNames(
  scope: Scope,
  tx: Tx,
  repositories: readonly RepositoryRef[],
): Promise<(RepositoryRef & { readonly name: string })[]> {
  return tx.query<RepositoryRef & { readonly name: string }>(selectRepositoryNames, [
    scope.root,
    repositories.map(({ organization_id }) => organization_id),
    repositories.map(({ repository_id }) => repository_id),
  ])
}
