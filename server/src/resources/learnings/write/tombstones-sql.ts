import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { LearningId, OrganizationId } from '../../../ids.ts'
import { learningIds, textForIdentity } from '../../../text/identity.ts'
import { findTakenIds, type LearningRow } from './sql.ts'

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
  return tx.query<Tombstone & object>(selectTombstones, [scope.root, organization, hashes])
}

export async function findTombstone(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: LearningId,
): Promise<Tombstone | undefined> {
  const [found] = await tx.query<Tombstone & object>(selectTombstone, [scope.root, organization, id])
  return found
}

export async function deleteTombstone(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: LearningId,
): Promise<void> {
  await tx.query(deleteTombstoneRow, [scope.root, organization, id])
}
