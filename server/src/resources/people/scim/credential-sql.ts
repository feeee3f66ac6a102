import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import { NIL_UUID, type ScimCredentialId } from '../../../ids.ts'

/** Without the value, which is not stored. */
export interface ListedCredential {
  readonly id: ScimCredentialId
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
  readonly last_used_at: string | null
}

export interface NewCredential {
  readonly id: ScimCredentialId
  readonly name: string
  readonly hash: Buffer
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

const times = ['created_at', 'expires_at', 'revoked_at', 'last_used_at']
const columns = `id, name, prefix, last_four, ${times.map((column) => `${renderUtc(column)} as ${column}`).join(', ')}`

const insert = statement(
  'scim.insert-credential',
  `insert into scim_credential (root_id, id, name, hash, prefix, last_four, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

const page = statement(
  'scim.page-of-credentials',
  `select ${columns} from scim_credential where root_id = $1 and id > $2 order by id limit $3`,
)

const lock = statement(
  'scim.lock-credential',
  `select ${columns} from scim_credential where root_id = $1 and id = $2 for update`,
)

const revoke = statement(
  'scim.revoke-credential',
  `update scim_credential set revoked_at = $3 where root_id = $1 and id = $2 and revoked_at is null returning id`,
)

export async function insertCredential(scope: Scope, tx: Tx, row: NewCredential): Promise<void> {
  const { id, name, hash, prefix, lastFour, createdAt, expiresAt } = row
  const moments = [createdAt, expiresAt].map((moment) => moment.toISOString())
  await tx.query(insert, [scope.root, id, name, hash, prefix, lastFour, ...moments])
}

export function readCredentials(
  scope: Scope,
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ListedCredential[]> {
  return tx.query<ListedCredential>(page, [scope.root, after ?? NIL_UUID, limit])
}

export function lockCredential(scope: Scope, tx: Tx, id: string): Promise<ListedCredential | null> {
  return tx.first<ListedCredential>(lock, [scope.root, id])
}

/** Returns false if the credential was already revoked. */
export async function markCredentialRevoked(scope: Scope, tx: Tx, id: string, at: Date): Promise<boolean> {
  return (await tx.query(revoke, [scope.root, id, at.toISOString()])).length === 1
}
