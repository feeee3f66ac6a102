import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { ConnectorId, OrganizationId } from '../../../ids.ts'

// What became of instructions in review chat, by their digests.

export interface RepositoryKey {
  readonly organization: OrganizationId
  readonly repository: string
}

export type InstructionState = 'proposed' | 'refused' | 'waiting'

export interface KnownInstruction {
  readonly digest: Buffer
  readonly state: InstructionState
}

const selectKnown = statement(
  'connectors.known-instructions',
  `select digest, state from connector_instruction
   where root_id = $1 and organization_id = $2 and repository_id = $3 and digest = any ($4)
   union
   select digest, state from connector_instruction
   where root_id = $1 and organization_id = $2 and repository_id = $3 and number = $5 and state = 'waiting'`,
)

/** The given ones that are known, and all of the pull request that wait. */
export function readKnownInstructions(
  scope: Scope,
  tx: Tx,
  { organization, repository }: RepositoryKey,
  number: number,
  digests: readonly Buffer[],
): Promise<KnownInstruction[]> {
  const values = [scope.root, organization, repository, digests, number]
  return tx.query<KnownInstruction>(selectKnown, values)
}

const countProposedSince = statement(
  'connectors.count-proposed',
  `select count(*)::int as count from connector_instruction
   where root_id = $1 and organization_id = $2 and repository_id = $3 and state = 'proposed' and decided_at > $4`,
)

export async function countProposed(
  scope: Scope,
  tx: Tx,
  { organization, repository }: RepositoryKey,
  since: Date,
): Promise<number> {
  const values = [scope.root, organization, repository, since.toISOString()]
  const row = await tx.first<{ count: number }>(countProposedSince, values)
  return row?.count ?? 0
}

const upsertInstructions = statement(
  'connectors.write-instructions',
  `insert into connector_instruction as i (root_id, organization_id, repository_id, digest, number, state, decided_at)
   select $1, $2, $3, digest, $5, $6, $7 from unnest($4::bytea[]) digest
   on conflict (root_id, organization_id, repository_id, digest) do update
     set state = excluded.state, decided_at = excluded.decided_at where i.state = 'waiting' and excluded.state <> 'waiting'`,
)

export interface Decision {
  readonly number: number
  readonly state: InstructionState
  readonly at: Date
}

/** What was proposed or refused stays so. */
export async function writeInstructions(
  scope: Scope,
  tx: Tx,
  { organization, repository }: RepositoryKey,
  digests: readonly Buffer[],
  { number, state, at }: Decision,
): Promise<void> {
  if (digests.length === 0) return
  const values = [scope.root, organization, repository, digests, number, state, at.toISOString()]
  await tx.query(upsertInstructions, values)
}

const deleteWaiting = statement(
  'connectors.delete-waiting-instructions',
  `delete from connector_instruction
   where root_id = $1 and organization_id = $2 and repository_id = $3 and number = $4 and state = 'waiting'
     and digest <> all ($5::bytea[])`,
)

/** Deletes waiting instructions that the pull request no longer contains. */
export async function deleteWaitingInstructions(
  scope: Scope,
  tx: Tx,
  { organization, repository }: RepositoryKey,
  number: number,
  present: readonly Buffer[],
): Promise<void> {
  await tx.query(deleteWaiting, [scope.root, organization, repository, number, present])
}

// The pull requests whose instructions wait longest.
const markWaiting = statement(
  'connectors.mark-waiting-instructions',
  `with waiting as materialized (
     select i.number from connector_instruction i
     where i.root_id = $1 and i.organization_id = $2 and i.repository_id = $4 and i.state = 'waiting'
     group by i.number order by min(i.decided_at), i.number limit $6
   )
   update connector_pull_request p set dirty_since = coalesce(p.dirty_since, $5), marks = p.marks + 1,
     due_at = case when p.dirty_since is null then $5 else p.due_at end
   from waiting where p.root_id = $1 and p.connector_id = $3 and p.repository_id = $4 and p.number = waiting.number`,
)

/** Has pull requests read again whose instructions wait for another day. */
export async function markWaitingInstructions(
  scope: Scope,
  tx: Tx,
  { organization, repository, connector }: RepositoryKey & { readonly connector: ConnectorId },
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<void> {
  await tx.query(markWaiting, [scope.root, organization, connector, repository, at.toISOString(), limit])
}
