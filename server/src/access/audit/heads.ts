import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

/**
 * What is written outside of the database about a chain: where it stood at a time, or, as a checkpoint, up to where its
 * rows were dropped because of their age.
 */
export interface AuditChainHead {
  readonly kind: 'head' | 'checkpoint'
  readonly root: string
  readonly position: number
  /** Of the row at this position, in hex. */
  readonly hash: string
}

export interface SignedHead extends AuditChainHead {
  readonly at: string
  /** Which key has signed it. */
  readonly key: string
  /** Ed25519, in base64. */
  readonly signature: string
}

export interface Signer {
  readonly keyId: string
  readonly publicKey: KeyObject
  sign(head: AuditChainHead, at: Date): SignedHead
}

// What stands before the 32 bytes of a seed in PKCS #8.
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A private key of Ed25519: PKCS #8 as PEM, in which \n may stand for the end of a line, or its seed in base64. */
export function createSigner(text: string): Signer {
  const key = readPrivateKey(text)
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      'AUDIT_SIGNING_KEY must be an Ed25519 private key: PKCS #8 as PEM, or 32 bytes in base64.',
    )
  }
  const publicKey = createPublicKey(key)
  const keyId = computeKeyId(publicKey)
  return {
    keyId,
    publicKey,
    sign(head, at) {
      const unsigned = { ...head, at: at.toISOString(), key: keyId }
      return { ...unsigned, signature: sign(null, toSignedMessage(unsigned), key).toString('base64') }
    },
  }
}

function readPrivateKey(text: string): KeyObject | null {
  const seed = Buffer.from(text, 'base64')
  try {
    if (text.includes('-----BEGIN')) return createPrivateKey(text.replaceAll('\\n', '\n'))
    if (seed.length !== 32) return null
    return createPrivateKey({ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' })
  } catch {
    return null
  }
}

export function computeKeyId(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ format: 'der', type: 'spki' })).slice(0, 16)
}

export function isSignedBy(publicKey: KeyObject, head: SignedHead): boolean {
  if (head.key !== computeKeyId(publicKey)) return false
  return verify(null, toSignedMessage(head), publicKey, Buffer.from(head.signature, 'base64'))
}

/** Line by line, so that no two heads have one message. */
function toSignedMessage({
  kind,
  root,
  position,
  hash: ofRow,
  at,
  key,
}: Omit<SignedHead, 'signature'>): Buffer {
  return Buffer.from(['scholiast audit 1', kind, root, position, ofRow, at, key].join('\n'))
}

const textFields = ['kind', 'root', 'hash', 'at', 'key', 'signature'] as const

/** Null when the line is none. */
export function parseSignedHead(line: string): SignedHead | null {
  try {
    const head = JSON.parse(line) as Partial<SignedHead> | null
    const isHead = head !== null && (head.kind === 'head' || head.kind === 'checkpoint')
    if (!isHead || !Number.isSafeInteger(head.position)) return null
    return textFields.every((name) => typeof head[name] === 'string') ? (head as SignedHead) : null
  } catch {
    return null
  }
}
