import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId } from '../../../ids.ts'

export interface HandledCommand {
  readonly key: string
  readonly authorId: string
  readonly outcome: 'refused' | 'started' | 'done'
}

const selectCommands = statement(
  'connectors.commands',
  `select comment_id as key, author_id as "authorId", outcome from connector_command
   where root_id = $1 and connector_id = $2 and repository_id = $3 and number = $4 and handled_at > $5`,
)

/** By the key of the command. */
export async function readCommands(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  { repository, number }: PullRequestKey,
  since: Date,
): Promise<Map<string, HandledCommand>> {
  const values = [scope.root, connector, repository, number, since.toISOString()]
  const rows = await tx.query<HandledCommand>(selectCommands, values)
  return new Map(rows.map((row) => [row.key, row]))
}

const upsertCommand = statement(
  'connectors.write-command',
  `insert into connector_command (root_id, organization_id, connector_id, repository_id, number, comment_id, author_id,
     outcome, handled_at)
   select c.root_id, c.organization_id, c.id, $3, $4, $5, $6, $7, $8 from connector c where c.root_id = $1 and c.id = $2
   on conflict (root_id, connector_id, repository_id, number, comment_id) do update set outcome = excluded.outcome`,
)

export async function writeCommand(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  { repository, number }: PullRequestKey,
  { key, authorId, outcome }: HandledCommand,
  at: Date,
): Promise<void> {
  const values = [scope.root, connector, repository, number, key, authorId, outcome, at.toISOString()]
  await tx.query(upsertCommand, values)
}

const deleteOldCommands = statement(
  'connectors.sweep-commands',
  'delete from connector_command where root_id = $1 and connector_id = $2 and handled_at < $3',
)

/** Their comments are too old to be carried out again. */
export async function sweepCommands(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  before: Date,
): Promise<void> {
  await tx.query(deleteOldCommands, [scope.root, connector, before.toISOString()])
}

// What was written to pull requests, and what was refused.

export interface PullRequestKey {
  readonly repository: string
  readonly number: number
}

export interface WrittenCheckRun {
  readonly headSha: string
  readonly id: string
  readonly digest: Buffer
}

const selectCheckRun = statement(
  'connectors.check-run',
  `select head_sha as "headSha", check_run_id as id, digest from connector_check_run
   where root_id = $1 and connector_id = $2 and repository_id = $3 and number = $4`,
)

export function readCheckRun(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  { repository, number }: PullRequestKey,
): Promise<WrittenCheckRun | null> {
  return tx.first(selectCheckRun, [scope.root, connector, repository, number])
}

const upsertCheckRun = statement(
  'connectors.write-check-run',
  `insert into connector_check_run (root_id, organization_id, connector_id, repository_id, number, head_sha, check_run_id,
     digest, written_at)
   select c.root_id, c.organization_id, c.id, $3, $4, $5, $6, $7, $8 from connector c where c.root_id = $1 and c.id = $2
   on conflict (root_id, connector_id, repository_id, number) do update
     set head_sha = excluded.head_sha, check_run_id = excluded.check_run_id, digest = excluded.digest,
       written_at = excluded.written_at`,
)

export async function storeCheckRun(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  { repository, number }: PullRequestKey,
  { headSha, id, digest }: WrittenCheckRun,
  at: Date,
): Promise<void> {
  const key = [scope.root, connector, repository, number]
  await tx.query(upsertCheckRun, [...key, headSha, id, digest, at.toISOString()])
}

const deleteCheckRun = statement(
  'connectors.delete-check-run',
  `delete from connector_check_run
   where root_id = $1 and connector_id = $2 and repository_id = $3 and number = $4`,
)

export async function forgetCheckRun(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  { repository, number }: PullRequestKey,
): Promise<void> {
  await tx.query(deleteCheckRun, [scope.root, connector, repository, number])
}

const selectWrittenSince = statement(
  'connectors.count-check-runs',
  `select count(*)::int as written from connector_check_run
   where root_id = $1 and connector_id = $2 and written_at > $3`,
)

export async function countCheckRuns(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  since: Date,
): Promise<number> {
  const row = await tx.first<{ written: number }>(selectWrittenSince, [
    scope.root,
    connector,
    since.toISOString(),
  ])
  return row?.written ?? 0
}

const updateError = statement(
  'connectors.write-back-error',
  `update connector set write_back_error = $3
   where root_id = $1 and id = $2 and write_back_error is distinct from $3`,
)

/** Null = the last write succeeded. */
export async function recordWriteBackError(
  scope: Scope,
  tx: Tx,
  connector: ConnectorId,
  error: string | null,
): Promise<void> {
  await tx.query(updateError, [scope.root, connector, error])
}
