import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { OrganizationId } from '../../../ids.ts'
import { planWithValues } from '../../../metrics-store/page-sql.ts'
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
import type { Evidence } from './finding-details.ts'
import type { SourceOutcome } from './outcome.ts'
import type {
  Documents,
  FindingOutcomeColumns,
  FindingRow,
  PullRequestRow,
  StoredPullRequest,
} from './rows.ts'

interface OutcomeKey extends PullRequestKey {
  readonly finding_id: string
  readonly event_id: string
}

export interface OutcomeRow extends OutcomeKey, RowOwner, Omit<SourceOutcome, 'evidence'> {
  readonly accepted_before: boolean | null
  /** JSON; null = none. */
  readonly evidence: string | null
}

/** The latest outcome of a finding of each source. */
export interface CurrentOutcomeRow extends PullRequestKey, Omit<SourceOutcome, 'evidence'> {
  readonly finding_id: string
  readonly evidence: readonly Evidence[] | null
}

const pullRequestColumns: ColumnTypes<PullRequestRow> = {
  ...keyColumns,
  provider: 'text',
  host: 'text',
  repository_id: 'text',
  number: 'bigint',
  ...ownerColumns,
  provider_organization_id: 'text',
  organization_name: 'text',
  repository_name: 'text',
  url: 'text',
  author_id: 'text',
  author_username: 'text',
  status: 'text',
  created_at: 'timestamptz',
  ready_for_review_at: 'timestamptz',
  first_human_review_at: 'timestamptz',
  last_commit_at: 'timestamptz',
  merged_at: 'timestamptz',
  closed_at: 'timestamptz',
  review_iterations: 'bigint',
  estimated_complexity: 'smallint',
  estimated_review_minutes: 'float8',
  reviewers: 'text[]',
  day: 'date',
  position: 'bigint',
  event_id: 'text',
  event_at: 'timestamptz',
  counted: 'boolean',
}

const documentColumns: ColumnTypes<Documents> = { entry: 'text', review: 'text' }

type WrittenPullRequest = Omit<PullRequestRow, 'reviewers'> & Documents & { readonly reviewers: string }
const writtenColumns: ColumnTypes<WrittenPullRequest> = { ...pullRequestColumns, ...documentColumns }

/** The columns of a finding that its pull request decides. */
const sharedColumns = {
  ...keyColumns,
  ...ownerColumns,
  repository_id: 'text',
  author_id: 'text',
  day: 'date',
  counted: 'boolean',
} as const satisfies Partial<ColumnTypes<PullRequestRow>>

const outcomeColumnsOfFinding: ColumnTypes<FindingOutcomeColumns> = {
  accepted: 'boolean',
  source: 'text',
  rule: 'text',
  evidence: 'json',
  decided_at: 'timestamptz',
}

const findingColumns: ColumnTypes<FindingRow> = {
  ordinal: 'smallint',
  finding_id: 'text',
  url: 'text',
  reviewer: 'text',
  severity: 'finding_severity',
  category: 'finding_category',
  ...outcomeColumnsOfFinding,
  file: 'text',
  start_line: 'integer',
  end_line: 'integer',
  commit: 'text',
  posted_at: 'timestamptz',
  posted_as: 'text',
  raw_severity: 'text',
  bot_key: 'text',
  parser: 'text',
  sketch: 'text',
}

type WrittenFinding = Pick<PullRequestRow, keyof typeof sharedColumns> &
  Omit<FindingRow, 'evidence'> & { readonly evidence: string | null }
const writtenFindingColumns: ColumnTypes<WrittenFinding> = { ...sharedColumns, ...findingColumns }

// The head's lock makes it certain which pull requests are new; a plain insert is a sixth cheaper than an upsert.
const insertPullRequests = createInsert(
  'review-comments.insert-pull-requests',
  'pull_request',
  writtenColumns,
)
const upsertPullRequests = createUpsert(
  'review-comments.upsert-pull-requests',
  'pull_request',
  writtenColumns,
  keyColumns,
)
const insertFindings = createInsert('review-comments.insert-findings', 'finding', writtenFindingColumns)

export type RenderedPullRequest = StoredPullRequest & Documents

/** Pull requests that are not stored yet, with their findings. */
export async function createPullRequests(
  scope: Scope,
  tx: Tx,
  created: readonly RenderedPullRequest[],
): Promise<void> {
  await Promise.all([
    insertPullRequests(scope, tx, created.map(toWrittenPullRequest)),
    insertFindings(scope, tx, created.flatMap(toWrittenFindings)),
  ])
}

const deleteFindings = statement(
  'review-comments.delete-findings',
  'delete from finding where root_id = $1 and pull_request_key = any ($2::uuid[])',
)

/** Stored pull requests that were sent again: their findings are replaced. */
export async function rewritePullRequests(
  scope: Scope,
  tx: Tx,
  rewritten: readonly RenderedPullRequest[],
): Promise<void> {
  if (rewritten.length === 0) return
  await Promise.all([
    upsertPullRequests(scope, tx, rewritten.map(toWrittenPullRequest)),
    tx.query(deleteFindings, [scope.root, rewritten.map(({ row }) => row.pull_request_key)]),
    insertFindings(scope, tx, rewritten.flatMap(toWrittenFindings)),
  ])
}

function toWrittenPullRequest({ row, entry, review }: RenderedPullRequest): WrittenPullRequest {
  return { ...row, reviewers: renderTextArray(row.reviewers), entry, review }
}

/** The array literal of PostgreSQL, whose quoted strings are those of JSON: no text has control characters. */
function renderTextArray(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(',')}}`
}

function toWrittenFindings({ row, findings }: StoredPullRequest): WrittenFinding[] {
  const { pull_request_key, organization_id, instance_id, repository_id, author_id, day, counted } = row
  const shared = { pull_request_key, organization_id, instance_id, repository_id, author_id, day, counted }
  return findings.map((finding) => ({ ...finding, ...shared, evidence: renderEvidence(finding.evidence) }))
}

function renderEvidence(evidence: readonly Evidence[] | null): string | null {
  return evidence === null ? null : JSON.stringify(evidence)
}

interface FindingKey extends PullRequestKey {
  readonly ordinal: number
}

export type ChangedFinding = FindingKey & FindingOutcomeColumns

type WrittenOutcome = Omit<ChangedFinding, 'evidence'> & { readonly evidence: string | null }

const writtenOutcomeColumns: ColumnTypes<WrittenOutcome> = {
  ...keyColumns,
  ordinal: 'smallint',
  ...outcomeColumnsOfFinding,
  evidence: 'text',
}

const updateFindings = createRowQuery<WrittenOutcome>(
  statement(
    'review-comments.change-findings',
    `update finding f set accepted = given.accepted, source = given.source, rule = given.rule,
       evidence = given.evidence::json, decided_at = given.decided_at
     from ${renderInputRows(writtenOutcomeColumns)}
     where f.root_id = $1 and f.pull_request_key = given.pull_request_key and f.ordinal = given.ordinal`,
  ),
  writtenOutcomeColumns,
)

/** Outcomes of stored findings. */
export async function changeFindings(
  scope: Scope,
  tx: Tx,
  changed: readonly ChangedFinding[],
): Promise<void> {
  const rows = changed.map((finding) => ({ ...finding, evidence: renderEvidence(finding.evidence) }))
  await updateFindings(scope, tx, rows)
}

export type ChangedDocuments = PullRequestKey & Documents

const changedDocumentColumns: ColumnTypes<ChangedDocuments> = { ...keyColumns, ...documentColumns }

const updateDocuments = createRowQuery<ChangedDocuments>(
  statement(
    'review-comments.change-documents',
    `update pull_request p set entry = given.entry, review = given.review from ${renderInputRows(changedDocumentColumns)}
     where p.root_id = $1 and p.pull_request_key = given.pull_request_key`,
  ),
  changedDocumentColumns,
)

/** The documents of stored pull requests, after outcomes. Planned with its values: a plan that was made for an empty table could take any index. */
export async function changeDocuments(
  scope: Scope,
  tx: Tx,
  changed: readonly ChangedDocuments[],
): Promise<void> {
  if (changed.length === 0) return
  await Promise.all([tx.query(planWithValues, []), updateDocuments(scope, tx, changed)])
}

const renderColumns = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns)
    .map(([name, type]) => {
      if (type === 'timestamptz') return `${renderUtc(name)} as ${name}`
      return type === 'date' ? `${name}::text as ${name}` : name
    })
    .join(', ')

export const readPullRequests = createRowQuery<PullRequestKey, PullRequestRow>(
  statement(
    'review-comments.stored-pull-requests',
    `select p.* from ${renderInputRows(keyColumns)} cross join lateral (
       select ${renderColumns(pullRequestColumns)} from pull_request where ${keyCondition} ${firstByKey}) p`,
  ),
  keyColumns,
)

/** In their order. */
export const readFindings = createRowQuery<PullRequestKey, PullRequestKey & FindingRow>(
  statement(
    'review-comments.stored-findings',
    `select f.* from ${renderInputRows(keyColumns)} cross join lateral (
       select pull_request_key, ${renderColumns(findingColumns)} from finding where ${keyCondition}
       order by root_id, pull_request_key, ordinal limit 1000) f`,
  ),
  keyColumns,
)

const outcomeKeyColumns: ColumnTypes<OutcomeKey> = { ...keyColumns, finding_id: 'text', event_id: 'text' }

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

// An id that was used for the finding more than 30 days before can come again, with a later time.
export const writeOutcomes = createUpsert(
  'review-comments.insert-outcomes',
  'outcome',
  outcomeColumns,
  outcomeKeyColumns,
)

export const readCurrentOutcomes = createRowQuery<PullRequestKey, CurrentOutcomeRow>(
  statement(
    'review-comments.current-outcomes',
    `select o.pull_request_key, o.finding_id, o.event_id, o.accepted, o.source, ${renderUtc('o.at')} as at, o.rule, o.evidence
     from ${renderInputRows(keyColumns)} cross join lateral (
       select distinct on (finding_id, source) pull_request_key, finding_id, event_id, accepted, source, at, rule, evidence
       from outcome where ${keyCondition}
       order by finding_id, source, at desc, event_id collate "C" desc) o`,
  ),
  keyColumns,
)

/** The input numbers of the keys that are already stored, with their times. */
export const readKnownOutcomes = createRowQuery<
  OutcomeKey,
  { readonly input_number: number; readonly at: string }
>(
  statement(
    'review-comments.known-outcomes',
    `select input_number, ${renderUtc('o.at')} as at from ${renderInputRows(outcomeKeyColumns)} cross join lateral (
       select at from outcome where ${keyCondition} and finding_id = given.finding_id and event_id = given.event_id limit 1) o`,
  ),
  outcomeKeyColumns,
)

/** Findings that count, by week; '' and the nil UUID = unknown, or none. */
export interface WeekRow {
  readonly organization_id: OrganizationId
  readonly instance_id: string
  readonly week: string
  readonly reviewer: string
  readonly severity: string
  readonly category: string
  readonly posted: number
  readonly accepted: number
  readonly not_accepted: number
}

/** Adds to the counts of weeks. */
export const addToWeeks = createInsert<WeekRow>(
  'metrics.add-to-weeks',
  'finding_week as w',
  {
    organization_id: 'uuid',
    instance_id: 'uuid',
    week: 'date',
    reviewer: 'text',
    severity: 'text',
    category: 'text',
    posted: 'integer',
    accepted: 'integer',
    not_accepted: 'integer',
  },
  `on conflict (root_id, organization_id, instance_id, week, reviewer, severity, category) do update
     set posted = w.posted + excluded.posted, accepted = w.accepted + excluded.accepted,
       not_accepted = w.not_accepted + excluded.not_accepted`,
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
