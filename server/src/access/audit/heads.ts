import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

const headKinds = ['head', 'checkpoint', 'restored'] as const

/**
 * A statement about a chain, written outside the database: its last row at a time, the last row that retention dropped
 * (checkpoint), or the last row that was left after the database was restored to an earlier point.
 */
export interface AuditChainHead {
  readonly kind: (typeof headKinds)[number]
  readonly root: string
  readonly position: number
  /** The hash of the row at this position, in hex. */
  readonly hash: string
}

export interface SignedHead extends AuditChainHead {
  readonly at: string
  /** The id of the signing key. */
  readonly key: string
  /** Ed25519, in base64. */
  readonly signature: string
}

export interface Signer {
  readonly keyId: string
  readonly publicKey: KeyObject
  sign(head: AuditChainHead, at: Date): SignedHead
}

// The bytes before the 32-byte seed in PKCS #8.
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Takes an Ed25519 private key: PKCS #8 as PEM, with \n allowed for line breaks, or its seed in base64. */
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

/** One field per line, so that no two heads have the same message. */
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

/** Returns null if the line is not a signed head. */
export function parseSignedHead(line: string): SignedHead | null {
  try {
    const head = JSON.parse(line) as Partial<SignedHead> | null
    if (head === null || !headKinds.some((kind) => kind === head.kind)) return null
    if (!Number.isSafeInteger(head.position)) return null
    return textFields.every((name) => typeof head[name] === 'string') ? (head as SignedHead) : null
  } catch {
    return null
  }
}
