import { refuseKey } from '../../access/authenticate.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Principal } from '../../access/principal.ts'
import { refuse } from '../../errors.ts'
import type { PersonId } from '../../ids.ts'
import { getKeyState } from './list.ts'
import type { ListedKey } from './sql.ts'

// A key never makes a key with more permissions, a wider scope or a later expiry than itself. The scope is the door's: what
// is made is bound to the selected organization, and only a workspace token may make a workspace token.

/** It was good when the request came; it is locked now, so whoever ended it meanwhile was first. */
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
    `A key cannot make one with more permissions than it has. This one lacks ${lacking.join(', ')}.`,
  )
}

export function refuseLaterExpiry(own: ListedKey, expiresAt: Date): Date {
  if (own.expires_at === null || expiresAt <= new Date(own.expires_at)) return expiresAt
  return refuse(
    'PERMISSION_DENIED',
    `A key cannot make one that lives longer than itself. Give an expiry up to ${own.expires_at}.`,
  )
}

/** Whoever is shown the value of a key can act for its owner. */
export function refuseForeignOwner(owner: PersonId, { owner_id }: ListedKey): void {
  if (owner_id === owner) return
  refuse(
    'PERMISSION_DENIED',
    'Only its owner can replace a key, because it acts for its owner. Delete it, and let whoever needs one make it.',
  )
}
