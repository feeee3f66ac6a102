// Verifies what the API returns of an audit log. The rules are in docs/audit.md; docs/verify-audit.mjs is the same in a
// script that needs none of our packages.
import type { Get, Item } from './types.ts'

type ChainPage = Get<'/v1/audit-logs/chain'>
type Link = ChainPage['data'][number]
type Head = ChainPage['heads'][number]
type Row = Item<'/v1/audit-logs'>
type Bytes = Uint8Array<ArrayBuffer>

/** Everything that a caller can read: rows of its scope, and the chain of the whole tenant. */
export interface AuditLog {
  readonly rows: readonly Row[]
  readonly links: readonly Link[]
  readonly heads: readonly Head[]
  readonly publicKeys: readonly ChainPage['public_keys'][number][]
}

/** The two algorithms of the log. */
export interface AuditCrypto {
  /** SHA-256 in hex. */
  readonly sha256: (bytes: Bytes) => string | Promise<string>
  /** Ed25519 with a public key in SPKI; null if it is not available here. */
  readonly verifySignature: (
    publicKey: Bytes,
    signature: Bytes,
    message: Bytes,
  ) => boolean | null | Promise<boolean | null>
}

export interface AuditVerificationOptions {
  /** IDs of signing keys that you noted earlier: signatures of any other key are faults. */
  readonly pinnedKeys?: readonly string[]
  /** The links are a part of the chain. The first one is trusted, the others must follow from it. */
  readonly partial?: boolean
  /** Web Crypto unless given. Pages have it in secure contexts only: https, or localhost. */
  readonly crypto?: AuditCrypto
  readonly onProgress?: (verifiedLinks: number) => void
}

export interface AuditVerification {
  readonly rows: number
  readonly readable: number
  readonly heads: number
  /** Heads whose signature was not verified, because Ed25519 is not available here. */
  readonly unverified_heads: number
  /** Position of the last row that a signed head covers; rows after it have the chain alone. */
  readonly signed_to: number
  readonly keys: readonly string[]
}

/** The log is not what was written. The message names the row. */
export class AuditLogError extends Error {
  override readonly name = 'AuditLogError'
}

const PROGRESS_LINKS = 500
const encoder = new TextEncoder()

const webCrypto: AuditCrypto = {
  sha256: async (bytes) => toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))),
  verifySignature: async (publicKey, signature, message) => {
    try {
      const key = await crypto.subtle.importKey('spki', publicKey, 'Ed25519', false, ['verify'])
      return await crypto.subtle.verify('Ed25519', key, signature, message)
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotSupportedError') return null
      throw error
    }
  },
}

/** Throws an AuditLogError with the first fault. */
export async function verifyAuditLog(
  log: AuditLog,
  { pinnedKeys = [], partial = false, crypto = webCrypto, onProgress }: AuditVerificationOptions = {},
): Promise<AuditVerification> {
  const keys = await readPublicKeys(log.publicKeys, crypto)
  const chain = new Map(log.links.map((link) => [link.position, link]))
  const heads = withoutRestored(log.heads)
  let unverified = 0
  for (const head of log.heads)
    if (!(await verifyHead(head, { keys, pinnedKeys, crypto })) && heads.includes(head)) unverified += 1
  for (const { position, hash, at } of heads)
    if (chain.has(position) && chain.get(position)?.hash !== hash)
      throw new AuditLogError(`Row ${position} was rewritten after ${at}.`)
  const last = await verifyLinks(log.links, findStart(log.links, heads, partial), { crypto, onProgress })
  const signed = heads.reduce((most, { position }) => Math.max(most, position), 0)
  if (signed > last) throw new AuditLogError(`Row ${last + 1} is missing: row ${signed} was signed.`)
  for (const row of log.rows) await verifyRow(row, chain.get(row.position), crypto)
  return {
    rows: log.links.length,
    readable: log.rows.length,
    heads: heads.length,
    unverified_heads: unverified,
    signed_to: signed,
    keys: [...keys.keys()],
  }
}

interface Trust {
  readonly keys: ReadonlyMap<string, Bytes>
  readonly pinnedKeys: readonly string[]
  readonly crypto: AuditCrypto
}

/** Returns whether the signature could be verified here. */
async function verifyHead(head: Head, { keys, pinnedKeys, crypto }: Trust): Promise<boolean> {
  const { kind, root, position, hash, at, key: id, signature } = head
  const key = keys.get(id)
  if (key === undefined || (pinnedKeys.length > 0 && !pinnedKeys.includes(id)))
    throw new AuditLogError(`Head ${position} is signed by another key, ${id}.`)
  const message = ['scholiast audit 1', kind, root, position, hash, at, id].join('\n')
  const isValid = await crypto.verifySignature(key, fromBase64(signature), encoder.encode(message))
  if (isValid === false) throw new AuditLogError(`The signature of head ${position} is wrong.`)
  return isValid !== null
}

/** Heads of rows that a restore to an earlier point cut off no longer count. */
function withoutRestored(heads: readonly Head[]): Head[] {
  const restores = heads.filter(({ kind }) => kind === 'restored')
  return heads.filter(
    (head) =>
      !restores.some(({ position, at }) => head.position > position && Date.parse(head.at) < Date.parse(at)),
  )
}

/** The hash before the first link, or null if the first link is trusted itself. */
function findStart(links: readonly Link[], heads: readonly Head[], partial: boolean): string | null {
  const first = links[0]?.position ?? 1
  if (first === 1) return '0'.repeat(64)
  if (partial) return null
  const checkpoint = heads.find(({ kind, position }) => kind === 'checkpoint' && position === first - 1)
  if (checkpoint === undefined)
    throw new AuditLogError(`Row ${first - 1} is missing, and no signed checkpoint covers it.`)
  return checkpoint.hash
}

/** Each hash follows from the one before it, the position and the digest. Returns the last position. */
async function verifyLinks(
  links: readonly Link[],
  start: string | null,
  {
    crypto,
    onProgress,
  }: { readonly crypto: AuditCrypto; readonly onProgress: ((links: number) => void) | undefined },
): Promise<number> {
  let previous = start
  let expected = links[0]?.position ?? 1
  for (const [index, { position, digest, hash }] of links.entries()) {
    if (position !== expected) throw new AuditLogError(`Row ${expected} is missing.`)
    if (previous !== null && (await crypto.sha256(toLinkBytes(previous, position, digest))) !== hash)
      throw new AuditLogError(`Row ${position}: its hash does not follow from the row before it.`)
    previous = hash
    expected += 1
    if ((index + 1) % PROGRESS_LINKS === 0) onProgress?.(index + 1)
  }
  return expected - 1
}

function toLinkBytes(previous: string, position: number, digest: string): Bytes {
  const bytes = new Uint8Array(72)
  bytes.set(fromHex(previous), 0)
  new DataView(bytes.buffer).setBigUint64(32, BigInt(position))
  bytes.set(fromHex(digest), 40)
  return bytes
}

/** The content is what the digest was made of, and personal values are what was sealed. */
async function verifyRow(row: Row, link: Link | undefined, { sha256 }: AuditCrypto): Promise<void> {
  const { position, hash, content, personalValues } = row
  if (link?.hash !== hash || link.digest !== (await sha256(encoder.encode(content))))
    throw new AuditLogError(`Row ${position}: its content is not what the chain has.`)
  const { sealed } = JSON.parse(content) as { sealed: Record<string, string> }
  const clear = Object.entries(personalValues as Record<string, { salt: string; value: string }>)
  for (const [name, { salt, value }] of clear)
    if ((await sha256(encoder.encode(salt + value))) !== sealed[name])
      throw new AuditLogError(`Row ${position}: ${name} is not what was sealed.`)
}

async function readPublicKeys(
  publicKeys: AuditLog['publicKeys'],
  { sha256 }: AuditCrypto,
): Promise<Map<string, Bytes>> {
  const keys = new Map<string, Bytes>()
  for (const { key: id, public_key: pem } of publicKeys) {
    const spki = fromBase64(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''))
    if ((await sha256(spki)).slice(0, 16) !== id) throw new AuditLogError(`Key ${id} has another id.`)
    keys.set(id, spki)
  }
  return keys
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

function fromHex(text: string): Bytes {
  const bytes = new Uint8Array(text.length / 2)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(text.slice(2 * index, 2 * index + 2), 16)
  return bytes
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
