import { hashKey } from '../../access/key-format.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { type KeyPage, type ListedKey, readKeyByHash, readKeys } from './sql.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

/** Keys of a root by id, the ended ones too. */
export function listKeys(scope: Scope, tx: Tx, page: KeyPage): Promise<ListedKey[]> {
  return readKeys(scope, tx, page)
}

/** The key that has this value, if the root has it. */
export function findKeyByValue(scope: Scope, tx: Tx, value: string): Promise<ListedKey | null> {
  return readKeyByHash(scope, tx, hashKey(value))
}

/** What the key's own row says; its owner may be why it is refused all the same. */
export function getKeyState({ revoked_at, expires_at }: ListedKey, at: Date): KeyState {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && new Date(expires_at) <= at ? 'expired' : 'active'
}
