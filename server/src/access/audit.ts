import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Tx } from '../db/transaction.ts'
import type { OrganizationId, PersonId } from '../ids.ts'
import type { Scope } from './scope.ts'
import { appendAudit, appendAudits, lockAuditHead } from './sql.ts'

export interface Actor {
  readonly kind: 'person' | 'key' | 'operator' | 'service'
  readonly id: string | null
}

type Plain = string | number | boolean | null
export interface AuditEntry {
  /** `<resource>_<verb>`, as in `api_key_revoked`. */
  readonly action: string
  readonly resourceType: string
  readonly resourceId: string | null
  readonly organization: OrganizationId | null
  readonly actor: Actor
  /** Stays in the chain for ever: ids and codes, never a name, an address or a text. */
  readonly metadata: Readonly<Record<string, Plain | readonly Plain[]>>
  /** Names, e-mails and addresses: the chain holds salted digests, the values can be erased. */
  readonly personal?: Readonly<Record<string, string>>
  readonly person?: PersonId | null
}

/** The hash before the first row of every chain. */
export const genesis = Buffer.alloc(32)

/** Call it last in the transaction of the change: it locks the chain's head until the commit. */
export async function audit(tx: Tx, scope: Scope, entry: AuditEntry, at: Date): Promise<void> {
  const { row, clear } = rowOf(entry, at)
  await tx.query(appendAudit, [
    scope.root,
    contentDigest(row),
    row.id,
    row.organization_id,
    row.at,
    row.action,
    row.resource_type,
    row.resource_id,
    row.actor_kind,
    row.actor_id,
    JSON.stringify(row.metadata),
    entry.person ?? null,
    JSON.stringify(clear),
    JSON.stringify(row.sealed),
    genesis,
  ])
}

/** The same for a change of many parts, in two round trips whatever their number. */
export async function auditAll(
  tx: Tx,
  scope: Scope,
  entries: readonly AuditEntry[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return
  const [head] = await tx.query<{ position: number; hash: Buffer }>(lockAuditHead, [scope.root, genesis])
  if (head === undefined) throw new Error('A chain always has a head.')
  let { position, hash } = head
  let previous = hash
  const rows = entries.map((entry) => {
    const { row, clear } = rowOf(entry, at)
    previous = hash
    position += 1
    hash = chainHash(previous, position, contentDigest(row))
    const place = { position, previous_hash: previous.toString('hex'), hash: hash.toString('hex') }
    return { ...row, ...place, person_id: entry.person ?? null, clear }
  })
  await tx.query(appendAudits, [scope.root, JSON.stringify(rows), position, previous, hash])
}

function rowOf(entry: AuditEntry, at: Date) {
  const { sealed, clear } = seal(entry.personal ?? {})
  const row = {
    id: randomUUID(),
    organization_id: entry.organization,
    at: at.toISOString(),
    action: entry.action,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    metadata: entry.metadata,
    sealed,
  }
  return { row, clear }
}

/** What a row says, without its place in the chain. A verifier needs nothing but the exported row. */
export function contentDigest(row: Readonly<Record<string, unknown>>): Buffer {
  return createHash('sha256').update(canonicalJson(row)).digest()
}

export function chainHash(previous: Buffer, position: number, digest: Buffer): Buffer {
  const place = Buffer.alloc(8)
  place.writeBigInt64BE(BigInt(position))
  return createHash('sha256').update(previous).update(place).update(digest).digest()
}

/** JSON with sorted keys: jsonb does not keep the order in which they were written. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

function seal(personal: Readonly<Record<string, string>>) {
  const sealed: Record<string, string> = {}
  const clear: Record<string, { salt: string; value: string }> = {}
  for (const [name, value] of Object.entries(personal)) {
    const salt = randomBytes(16).toString('hex')
    sealed[name] = createHash('sha256').update(salt).update(value).digest('hex')
    clear[name] = { salt, value }
  }
  return { sealed, clear }
}
