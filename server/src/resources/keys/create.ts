import type { ChangeContext } from '../../access/change-context.ts'
import { recordKeyChange } from './record-change.ts'
import type { IssuedKey, KeyRequest } from './request.ts'
import { storeKey } from './store.ts'

export async function createKey(change: ChangeContext, request: KeyRequest): Promise<IssuedKey> {
  const { issued, row } = await storeKey(change, request)
  await recordKeyChange(change, 'key.created', row, { expires_at: issued.expiresAt?.toISOString() ?? null })
  return issued
}
