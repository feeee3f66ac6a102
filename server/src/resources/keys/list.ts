import { hashKey } from '../../access/key-format.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { type KeyPage, type ListedKey, readKeyByHash, readKeys } from './sql.ts'

/** `inactive`: the owner is deactivated. */
export type KeyState = 'active' | 'inactive' | 'expired' | 'revoked'

/** Keys of a root by id, including revoked and expired ones. */
export function listKeys(scope: Scope, tx: Tx, page: KeyPage): Promise<ListedKey[]> {
  return readKeys(scope, tx, page)
}

export function findKeyByValue(scope: Scope, tx: Tx, value: string): Promise<ListedKey | null> {
  return readKeyByHash(scope, tx, hashKey(value))
}

/** A key of a list is inactive while its owner is; a key that was read alone has only its own state. */
export function getKeyState({ revoked_at, expires_at, owner_active }: ListedKey, at: Date): KeyState {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && new Date(expires_at) <= at) return 'expired'
  return owner_active === false ? 'inactive' : 'active'
}
