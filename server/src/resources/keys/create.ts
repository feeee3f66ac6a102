import type { Change } from '../../access/change.ts'
import type { KeyRequest, ShownKey } from './request.ts'
import { storeKey } from './store.ts'
import { tellOfKey } from './told.ts'

export async function createKey(change: Change, request: KeyRequest): Promise<ShownKey> {
  const { shown, row } = await storeKey(change, request)
  await tellOfKey(change, 'key.created', row, { expires_at: shown.expiresAt?.toISOString() ?? null })
  return shown
}
