import { hashKey } from '../../access/key-format.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { type KeyPage, type ListedKey, readKeyByHash, readKeys } from './sql.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

/** Keys of a root by id, including revoked and expired ones. */
export function listKeys(scope: Scope, tx: Tx, page: KeyPage): Promise<ListedKey[]> {
  return readKeys(scope, tx, page)
}

export function findKeyByValue(scope: Scope, tx: Tx, value: string): Promise<ListedKey | null> {
  return readKeyByHash(scope, tx, hashKey(value))
}

/** The state by the key's own row. A key can be refused because of its owner and still be active here. */
export function getKeyState({ revoked_at, expires_at }: ListedKey, at: Date): KeyState {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && new Date(expires_at) <= at ? 'expired' : 'active'
}
