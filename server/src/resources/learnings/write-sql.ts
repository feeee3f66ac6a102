import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InstanceId, LearningId, OrganizationId, PersonId } from '../../ids.ts'
import type { LearningSource, LearningState } from './lifecycle.ts'

/** A Learning as it is stored. What its uses count is changed by its uses alone. */
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
  /** Of a shared one. */
  readonly position: number | null
  readonly created_at: Date
  readonly updated_at: Date
}

export interface LearningHead {
  /** The last of the positions that were taken. */
  readonly position: number
  /** No text of the root was redacted by older rules. */
  readonly redactor_version: number
}

const columns = `organization_id, instance_id, id, repository_id, state, text, content_hash, redactor_version, file,
  source_url, author_id, author_username, person_id, source, deadline, position, created_at, updated_at`

// Nothing is read before it, so that what is read is still so at the commit.
const lockHead = statement(
  'learnings.lock-head',
  `insert into learning_head as h (root_id, position, redactor_version) values ($1, $2, $3)
   on conflict (root_id) do update set position = h.position + $2
   returning position, redactor_version`,
)

// By one index and then the other: a plan for "or" would read every Learning of the organization.
const matchingRows = `select ${columns} from learning
   where root_id = $1 and organization_id = $2 and id in (
     select id from learning where root_id = $1 and organization_id = $2 and content_hash = any ($3)
     union all select unnest($4::uuid[]))`

// In order of id, as whoever counts uses locks them: two that wait for each other would both wait in vain.
const lockMatching = statement('learnings.live', `${matchingRows} order by id for no key update`)

// Whoever holds the head needs no lock to rely on what it reads; uses alone change in the meantime.
const selectMatching = statement('learnings.look', matchingRows)

const selectTakenIds = statement(
  'learnings.held-ids',
  'select id from learning where root_id = $1 and organization_id = $2 and id = any ($3)',
)

const rowShape = `(organization_id uuid, instance_id uuid, id uuid, repository_id text, state text, text text,
  content_hash text, redactor_version integer, file text, source_url text, author_id text, author_username text,
  person_id uuid, source text, deadline timestamptz, position bigint, created_at timestamptz, updated_at timestamptz)`

const insert = statement(
  'learnings.insert',
  `insert into learning (root_id, ${columns})
   select $1, organization_id, instance_id, id, repository_id, state, text, decode(content_hash, 'hex'),
     redactor_version, file, source_url, author_id, author_username, person_id, source, deadline, position, created_at,
     updated_at
   from json_to_recordset($2) as given ${rowShape}`,
)

const update = statement(
  'learnings.update',
  `update learning l set state = given.state, text = given.text, content_hash = decode(given.content_hash, 'hex'),
     redactor_version = given.redactor_version, source = given.source, deadline = given.deadline,
     position = given.position, updated_at = given.updated_at
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

/** Takes positions for what will be shared; call it first, and read after it. */
export async function reserveLearningPositions(
  scope: Scope,
  tx: Tx,
  count: number,
  redactorVersion: number,
): Promise<LearningHead> {
  const [head] = await tx.query<LearningHead & object>(lockHead, [scope.root, count, redactorVersion])
  if (head === undefined) throw new Error('A head is always there once it was asked for.')
  return head
}

interface LearningMatch {
  readonly hashes?: readonly Buffer[]
  readonly ids?: readonly LearningId[]
}

/** Those that own one of the contents, or one of the ids; locked until the commit. */
export function lockLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  match: LearningMatch,
): Promise<LearningRow[]> {
  return queryLearnings(scope, tx, lockMatching, organization, match)
}

/** The same without a lock: for who changes none of them, or one. */
export function findLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  match: LearningMatch,
): Promise<LearningRow[]> {
  return queryLearnings(scope, tx, selectMatching, organization, match)
}

/** Times come as text. They were written in milliseconds, so that a Date holds them. */
type WithTextTimes<Row> = {
  readonly [Name in keyof Row]: Date extends Row[Name] ? string | Exclude<Row[Name], Date> : Row[Name]
}

async function queryLearnings(
  scope: Scope,
  tx: Tx,
  query: Statement,
  organization: OrganizationId,
  { hashes = [], ids = [] }: LearningMatch,
): Promise<LearningRow[]> {
  const rows = await tx.query<WithTextTimes<LearningRow>>(query, [scope.root, organization, hashes, ids])
  return rows.map((row) => ({
    ...row,
    deadline: row.deadline === null ? null : new Date(row.deadline),
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  }))
}

/** Those of the ids that a Learning has. */
export async function findTakenIds(
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

/** Their rows in the index, their origins and what the worker owes them go with them. */
export async function removeLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<LearningId[]> {
  const rows = await tx.query<{ id: LearningId }>(deleteRows, [scope.root, organization, ids])
  return rows.map(({ id }) => id)
}

/** A Learning that is shared belongs to no pull request any more. */
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
