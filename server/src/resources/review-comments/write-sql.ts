import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../../ids.ts'

/** What tells one pull request of a root from another. */
export interface PullRequestKey {
  readonly provider: string
  readonly host: string
  readonly repository_id: string
  readonly number: number
}

/** Whose readers see a row. */
export interface Owner {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
}

/** Documents are JSON texts, times `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface PullRequestRow extends PullRequestKey, Owner {
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

export interface OutcomeKey extends PullRequestKey {
  readonly finding_id: string
  readonly event_id: string
}

export interface OutcomeRow extends OutcomeKey, Owner {
  readonly accepted_before: boolean | null
  readonly accepted: boolean | null
  readonly source: string
  readonly at: string
}

export interface ChangeRow extends Owner {
  readonly position: number
  readonly entry: string
}

/** Between which positions the entries of a day lie. */
export interface DayRow {
  readonly week: number
  readonly day: number
  readonly first_position: number
  readonly last_position: number
}

export interface Head {
  /** The last of the positions that were taken. */
  readonly position: number
  readonly state: 'here' | 'arriving' | 'moved'
  readonly largest_entry: number
}

/** The outcome of a finding that counts; `place` is that of its pull request among those asked for. */
export interface OutcomeInForce {
  readonly place: number
  readonly finding_id: string
  readonly event_id: string
  readonly accepted: boolean | null
  readonly at: string
}

type Columns<Row> = Readonly<Record<keyof Row, string>>

const keyColumns: Columns<PullRequestKey> = {
  provider: 'text',
  host: 'text',
  repository_id: 'text',
  number: 'bigint',
}
const ownerColumns: Columns<Owner> = { organization_id: 'uuid', instance_id: 'uuid' }
const outcomeKeyColumns: Columns<OutcomeKey> = { ...keyColumns, finding_id: 'text', event_id: 'text' }

const pullRequestColumns: Columns<PullRequestRow> = {
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

const outcomeColumns: Columns<OutcomeRow> = {
  ...outcomeKeyColumns,
  ...ownerColumns,
  accepted_before: 'boolean',
  accepted: 'boolean',
  source: 'text',
  at: 'timestamptz',
}

const changeColumns: Columns<ChangeRow> = { position: 'bigint', ...ownerColumns, entry: 'text' }

// Rows are sent as one text, so that nothing is quoted on the way. No value holds a separator: control characters are
// refused in whatever comes in (payload.ts), and JSON escapes them.
const NULL = '\x1d'
const ROW = '\x1e'
const COLUMN = '\x1f'

function separate<Row extends object>(rows: readonly Row[], columns: Columns<Row>): string {
  const names = Object.keys(columns) as (keyof Row)[]
  return rows.map((row) => names.map((name) => row[name] ?? NULL).join(COLUMN)).join(ROW)
}

// "offset 0": a row is taken apart once, and not again for each of its columns.
const lines = `(select string_to_array(line, e'\\x1f', e'\\x1d') as c, place
  from string_to_table($2, e'\\x1e') with ordinality as given (line, place) offset 0) lines`

function insertInto<Row>(table: string, columns: Columns<Row>): string {
  const types: string[] = Object.values(columns)
  return `insert into ${table} (root_id, ${Object.keys(columns).join(', ')})
    select $1, ${types.map((type, index) => `c[${index + 1}]::${type}`).join(', ')} from ${lines}`
}

// Under the lock of the head it is known which pull requests are new. Not to ask for them again saves a sixth.
const insertPullRequests = statement(
  'review-comments.insert-pull-requests',
  insertInto('pull_request', pullRequestColumns),
)

const mutable = Object.keys(pullRequestColumns).filter((column) => !(column in keyColumns))

const upsertPullRequests = statement(
  'review-comments.upsert-pull-requests',
  `${insertInto('pull_request', pullRequestColumns)}
   on conflict (root_id, provider, host, repository_id, number) do update
   set ${mutable.map((column) => `${column} = excluded.${column}`).join(', ')}`,
)

const insertOutcomes = statement('review-comments.insert-outcomes', insertInto('outcome', outcomeColumns))

const insertChanges = statement(
  'review-comments.insert-changes',
  insertInto('review_comment_change', changeColumns),
)

const dayColumns: Columns<DayRow> = {
  week: 'integer',
  day: 'integer',
  first_position: 'bigint',
  last_position: 'bigint',
}

const widenDays = statement(
  'review-comments.widen-days',
  `${insertInto('metrics_day as d', dayColumns)}
   on conflict (root_id, week, day) do update set first_position = least(d.first_position, excluded.first_position),
     last_position = greatest(d.last_position, excluded.last_position)`,
)

const advanceHead = statement(
  'review-comments.advance-head',
  `insert into metrics_head as h (root_id, position) values ($1, $2::bigint)
   on conflict (root_id) do update set position = h.position + $2::bigint
   returning position, state, largest_entry`,
)

const raiseLargestEntry = statement(
  'review-comments.raise-largest-entry',
  `update metrics_head set largest_entry = $2 where root_id = $1`,
)

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

// "limit 1" and "distinct" keep each line's search apart: the plan can be no other than one way down the index a line.
const keyed =
  'root_id = $1 and provider = c[1] and host = c[2] and repository_id = c[3] and number = c[4]::bigint'

const pullRequests = statement(
  'review-comments.stored-pull-requests',
  `select p.provider, p.host, p.repository_id, p.number, p.organization_id, p.instance_id,
     p.provider_organization_id, p.url, p.author_id, p.status, ${utc('p.merged_at')} as merged_at,
     ${utc('p.closed_at')} as closed_at, p.day::text as day, p.week, p.position, p.event_id,
     ${utc('p.event_at')} as event_at, p.facts::text as facts, p.findings::text as findings, p.entry
   from ${lines} cross join lateral (select * from pull_request where ${keyed} limit 1) p`,
)

const outcomesInForce = statement(
  'review-comments.outcomes-in-force',
  `select place, o.finding_id, o.event_id, o.accepted, ${utc('o.at')} as at
   from ${lines} cross join lateral (
     select distinct on (finding_id) finding_id, event_id, accepted, at from outcome where ${keyed}
     order by finding_id, at desc, event_id collate "C" desc) o`,
)

const knownOutcomes = statement(
  'review-comments.known-outcomes',
  `select place from ${lines} cross join lateral (
     select from outcome where ${keyed} and finding_id = c[5] and event_id = c[6] limit 1) o`,
)

/** Locks the root's head to the end of the transaction: what is asked after it sees all that was written before. */
export async function takePositions(scope: Scope, tx: Tx, count: number): Promise<Head> {
  const [head] = await tx.query<Head & object>(advanceHead, [scope.root, count])
  if (head === undefined) throw new Error('A head is always found or made.')
  return head
}

export function readPullRequests(
  scope: Scope,
  tx: Tx,
  keys: readonly PullRequestKey[],
): Promise<PullRequestRow[]> {
  return tx.query<PullRequestRow & object>(pullRequests, [scope.root, separate(keys, keyColumns)])
}

export function readOutcomesInForce(
  scope: Scope,
  tx: Tx,
  keys: readonly PullRequestKey[],
): Promise<OutcomeInForce[]> {
  return tx.query<OutcomeInForce & object>(outcomesInForce, [scope.root, separate(keys, keyColumns)])
}

/** The places of those that are stored already; places are counted from 1. */
export async function readKnownOutcomes(
  scope: Scope,
  tx: Tx,
  keys: readonly OutcomeKey[],
): Promise<{ readonly place: number }[]> {
  if (keys.length === 0) return []
  return tx.query<{ place: number }>(knownOutcomes, [scope.root, separate(keys, outcomeKeyColumns)])
}

export async function createPullRequests(
  scope: Scope,
  tx: Tx,
  rows: readonly PullRequestRow[],
): Promise<void> {
  if (rows.length > 0) await tx.query(insertPullRequests, [scope.root, separate(rows, pullRequestColumns)])
}

export async function changePullRequests(
  scope: Scope,
  tx: Tx,
  rows: readonly PullRequestRow[],
): Promise<void> {
  if (rows.length > 0) await tx.query(upsertPullRequests, [scope.root, separate(rows, pullRequestColumns)])
}

export async function writeOutcomes(scope: Scope, tx: Tx, rows: readonly OutcomeRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertOutcomes, [scope.root, separate(rows, outcomeColumns)])
}

export async function writeChanges(scope: Scope, tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertChanges, [scope.root, separate(rows, changeColumns)])
}

export async function writeDays(scope: Scope, tx: Tx, rows: readonly DayRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(widenDays, [scope.root, separate(rows, dayColumns)])
}

export async function writeLargestEntry(scope: Scope, tx: Tx, bytes: number): Promise<void> {
  await tx.query(raiseLargestEntry, [scope.root, bytes])
}
