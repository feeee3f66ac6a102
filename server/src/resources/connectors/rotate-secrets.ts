import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import type { KeyRing } from '../../config.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ConnectorId, NIL_UUID, type RootId } from '../../ids.ts'
import { openSecret, type SecretOwner, sealSecret } from './secrets.ts'
import {
  type ConnectorPosition,
  countSecretsUnscoped,
  lockSecrets,
  readSealedWithUnscoped,
  writeSecrets,
} from './sql.ts'

const BATCH_SIZE = 100

/** Encrypts secrets of older keys with the newest key, also those of connectors that rest or whose organization is inactive. */
export async function rotateConnectorSecrets({
  database,
  connectorKeys: ring,
}: Pick<WorkerContext, 'database' | 'connectorKeys'>): Promise<void> {
  const older = ring.slice(1).map(({ id }) => id)
  if (older.length === 0) return
  let after: ConnectorPosition = { root: NIL_UUID as RootId, id: NIL_UUID as ConnectorId }
  for (;;) {
    const found = await readSealedWithUnscoped(database, older, after, BATCH_SIZE)
    for (const connector of found) await rotateSecrets(database, ring, connector)
    const last = found.at(-1)
    if (last === undefined || found.length < BATCH_SIZE) return
    after = last
  }
}

export interface KeyState {
  readonly key_id: string
  readonly secrets: number
  /** Null = CONNECTOR_KEYS lacks it, so that nobody can read its secrets. */
  readonly can_be_removed: boolean | null
}

/** The keys of the ring, and those that are missing from it. */
export async function listKeyStates(database: Pool, ring: KeyRing): Promise<KeyState[]> {
  const used = await countSecretsUnscoped(database)
  const known = ring.map(({ id }, index) => {
    const secrets = used.find(({ key_id }) => key_id === id)?.secrets ?? 0
    return { key_id: id, secrets, can_be_removed: index > 0 && secrets === 0 }
  })
  const missing = used.filter(({ key_id }) => ring.every(({ id }) => id !== key_id))
  return [...known, ...missing.map((use) => ({ ...use, can_be_removed: null }))]
}

/** Secrets that no key of the ring decrypts stay as they are. */
async function rotateSecrets(database: Pool, ring: KeyRing, { id, root }: ConnectorPosition): Promise<void> {
  const scope = rootScope(root)
  await inTransaction(database, scope, async (tx) => {
    const stored = await lockSecrets(scope, tx, id)
    if (stored === null || stored.key_id === ring[0]?.id) return
    const { key_id: keyId, credential, hook_secret } = stored
    const reseal = (name: SecretOwner['name'], bytes: Buffer) => {
      const owner = { root, connector: id, name }
      const text = openSecret(ring, owner, { keyId, bytes })
      return text === null ? null : sealSecret(ring, owner, text)
    }
    const sealed = reseal('credential', credential)
    const sealedHook = hook_secret && reseal('hook_secret', hook_secret)
    if (sealed === null || (hook_secret !== null && sealedHook === null)) return
    await writeSecrets(scope, tx, id, {
      credential: sealed.bytes,
      hook_secret: sealedHook?.bytes ?? null,
      key_id: sealed.keyId,
    })
  })
}
