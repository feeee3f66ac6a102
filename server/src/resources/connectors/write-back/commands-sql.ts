import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId } from '../../../ids.ts'
import type { PullRequestKey } from './sql.ts'

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
  const rows = await tx.query<HandledCommand & object>(selectCommands, values)
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
