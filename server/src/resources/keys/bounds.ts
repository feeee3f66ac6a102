import { refuseKey } from '../../access/authenticate.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Principal } from '../../access/principal.ts'
import { refuse } from '../../errors.ts'
import type { PersonId } from '../../ids.ts'
import { getKeyState } from './list.ts'
import type { ListedKey } from './sql.ts'

// A key never creates a key with more permissions, a wider scope or a later expiry than its own. The request pipeline
// limits the scope: the new key is bound to the selected organization, and only workspace tokens create workspace tokens.

/** The key was active when the request arrived. It is locked now, so an earlier revocation wins. */
export function requireActiveKey(own: ListedKey | null, at: Date): ListedKey {
  return own !== null && getKeyState(own, at) === 'active' ? own : refuseKey()
}

export function refuseMorePermissions(
  { permissions }: Principal,
  wanted: readonly Permission[],
): readonly Permission[] {
  const lacking = wanted.filter((permission) => !permissions.has(permission))
  if (lacking.length === 0) return wanted
  return refuse(
    'PERMISSION_DENIED',
    `A key cannot create a key with more permissions than it has. This key lacks ${lacking.join(', ')}.`,
  )
}

export function refuseLaterExpiry(own: ListedKey, expiresAt: Date): Date {
  if (own.expires_at === null || expiresAt <= new Date(own.expires_at)) return expiresAt
  return refuse(
    'PERMISSION_DENIED',
    `A key cannot create a key that expires later than itself. Set expires_at to ${own.expires_at} or earlier.`,
  )
}

/** Anyone who sees the value of a key can act as its owner. */
export function refuseForeignOwner(owner: PersonId, { owner_id }: ListedKey): void {
  if (owner_id === owner) return
  refuse(
    'PERMISSION_DENIED',
    'Only the owner of a key can rotate it, because the new key acts as that owner. Delete it and create a new key.',
  )
}
