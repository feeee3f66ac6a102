import type { Action } from '../../access/audit/catalogue.ts'
import { toPersonalValues, type WrittenEntry } from '../../access/audit.ts'
import { auditChanges, type ChangeContext, type ChangeEntry } from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { getSoleOrganization } from '../../access/scope.ts'
import { emitAll, type OutboxEvent } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import {
  type DeprovisionedPerson,
  type EndedSession,
  endAllSessions,
  type LeftOrganization,
  listOrganizationsWithoutAdmin,
  lockKeysAndPerson,
  lockMemberships,
  type RevokedKey,
  removePasskeysAndLinks,
  takeAccess,
} from './deprovision-sql.ts'

export interface DeprovisionOptions {
  /** Takes only the membership of this organization and the keys bound to it. Null = everything in the root. */
  readonly organization: OrganizationId | null
  /** `keep`: a person who is reactivated has the same roles again. With an organization, the membership always ends. */
  readonly roles: 'keep' | 'remove'
}

/**
 * Takes locks in the order of all other changes: organizations, seats, keys, the person. Call it before you read what a
 * deprovisioning decides about. Returns null if the root has no such person, or if the person is erased.
 */
export async function lockForDeprovisioning(
  { scope, tx }: ChangeContext,
  person: PersonId,
  organization: OrganizationId | null,
): Promise<DeprovisionedPerson | null> {
  const [, , row] = await Promise.all([
    lockMemberships(scope, tx, person, organization),
    organization === null ? lockAndCountSeats(scope, tx) : null,
    lockKeysAndPerson(scope, tx, person),
  ])
  return row
}

/**
 * Ends sessions, revokes keys for good, frees the seat and deactivates the person; takes effect on the next request on
 * every node. It must be last in the transaction, because it writes audit rows. It does not refuse the last admin: the
 * event and the audit row of the organization say that none is left. `more` are rows that follow those of the access.
 */
export async function deprovisionPerson(
  change: ChangeContext,
  person: PersonId,
  { organization, roles }: DeprovisionOptions,
  more: readonly ChangeEntry[] = [],
) {
  const stored =
    (await lockForDeprovisioning(change, person, organization)) ??
    refuse('NOT_FOUND', `The tenant root has no person with the id ${person}, or the person is erased.`)
  // A workspace admin administers organizations without being a member of them.
  const administersAll = organization === null && stored.active && stored.workspace_admin
  const unadministered = administersAll
    ? await listOrganizationsWithoutAdmin(change.scope, change.tx, person)
    : []
  const leaves = organization !== null || roles === 'remove'
  const limits = { organization, leaves }
  const access = await takeAccess(change.scope, change.tx, person, limits, change.at)
  const { organizations, repositories, ...ended } = access
  const lastAdminOf = organizations.filter(({ without_admin }) => without_admin)
  const withoutAdmin = new Set([
    ...lastAdminOf.map(({ organization_id }) => organization_id),
    ...unadministered,
  ])
  const deactivated = organization === null && stored.active
  const taken = {
    ...ended,
    demoted: organization === null && leaves && stored.workspace_admin,
    left: leaves ? organizations : [],
    deactivatedIn: deactivated ? organizations : null,
  }
  const personal = toPersonalValues(stored)
  const subject = { person, organization: organization ?? getSoleOrganization(change.scope), personal }
  const payload = {
    person_id: person,
    organization_id: organization,
    sessions: access.sessions.length,
    keys: access.keys.length,
    seats: access.seats,
    without_admin: withoutAdmin.size,
  }
  const event = { type: 'person.deprovisioned', payload } as const
  const audit = await recordTakenAccess(change, subject, [taken], { more, event })
  // Organizations that have no active admin now; of a workspace admin also those that the person is no member of.
  return { ...taken, repositories, deactivated, withoutAdmin: [...withoutAdmin], audit }
}

/**
 * Ends what signs a person in: sessions, passkeys and unused links. Keys stay. The caller holds the lock of the person. It must
 * be last in the transaction, because it writes audit rows.
 */
export async function endSignIns(
  change: ChangeContext,
  person: { readonly id: PersonId; readonly name: string; readonly email: string | null },
  more: readonly ChangeEntry[],
): Promise<void> {
  const { scope, tx, at } = change
  const { id } = person
  const [sessions, passkeys] = await Promise.all([
    endAllSessions(scope, tx, id, at),
    removePasskeysAndLinks(scope, tx, id),
  ])
  const organization = getSoleOrganization(scope)
  const subject = { person: id, organization, personal: toPersonalValues(person) }
  await recordTakenAccess(change, subject, [{ sessions, passkeys }], { more })
}

/** The person whom rows are about. `organization` is set if the caller's log is that of one organization. */
interface Subject {
  readonly person: PersonId
  readonly organization: OrganizationId | null
  /** Erasable values of the rows, such as the name. */
  readonly personal: Readonly<Record<string, string>>
}

/** What was taken from a person. */
export interface TakenAccess {
  readonly sessions?: readonly EndedSession[]
  /** Ids of the removed passkeys. */
  readonly passkeys?: readonly string[]
  readonly keys?: readonly RevokedKey[]
  readonly seats?: number
  /** Whether the seat was freed by something else than a request about the person's access. */
  readonly automatic?: boolean
  /** Declined requests for a seat. */
  readonly requests?: number
  /** Whether the person was a workspace admin, and is none now. */
  readonly demoted?: boolean
  readonly left?: readonly LeftOrganization[]
  /** The organizations of a person who was deactivated. */
  readonly deactivatedIn?: readonly LeftOrganization[] | null
}

/**
 * Writes the audit rows and events of what was taken, in the order of `parts`. Must run last in the transaction. `more` are rows
 * after those of the access; `event` is published after the others if there is a row of the access.
 */
export async function recordTakenAccess(
  change: ChangeContext,
  subject: Subject,
  parts: readonly TakenAccess[],
  { more = [], event }: { readonly more?: readonly ChangeEntry[]; readonly event?: OutboxEvent } = {},
): Promise<WrittenEntry[]> {
  const { person, organization, personal } = subject
  const entries: ChangeEntry[] = []
  const events: OutboxEvent[] = []
  const record: AccessRecord = {
    subject,
    time: change.at.toISOString(),
    add: (action, resourceId, fields) =>
      entries.push({ action, resourceId, organization, person, personal, ...fields }),
    emit: (taken) => events.push(taken),
  }
  for (const part of parts) {
    recordCredentials(record, part)
    recordSeatAndRoles(record, part)
  }
  if (event !== undefined && entries.length > 0) events.push(event)
  const [, written] = await Promise.all([
    emitAll(change.tx, change.scope, events),
    auditChanges(change, [...entries, ...more]),
  ])
  return written
}

interface AccessRecord {
  readonly subject: Subject
  readonly time: string
  /** Adds an audit row about the subject. */
  readonly add: (
    action: Action,
    resourceId: string,
    fields: Pick<ChangeEntry, 'metadata'> & Partial<ChangeEntry>,
  ) => void
  readonly emit: (event: OutboxEvent) => void
}

function recordCredentials(
  { subject: { person, personal }, time, add, emit }: AccessRecord,
  { sessions = [], passkeys = [], keys = [] }: TakenAccess,
): void {
  for (const { id, method } of sessions) {
    const metadata = { method, person_id: person }
    add('session_ended', id, { metadata, before: { ended_at: null }, after: { ended_at: time } })
  }
  for (const id of passkeys) add('person_passkey_removed', person, { metadata: { passkey_id: id } })
  for (const { id, kind, name, organization_id } of keys) {
    const revoked = { revoked_at: time }
    add('api_key_revoked', id, {
      organization: organization_id,
      metadata: { kind, owner_id: person, ...revoked },
      before: { revoked_at: null },
      after: revoked,
      // The name of the key.
      personal: 'name' in personal ? { name } : {},
    })
    emit({ type: 'key.revoked', payload: { key_id: id, kind, organization_id, ...revoked } })
  }
}

function recordSeatAndRoles(
  { subject: { person, organization }, add, emit }: AccessRecord,
  { seats = 0, automatic = false, requests = 0, demoted, left = [], deactivatedIn }: TakenAccess,
): void {
  const payload = { person_id: person, organization_id: organization }
  if (seats > 0) {
    const changed = { before: { seat_assigned: true }, after: { seat_assigned: false } }
    add('seat_unassigned', person, { metadata: { automatic }, ...changed })
    emit({ type: 'seat.unassigned', payload })
  }
  if (requests > 0) {
    const changed = { before: { seat_requested: true }, after: { seat_requested: false } }
    add('seat_declined', person, { metadata: { automatic: false }, ...changed })
    emit({ type: 'seat.declined', payload })
  }
  if (demoted) {
    const after = { workspace_admin: false }
    add('person_demoted', person, {
      organization: null,
      metadata: after,
      before: { workspace_admin: true },
      after,
    })
  }
  for (const { organization_id, role, without_admin } of left) {
    const metadata = { role, ...(role === 'cr_admin' && { without_admin }) }
    add('person_left', person, { organization: organization_id, metadata, before: { role } })
  }
  // In the log of each organization of the person, because its admins read that one.
  const own = { organization_id: organization, without_admin: false }
  const logs = deactivatedIn?.length === 0 ? [own] : (deactivatedIn ?? [])
  for (const { organization_id, without_admin } of logs)
    add('person_deactivated', person, {
      organization: organization_id,
      metadata: { active: false, ...(without_admin && { without_admin }) },
      before: { active: true },
      after: { active: false },
    })
}
