import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { InstanceId, LearningId, OrganizationId, PersonId } from '../../../ids.ts'
import type { TextFlag } from '../../../text/flags.ts'
import { learningIds, textForIdentity } from '../../../text/identity.ts'
import type { LearningSource, LearningState } from '../lifecycle.ts'

/** A disapproved text that no Learning has any more. */
export interface Tombstone {
  readonly id: LearningId
  readonly repository_id: string
  readonly content_hash: Buffer
}

const insertTombstone = statement(
  'learnings.insert-tombstone',
  `insert into learning_tombstone (root_id, organization_id, content_hash, id, repository_id, redactor_version, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (root_id, organization_id, content_hash) do nothing`,
)

const selectTombstones = statement(
  'learnings.find-tombstones',
  `select id, repository_id, content_hash from learning_tombstone
   where root_id = $1 and organization_id = $2 and content_hash = any ($3)`,
)

const selectTombstone = statement(
  'learnings.find-tombstone',
  `select id, repository_id, content_hash from learning_tombstone
   where root_id = $1 and organization_id = $2 and id = $3`,
)

const deleteTombstoneRow = statement(
  'learnings.delete-tombstone',
  'delete from learning_tombstone where root_id = $1 and organization_id = $2 and id = $3',
)

/**
 * Call it when a disapproved Learning was deleted or gets another text. The caller holds the head lock. The id is the one
 * that a Learning created with the text has, unless a Learning has it now: approving that one must not permit this text.
 */
export async function writeTombstone(scope: Scope, tx: Tx, row: LearningRow, at: Date): Promise<void> {
  const { organization_id, repository_id, content_hash, redactor_version } = row
  const location = { organization: organization_id, repository: repository_id }
  for (const id of learningIds(location, textForIdentity(row.text))) {
    if ((await findTakenIds(scope, tx, organization_id, [id])).has(id)) continue
    const values = [content_hash, id, repository_id, redactor_version, at]
    await tx.query(insertTombstone, [scope.root, organization_id, ...values])
    return
  }
}

export async function findTombstones(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  hashes: readonly Buffer[],
): Promise<Tombstone[]> {
  if (hashes.length === 0) return []
  return tx.query<Tombstone>(selectTombstones, [scope.root, organization, hashes])
}

export function findTombstone(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: LearningId,
): Promise<Tombstone | null> {
  return tx.first(selectTombstone, [scope.root, organization, id])
}

export async function deleteTombstone(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: LearningId,
): Promise<void> {
  await tx.query(deleteTombstoneRow, [scope.root, organization, id])
}

/** A stored Learning, without its usage counters: only `recordUse` changes those. */
export interface LearningRow {
  readonly id: LearningId
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
  readonly repository_id: string
  readonly state: LearningState
  readonly text: string
  readonly content_hash: Buffer
  readonly redactor_version: number
  readonly file: string | null
  readonly source_url: string | null
  readonly author_id: string | null
  readonly author_username: string | null
  readonly person_id: PersonId | null
  readonly source: LearningSource
  readonly deadline: Date | null
  /** Set only while shared. */
  readonly position: number | null
  /** Number of the pull request that it was proposed from; null if unknown, or if there is none. */
  readonly pull_request: number | null
  /** Null if the row was written by a version that does not examine texts. */
  readonly flags: readonly TextFlag[] | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** Compares by age, the oldest first. */
export function byAge(one: LearningRow, other: LearningRow): number {
  return one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1)
}

export interface LearningHead {
  /** The last reserved position. */
  readonly position: number
  /** The oldest redactor version of any text or tombstone of the root. A tombstone has no text to redact again. */
  readonly redactor_version: number
}

const columns = `organization_id, instance_id, id, repository_id, state, text, content_hash, redactor_version, file,
  source_url, author_id, author_username, person_id, source, deadline, position, pull_request, flags, created_at,
  updated_at`

// Runs before any read: the row lock keeps what the transaction reads unchanged until the commit.
const lockHead = statement(
  'learnings.lock-head',
  `insert into learning_head as h (root_id, position, redactor_version) values ($1, $2, $3)
   on conflict (root_id) do update set position = h.position + $2
   returning position, least(redactor_version,
     (select min(t.redactor_version) from learning_tombstone t where t.root_id = $1)) as redactor_version`,
)

const selectHead = statement(
  'learnings.read-head',
  `select coalesce(max(h.position), 0) as position, least(coalesce(min(h.redactor_version), $2),
     (select min(t.redactor_version) from learning_tombstone t where t.root_id = $1)) as redactor_version
   from learning_head h where h.root_id = $1`,
)

// Two index lookups: with "or", the planner would read every Learning of the organization.
// An array, not a join: in a table without statistics, the inner rows were read again for each Learning of the organization,
// and a batch of 100 took longer than a statement may.
const matching = `from learning
   where root_id = $1 and organization_id = $2 and id = any (array(
     select id from learning where root_id = $1 and organization_id = $2 and content_hash = any ($3)) || $4::uuid[])`

// Locks in order of id, like `recordUse`, to prevent deadlocks. The rows are read by a statement of their own: after
// a wait for a row, PostgreSQL compares it with one row of the subquery only, and may leave it out.
const lockMatching = statement(
  'learnings.lock-matching',
  `select id ${matching} order by id for no key update`,
)

// A transaction that holds the head lock needs no row locks: only usage counters can change meanwhile.
const selectMatching = statement('learnings.matching', `select ${columns} ${matching}`)

const selectTakenIds = statement(
  'learnings.taken-ids',
  'select id from learning where root_id = $1 and organization_id = $2 and id = any ($3)',
)

const rowShape = `(organization_id uuid, instance_id uuid, id uuid, repository_id text, state text, text text,
  content_hash text, redactor_version integer, file text, source_url text, author_id text, author_username text,
  person_id uuid, source text, deadline timestamptz, position bigint, pull_request bigint, flags text[],
  created_at timestamptz, updated_at timestamptz)`

const insert = statement(
  'learnings.insert',
  `insert into learning (root_id, ${columns})
   select $1, organization_id, instance_id, id, repository_id, state, text, decode(content_hash, 'hex'),
     redactor_version, file, source_url, author_id, author_username, person_id, source, deadline, position,
     pull_request, flags, created_at, updated_at
   from json_to_recordset($2) as given ${rowShape}`,
)

const update = statement(
  'learnings.update',
  `update learning l set state = given.state, text = given.text, content_hash = decode(given.content_hash, 'hex'),
     redactor_version = given.redactor_version, source = given.source, deadline = given.deadline,
     position = given.position, pull_request = given.pull_request, flags = given.flags, updated_at = given.updated_at
   from json_to_recordset($2) as given ${rowShape}
   where l.root_id = $1 and l.organization_id = given.organization_id and l.id = given.id`,
)

const deleteRows = statement(
  'learnings.remove',
  'delete from learning where root_id = $1 and organization_id = $2 and id = any ($3) returning id',
)

const deleteOriginRows = statement(
  'learnings.remove-origins',
  'delete from learning_origin where root_id = $1 and organization_id = $2 and learning_id = any ($3)',
)

/** Locks the head of the root and reserves positions for Learnings to share. Call it before any read. */
export function reserveLearningPositions(
  scope: Scope,
  tx: Tx,
  count: number,
  redactorVersion: number,
): Promise<LearningHead> {
  return tx.one(lockHead, [scope.root, count, redactorVersion])
}

/** Reads the head without locking it, for a dry run: others may write meanwhile. */
export function readLearningHead(scope: Scope, tx: Tx, redactorVersion: number): Promise<LearningHead> {
  return tx.one(selectHead, [scope.root, redactorVersion])
}

interface LearningMatch {
  readonly hashes?: readonly Buffer[]
  readonly ids?: readonly LearningId[]
}

/** Finds Learnings by content hash or id and locks them until the commit. */
export async function lockLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  match: LearningMatch,
): Promise<LearningRow[]> {
  const { hashes = [], ids = [] } = match
  const [, rows] = await Promise.all([
    tx.query(lockMatching, [scope.root, organization, hashes, ids]),
    findLearnings(scope, tx, organization, match),
  ])
  return rows
}

/** The driver returns times as text. They are stored in milliseconds, so a Date loses nothing. */
type WithTextTimes<Row> = {
  readonly [Name in keyof Row]: Date extends Row[Name] ? string | Exclude<Row[Name], Date> : Row[Name]
}

/** Like `lockLearnings`, without row locks: for transactions that change at most one of the rows. */
export async function findLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { hashes = [], ids = [] }: LearningMatch,
): Promise<LearningRow[]> {
  const rows = await tx.query<WithTextTimes<LearningRow>>(selectMatching, [
    scope.root,
    organization,
    hashes,
    ids,
  ])
  return rows.map((row) => ({
    ...row,
    deadline: row.deadline === null ? null : new Date(row.deadline),
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  }))
}

/** Returns those of the ids that exist. */
async function findTakenIds(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<ReadonlySet<LearningId>> {
  const rows = await tx.query<{ id: LearningId }>(selectTakenIds, [scope.root, organization, ids])
  return new Set(rows.map(({ id }) => id))
}

export async function insertLearnings(scope: Scope, tx: Tx, rows: readonly LearningRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insert, [scope.root, asJson(rows)])
}

export async function updateLearnings(scope: Scope, tx: Tx, rows: readonly LearningRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(update, [scope.root, asJson(rows)])
}

/** Foreign keys delete index rows, origins and tasks too. */
export async function removeLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<LearningId[]> {
  const rows = await tx.query<{ id: LearningId }>(deleteRows, [scope.root, organization, ids])
  return rows.map(({ id }) => id)
}

/** A Learning that leaves the private state no longer belongs to a pull request. */
export async function deleteOrigins(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<void> {
  if (ids.length > 0) await tx.query(deleteOriginRows, [scope.root, organization, ids])
}

function asJson(rows: readonly LearningRow[]): string {
  return JSON.stringify(rows.map((row) => ({ ...row, content_hash: row.content_hash.toString('hex') })))
}

const selectPendingCount = statement('learnings.count-pending', 'select learning_pending_count($1) as count')

/** Counts the pending Learnings of the whole root, which the scope of a request may exceed; at most `max`. */
export async function countPending(_scope: Scope, tx: Tx, max: number): Promise<number> {
  const row = await tx.first<{ count: number }>(selectPendingCount, [max])
  return row?.count ?? 0
}

/** Instance and author columns of a new Learning. */
export interface LearningAuthor {
  readonly instance_id: InstanceId | null
  readonly author_id: string | null
  readonly author_username: string | null
}

// Prefers the account that is a member: a workspace admin may have an account at the provider without a membership.
const selectAuthor = statement(
  'learnings.author',
  `select o.instance_id, a.account_id as author_id, a.username as author_username
   from organization o
   left join lateral (
     select a.account_id, a.username
     from account a
     left join membership m on m.root_id = $1 and m.organization_id = o.id and m.account_id = a.account_id
     where a.root_id = $1 and a.person_id = $3 and a.provider = o.provider and a.host = o.host
     order by m.account_id is null, a.account_id
     limit 1
   ) a on true
   where o.root_id = $1 and o.id = $2`,
)

const selectActiveRepositories = statement(
  'learnings.known-repositories',
  `select provider_repository_id as id from repository
   where root_id = $1 and organization_id = $2 and provider_repository_id = any ($3) and active`,
)

export async function readAuthor(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  person: PersonId | null,
): Promise<LearningAuthor> {
  const row = await tx.first<LearningAuthor>(selectAuthor, [scope.root, organization, person])
  return row ?? { instance_id: null, author_id: null, author_username: null }
}

/** Returns those of the ids that are active repositories of the organization. */
export async function findActiveRepositoryIds(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(selectActiveRepositories, [scope.root, organization, ids])
  return new Set(rows.map(({ id }) => id))
}
