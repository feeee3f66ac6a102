import { hash as computeHash, randomUUID } from 'node:crypto'
import type { Tx } from '../db/transaction.ts'
import type { OrganizationId, PersonId, SessionId } from '../ids.ts'
import { type Action, actions } from './audit/catalogue.ts'
import { chainHash, contentDigest, genesis, sealPersonalValues } from './audit/chain.ts'
import { appendAudit, appendAudits, lockAuditHead } from './audit/sql.ts'
import type { Caller } from './principal.ts'
import type { Scope } from './scope.ts'

export interface Actor {
  readonly kind: 'person' | 'key' | 'operator' | 'service'
  readonly id: string | null
  /** The person who owns the key. The id stays in the chain. */
  readonly owner?: PersonId | null
  /** The session in which a person acted. */
  readonly session?: SessionId
  /** The caller's address. It is stored as an erasable personal value. */
  readonly address?: string
}

type MetadataValue = string | number | boolean | null
type MetadataField = MetadataValue | readonly MetadataValue[]

/**
 * Fields of a changed resource: ids, codes, numbers and hashes of texts (`hashText`). A personal value is given as
 * `before.FIELD` or `after.FIELD` of `personal` instead.
 */
export type ChangedFields = Readonly<Record<string, MetadataField | Readonly<Record<string, MetadataValue>>>>

export interface AuditEntry {
  readonly action: Action
  readonly resourceId: string | null
  readonly organization: OrganizationId | null
  readonly actor: Actor
  /**
   * Stays in the chain permanently: ids and codes, never a name, an address or a text. `claimed` lists the personal values
   * that the sender of an event claims (`toClaim`).
   */
  readonly metadata: Readonly<Record<string, MetadataField>>
  /** The changed fields as they were; absent for a new resource. */
  readonly before?: ChangedFields
  /** The changed fields as they are now; absent for a deleted resource. */
  readonly after?: ChangedFields
  /** Names, emails and addresses. The chain holds salted digests, so the values can be erased. */
  readonly personal?: Readonly<Record<string, string>>
  readonly person?: PersonId | null
}

/** Personal values of a row about a person, who may have no e-mail. */
export function toPersonalValues(person: {
  readonly name: string
  readonly email: string | null
}): Readonly<Record<string, string>> {
  const { name, email } = person
  return email === null ? { name } : { name, email }
}

/** A person whom the sender of an event names. Nobody verified it. */
export interface Claim {
  readonly metadata: { readonly claimed: readonly string[] }
  readonly personal: Readonly<Record<string, string>>
}

/** `role` is what the person did or is, such as `author`. The account can be erased; that it was claimed stays. */
export function toClaim(
  role: string,
  { id, username }: { readonly id: string; readonly username?: string | null },
): Claim {
  return { metadata: { claimed: [role] }, personal: { [role]: username ?? id, [`${role}_id`]: id } }
}

/** The actor of a change made by a request. */
export function getRequestActor({ principal, address }: { principal: Caller; address: string }): Actor {
  const { credential } = principal
  const owner = 'owner' in principal ? principal.owner : null
  if (credential.kind === 'session') return { kind: 'person', id: owner, session: credential.id, address }
  return { kind: 'key', id: credential.id, owner, address }
}

/** A text in an audit row: a reader who has the text recognizes it, and nobody can read it from the row. */
export function hashText(text: string): string {
  return `sha256:${computeHash('sha256', text)}`
}

/** Must be last in the transaction of the change, because it locks the chain's head until the commit. */
export async function writeAuditEntry(tx: Tx, scope: Scope, entry: AuditEntry, at: Date): Promise<void> {
  const { row, clear } = toAuditRow(entry, at)
  const values = { ...row, clear, person: entry.person ?? null, digest: contentDigest(row), genesis }
  await tx.query(appendAudit, appendAudit.bind(scope, values))
}

/** A row as it was added to the chain of its root. */
export interface WrittenEntry {
  readonly id: string
  readonly action: Action
  readonly position: number
  /** Hexadecimal. */
  readonly digest: string
  /** The hash of the row before, hexadecimal. */
  readonly previous_hash: string
  readonly hash: string
}

/** Writes any number of entries in two round trips. Returns the rows in this order. */
export async function writeAuditEntries(
  tx: Tx,
  scope: Scope,
  entries: readonly AuditEntry[],
  at: Date,
): Promise<WrittenEntry[]> {
  if (entries.length === 0) return []
  const head = await tx.one<{ position: number; hash: Buffer }>(lockAuditHead, [scope.root, genesis])
  let { position, hash } = head
  let previous = hash
  const rows = entries.map((entry) => {
    const { row, clear } = toAuditRow(entry, at)
    previous = hash
    position += 1
    const digest = contentDigest(row)
    hash = chainHash(previous, position, digest)
    const link = {
      position,
      previous_hash: previous.toString('hex'),
      hash: hash.toString('hex'),
      digest: digest.toString('hex'),
    }
    return { ...row, ...link, person_id: entry.person ?? null, clear }
  })
  await tx.query(appendAudits, [scope.root, JSON.stringify(rows), position, previous, hash])
  return rows.map(({ id, action, position: rowPosition, digest, previous_hash, hash: rowHash }) => {
    return { id, action, position: rowPosition, digest, previous_hash, hash: rowHash }
  })
}

function toAuditRow(entry: AuditEntry, at: Date) {
  const { action, actor } = entry
  const address = actor.address === undefined ? {} : { ip_address: actor.address }
  const { sealed, clear } = sealPersonalValues({ ...entry.personal, ...address })
  const row = {
    id: randomUUID(),
    organization_id: entry.organization,
    at: at.toISOString(),
    action,
    resource_type: actions[action].type,
    resource_id: entry.resourceId,
    actor_kind: actor.kind,
    actor_id: actor.id,
    metadata: toMetadata(entry),
    sealed,
  }
  return { row, clear }
}

function toMetadata({ metadata, before, after, actor: { owner, session } }: AuditEntry) {
  return {
    ...metadata,
    ...(before && { before }),
    ...(after && { after }),
    ...(owner && { actor_owner_id: owner }),
    ...(session && { actor_session_id: session }),
  }
}
