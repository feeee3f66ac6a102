import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing } from '../../config.ts'
import type { ConnectorId, RootId } from '../../ids.ts'

// Secrets of connectors, encrypted with AES-256-GCM. The connector and its root are authenticated with them, so that a value
// that is copied into another row does not decrypt.

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Whose secret it is, and which of its secrets. */
export interface SecretOwner {
  readonly root: RootId
  readonly connector: ConnectorId
  readonly name: 'credential' | 'hook_secret'
}

export interface SealedSecret {
  readonly keyId: string
  readonly bytes: Buffer
}

/** Encrypts with the newest key of the ring. */
export function sealSecret(ring: KeyRing, owner: SecretOwner, secret: string): SealedSecret {
  const [newest] = ring
  if (newest === undefined)
    throw new Error('No key to encrypt secrets of connectors with: set CONNECTOR_KEYS.')
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, newest.secret, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(toAssociatedData(owner))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return { keyId: newest.id, bytes: Buffer.concat([nonce, cipher.getAuthTag(), sealed]) }
}

/** Returns null if no key of the ring decrypts it: the key was removed, or the value belongs to another connector. */
export function openSecret(ring: KeyRing, owner: SecretOwner, { keyId, bytes }: SealedSecret): string | null {
  const key = ring.find(({ id }) => id === keyId)
  if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key.secret, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(toAssociatedData(owner))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString()
  } catch {
    return null
  }
}

function toAssociatedData({ root, connector, name }: SecretOwner): Buffer {
  return Buffer.from(`${root} ${connector} ${name}`)
}
