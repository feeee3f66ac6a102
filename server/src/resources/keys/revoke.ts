import type { ChangeContext } from '../../access/change-context.ts'
import { refuse } from '../../errors.ts'
import type { KeyId } from '../../ids.ts'
import { recordKeyChange } from './record-change.ts'
import { lockKey, markRevoked } from './sql.ts'

/** Takes effect on the next request on every node. Returns false if the key was already revoked. */
export async function revokeKey(change: ChangeContext, id: KeyId): Promise<boolean> {
  const { scope, tx, at } = change
  const key = await lockKey(scope, tx, id)
  if (key === null) return refuse('NOT_FOUND', `The tenant root has no key with the id ${id}.`)
  if (!(await markRevoked(scope, tx, id, at))) return false
  await recordKeyChange(change, 'key.revoked', key, { revoked_at: at.toISOString() })
  return true
}
