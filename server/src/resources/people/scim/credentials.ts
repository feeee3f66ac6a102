import { auditChange, type ChangeContext, type ChangeEntry } from '../../../access/change-context.ts'
import { describeKey, hashKey } from '../../../access/key-format.ts'
import { createScimCredentialValue } from '../../../access/scim-credential.ts'
import { refuseOperation } from '../../../errors.ts'
import { newId, type ScimCredentialId } from '../../../ids.ts'
import { DAY_MS } from '../../../time.ts'
import {
  insertCredential,
  type ListedCredential,
  lockCredential,
  markCredentialRevoked,
} from './credential-sql.ts'

export const MAX_LIFETIME_DAYS = 366

export interface IssuedCredential {
  readonly id: ScimCredentialId
  /** Returned only here. */
  readonly value: string
  readonly expiresAt: Date
}

export async function createScimCredential(
  change: ChangeContext,
  { name, lifetimeDays }: { readonly name: string; readonly lifetimeDays: number },
): Promise<IssuedCredential> {
  const { scope, tx, at } = change
  if (lifetimeDays < 1 || lifetimeDays > MAX_LIFETIME_DAYS)
    refuseOperation(`A SCIM credential must expire in 1 to ${MAX_LIFETIME_DAYS} days.`)
  const value = createScimCredentialValue()
  const id = newId<ScimCredentialId>()
  const expiresAt = new Date(at.getTime() + lifetimeDays * DAY_MS)
  const row = { id, name, hash: hashKey(value), ...describeKey(value), createdAt: at, expiresAt }
  await insertCredential(scope, tx, row)
  const expires_at = expiresAt.toISOString()
  await record(change, 'scim_credential_created', row, { expires_at }, { after: { expires_at } })
  return { id, value, expiresAt }
}

export function getCredentialState(
  { revoked_at, expires_at }: ListedCredential,
  at: Date,
): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked'
  return new Date(expires_at) <= at ? 'expired' : 'active'
}

/** Takes effect on the next request on every node. Returns false if the credential was already revoked. */
export async function revokeScimCredential(change: ChangeContext, id: string): Promise<boolean> {
  const { scope, tx, at } = change
  const row =
    (await lockCredential(scope, tx, id)) ??
    refuseOperation(`The tenant root has no SCIM credential with the id ${id}.`)
  if (!(await markCredentialRevoked(scope, tx, id, at))) return false
  const revoked_at = at.toISOString()
  const changed = { before: { revoked_at: null }, after: { revoked_at } }
  await record(change, 'scim_credential_revoked', row, { revoked_at }, changed)
  return true
}

function record(
  change: ChangeContext,
  action: 'scim_credential_created' | 'scim_credential_revoked',
  { id, name }: { readonly id: ScimCredentialId; readonly name: string },
  metadata: ChangeEntry['metadata'],
  changed: Pick<ChangeEntry, 'before' | 'after'>,
): Promise<void> {
  const personal = { name }
  return auditChange(change, { action, resourceId: id, organization: null, metadata, ...changed, personal })
}
