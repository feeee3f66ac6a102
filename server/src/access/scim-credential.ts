import type { Pool } from '../db/connect.ts'
import { runUnscoped, type Tx } from '../db/transaction.ts'
import type { RootId, ScimCredentialId } from '../ids.ts'
import { createSecret, hashKey, isWellFormedSecret } from './key-format.ts'
import type { Scope } from './scope.ts'
import { noteScimCredentialUse, readScimCredentialUnscoped } from './sql.ts'

/** What an identity provider sends to manage the people of one tenant root. */
export interface ScimCredential {
  readonly id: ScimCredentialId
  readonly root: RootId
}

const PREFIX = 'sch_scm_'

export function createScimCredentialValue(): string {
  return createSecret(PREFIX)
}

/** Returns null for a value that is malformed, unknown, revoked or expired. Read at every request; nothing is cached. */
export async function findScimCredential(pool: Pool, value: string): Promise<ScimCredential | null> {
  if (!isWellFormedSecret(PREFIX, value)) return null
  type Row = { id: ScimCredentialId; root_id: RootId }
  const [row] = await runUnscoped<Row>(pool, readScimCredentialUnscoped, [hashKey(value)])
  return row === undefined ? null : { id: row.id, root: row.root_id }
}

export async function noteScimUse(scope: Scope, tx: Tx, id: ScimCredentialId, at: Date): Promise<void> {
  await tx.query(noteScimCredentialUse, [scope.root, id, at.toISOString()])
}
