import { rootScope } from '../../../access/scope.ts'
import type { KeyRing } from '../../../config.ts'
import type { Pool } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { openSecret, type SecretOwner, sealSecret } from '../secrets.ts'
import type { SyncedConnector } from './context.ts'
import { UnreadableSecretError } from './errors.ts'
import { lockSecrets, writeSecrets } from './sql.ts'

/** The credential that the connector was created with. Never log it. */
export function openCredential(ring: KeyRing, connector: SyncedConnector): unknown {
  const owner: SecretOwner = { root: connector.root, connector: connector.id, name: 'credential' }
  const text = openSecret(ring, owner, { keyId: connector.keyId, bytes: connector.credential })
  if (text === null) throw new UnreadableSecretError()
  return JSON.parse(text)
}

/** Encrypts the secrets again if the ring has a newer key. Returns whether it did. */
export async function rotateSecrets(
  database: Pool,
  ring: KeyRing,
  { id, root }: Pick<SyncedConnector, 'id' | 'root'>,
): Promise<boolean> {
  const scope = rootScope(root)
  return inTransaction(database, scope, async (tx) => {
    const stored = await lockSecrets(scope, tx, id)
    if (stored === null || stored.key_id === ring[0]?.id) return false
    const { key_id: keyId, credential, hook_secret } = stored
    const reseal = (name: SecretOwner['name'], bytes: Buffer) => {
      const owner = { root, connector: id, name }
      const text = openSecret(ring, owner, { keyId, bytes })
      return text === null ? null : sealSecret(ring, owner, text)
    }
    const sealed = reseal('credential', credential)
    const sealedHook = hook_secret && reseal('hook_secret', hook_secret)
    if (sealed === null || (hook_secret !== null && sealedHook === null)) return false
    await writeSecrets(scope, tx, id, {
      credential: sealed.bytes,
      hook_secret: sealedHook?.bytes ?? null,
      key_id: sealed.keyId,
    })
    return true
  })
}
