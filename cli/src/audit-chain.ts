// Verifies an exported audit log without the service. The rules are in docs/audit.md; docs/verify-audit.mjs is the same
// in a script that needs none of our packages.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Get, Item } from '@scholiast/sdk'
import { CliError } from './exit.ts'

export type AuditRow = Item<'/v1/audit-logs'>
type ChainPage = Get<'/v1/audit-logs/chain'>
export type ChainLink = ChainPage['data'][number]
type Head = ChainPage['heads'][number]
type PublicKey = ChainPage['public_keys'][number]

/** Everything that a caller can read: rows of its scope, and the chain of the whole tenant. */
export interface AuditLog {
  readonly rows: readonly AuditRow[]
  readonly links: readonly ChainLink[]
  readonly heads: readonly Head[]
  readonly publicKeys: readonly PublicKey[]
}

interface Verification {
  readonly rows: number
  readonly readable: number
  readonly heads: number
  /** Position of the last row that a signed head covers; rows after it have the chain alone. */
  readonly signed_to: number
  readonly keys: readonly string[]
}

/** Throws the first fault. With pinned keys, signatures of any other key are faults. */
export function verifyAuditLog(log: AuditLog, pinned: readonly string[]): Verification {
  const keys = readPublicKeys(log.publicKeys)
  const chain = new Map(log.links.map((link) => [link.position, link]))
  const heads = withoutRestored(log.heads)
  for (const head of log.heads) verifyHead(head, keys, pinned)
  for (const { position, hash, at } of heads) {
    if (chain.has(position) && chain.get(position)?.hash !== hash)
      fail(`Row ${position} was rewritten after ${at}.`)
  }
  const last = verifyLinks(log.links, heads)
  const signed = Math.max(0, ...heads.map(({ position }) => position))
  if (signed > last) fail(`Row ${last + 1} is missing: row ${signed} was signed.`)
  for (const row of log.rows) verifyRow(row, chain.get(row.position))
  return {
    rows: log.links.length,
    readable: log.rows.length,
    heads: heads.length,
    signed_to: signed,
    keys: [...keys.keys()],
  }
}

function verifyHead(head: Head, keys: ReadonlyMap<string, KeyObject>, pinned: readonly string[]): void {
  const { kind, root, position, hash, at, key: id, signature } = head
  const key = keys.get(id)
  if (key === undefined || (pinned.length > 0 && !pinned.includes(id))) {
    return fail(`Head ${position} is signed by another key, ${id}.`)
  }
  const message = ['scholiast audit 1', kind, root, position, hash, at, id].join('\n')
  if (!verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'))) {
    fail(`The signature of head ${position} is wrong.`)
  }
}

/** Heads of rows that a restore to an earlier point cut off no longer count. */
function withoutRestored(heads: readonly Head[]): Head[] {
  const restores = heads.filter(({ kind }) => kind === 'restored')
  return heads.filter(
    (head) =>
      !restores.some(({ position, at }) => head.position > position && Date.parse(head.at) < Date.parse(at)),
  )
}

/** Each hash follows from the one before it, the position and the digest. Returns the last position. */
function verifyLinks(links: readonly ChainLink[], heads: readonly Head[]): number {
  const first = links[0]?.position ?? 1
  const checkpoint = heads.find(({ kind, position }) => kind === 'checkpoint' && position === first - 1)
  if (first !== 1 && checkpoint === undefined) {
    fail(`Row ${first - 1} is missing, and no signed checkpoint covers it.`)
  }
  let previous = checkpoint === undefined ? '0'.repeat(64) : checkpoint.hash
  let expected = first
  for (const { position, digest, hash } of links) {
    if (position !== expected) fail(`Row ${expected} is missing.`)
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(position))
    if (sha256(Buffer.from(previous, 'hex'), bytes, Buffer.from(digest, 'hex')) !== hash) {
      fail(`Row ${position}: its hash does not follow from the row before it.`)
    }
    previous = hash
    expected += 1
  }
  return expected - 1
}

/** The content is what the digest was made of, and personal values are what was sealed. */
function verifyRow({ position, hash, content, personalValues }: AuditRow, link: ChainLink | undefined): void {
  if (link?.hash !== hash || link.digest !== sha256(content)) {
    fail(`Row ${position}: its content is not what the chain has.`)
  }
  const { sealed } = JSON.parse(content) as { sealed: Record<string, string> }
  const clear = Object.entries(personalValues as Record<string, { salt: string; value: string }>)
  for (const [name, { salt, value }] of clear) {
    if (sha256(salt + value) !== sealed[name]) fail(`Row ${position}: ${name} is not what was sealed.`)
  }
}

function readPublicKeys(publicKeys: readonly PublicKey[]): Map<string, KeyObject> {
  const keys = new Map<string, KeyObject>()
  for (const { key: id, public_key: text } of publicKeys) {
    const key = createPublicKey(text)
    if (sha256(key.export({ format: 'der', type: 'spki' })).slice(0, 16) !== id)
      fail(`Key ${id} has another id.`)
    keys.set(id, key)
  }
  return keys
}

function sha256(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

function fail(why: string): never {
  throw new CliError(`The audit log is not valid. ${why}`, {
    next: 'Compare it with an earlier export, and report it to the operator of the service.',
  })
}
