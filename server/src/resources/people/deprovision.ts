import { type AuditEntry, type WrittenEntry, writeAuditEntries } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { getSoleOrganization } from '../../access/scope.ts'
import { emitAll, type OutboxEvent } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import {
  type DeprovisionedPerson,
  declinePendingSeat,
  type EndedSession,
  endAllSessions,
  freeSeat,
  type LeftOrganization,
  listMemberships,
  listOrganizationsWithoutAdmin,
  lockKeysAndPerson,
  lockMemberships,
  markInactive,
  type RevokedKey,
  removeMemberships,
  removePasskeysAndLinks,
  removeRepositoryAccess,
  revokeOwnedKeys,
} from './deprovision-sql.ts'

export interface DeprovisionOptions {
  /** Takes only the membership of this organization and the keys bound to it. Null = everything in the root. */
  readonly organization: OrganizationId | null
  /** `keep`: a person who is reactivated has the same roles again. With an organization, the membership always ends. */
  readonly roles: 'keep' | 'remove'
}

export interface Deprovisioned {
  readonly person: DeprovisionedPerson
  readonly sessions: readonly EndedSession[]
  /** Ids of the removed passkeys. */
  readonly passkeys: readonly string[]
  readonly keys: readonly RevokedKey[]
  readonly seats: number
  /** Declined requests for a seat. */
  readonly requests: number
  /** The organizations of the person, left or not. */
  readonly organizations: readonly LeftOrganization[]
  /** Organizations that have no active admin now; of a workspace admin also those that the person is no member of. */
  readonly withoutAdmin: readonly OrganizationId[]
  /** Repositories whose verified access ended. */
  readonly repositories: number
  readonly deactivated: boolean
  readonly demoted: boolean
  /** The rows of the audit log, in the order of the chain. */
  readonly audit: readonly WrittenEntry[]
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
 * event and the audit row of the organization say that none is left.
 */
export async function deprovisionPerson(
  change: ChangeContext,
  person: PersonId,
  { organization, roles }: DeprovisionOptions,
  /** Rows that follow those of the access. */
  more: readonly AuditEntry[] = [],
): Promise<Deprovisioned> {
  const { scope, tx, at } = change
  const stored =
    (await lockForDeprovisioning(change, person, organization)) ??
    refuse('NOT_FOUND', `The tenant root has no person with the id ${person}, or the person is erased.`)
  const rootWide = organization === null
  const leaves = !rootWide || roles === 'remove'
  const takeMemberships = leaves ? removeMemberships : listMemberships
  const unadministered = rootWide ? await findUnadministered(change, person, stored) : []
  const [organizations, repositories, keys, seats, requests, sessions, passkeys] = await Promise.all([
    takeMemberships(scope, tx, person, organization),
    leaves ? removeRepositoryAccess(scope, tx, person, organization) : 0,
    revokeOwnedKeys(scope, tx, person, organization, at),
    rootWide ? freeSeat(scope, tx, person) : 0,
    rootWide ? declinePendingSeat(scope, tx, person, at) : 0,
    rootWide ? endAllSessions(scope, tx, person, at) : [],
    rootWide ? removePasskeysAndLinks(scope, tx, person) : [],
    rootWide ? markInactive(scope, tx, person, { keepWorkspaceAdmin: roles === 'keep' }) : null,
  ])
  const left = organizations.filter(({ without_admin }) => without_admin)
  const taken = {
    person: stored,
    withoutAdmin: [...new Set([...left.map(({ organization_id }) => organization_id), ...unadministered])],
    sessions,
    passkeys,
    keys,
    seats,
    requests,
    organizations,
    repositories,
    deactivated: rootWide && stored.active,
    demoted: rootWide && leaves && stored.workspace_admin,
  }
  return {
    ...taken,
    audit: await recordDeprovisioning(change, person, taken, { leaves, organization, more }),
  }
}

/**
 * Ends what signs a person in: sessions, passkeys and unused links. Keys stay. The caller holds the lock of the person. It must
 * be last in the transaction, because it writes audit rows.
 */
export async function endSignIns(
  change: ChangeContext,
  { id, name, email }: { readonly id: PersonId; readonly name: string; readonly email: string | null },
  more: readonly AuditEntry[],
): Promise<void> {
  const { scope, tx, at } = change
  const [sessions, passkeys] = await Promise.all([
    endAllSessions(scope, tx, id, at),
    removePasskeysAndLinks(scope, tx, id),
  ])
  const personal = { name, ...(email !== null && { email }) }
  const subject: Subject = { person: id, organization: getSoleOrganization(scope), personal }
  const taken = [
    describeEndedSessions(change, subject, sessions),
    describeRemovedPasskeys(change, subject, passkeys),
  ]
  await recordTakenAccess(change, taken, more)
}

/** Organizations that nobody administers without the person, if the person is a workspace admin. */
async function findUnadministered(
  { scope, tx }: ChangeContext,
  person: PersonId,
  { active, workspace_admin }: DeprovisionedPerson,
): Promise<readonly OrganizationId[]> {
  return active && workspace_admin ? listOrganizationsWithoutAdmin(scope, tx, person) : []
}

/** The person whom rows are about. `organization` is set if the caller's log is that of one organization. */
interface Subject {
  readonly person: PersonId
  readonly organization: OrganizationId | null
  /** Erasable values of the rows, such as the name. */
  readonly personal: Readonly<Record<string, string>>
}

/** Audit rows and events of one thing that was taken away. */
interface TakenAccess {
  readonly entries: readonly AuditEntry[]
  readonly events: readonly OutboxEvent[]
}

function recordDeprovisioning(
  change: ChangeContext,
  person: PersonId,
  taken: Omit<Deprovisioned, 'audit'>,
  {
    leaves,
    organization,
    more,
  }: {
    readonly leaves: boolean
    readonly organization: OrganizationId | null
    readonly more: readonly AuditEntry[]
  },
): Promise<WrittenEntry[]> {
  const { name, email } = taken.person
  const subject: Subject = {
    person,
    organization: organization ?? getSoleOrganization(change.scope),
    personal: { name, ...(email !== null && { email }) },
  }
  const { sessions, keys, seats, requests, organizations } = taken
  const nothing = { entries: [], events: [] }
  const parts = [
    describeEndedSessions(change, subject, sessions),
    describeRemovedPasskeys(change, subject, taken.passkeys),
    describeRevokedKeys(change, subject, keys),
    seats > 0 ? describeFreedSeat(change, subject, false) : nothing,
    requests > 0 ? describeDeclinedSeat(change, subject) : nothing,
    taken.demoted ? describeDemotion(change, subject) : nothing,
    leaves ? describeLeftOrganizations(change, subject, organizations) : nothing,
    taken.deactivated ? describeDeactivation(change, subject, organizations) : nothing,
  ]
  if (parts.every(({ entries }) => entries.length === 0)) return recordTakenAccess(change, [], more)
  const payload = {
    person_id: person,
    organization_id: organization,
    sessions: sessions.length,
    keys: keys.length,
    seats,
    without_admin: taken.withoutAdmin.length,
  }
  return recordTakenAccess(
    change,
    [...parts, { entries: [], events: [{ type: 'person.deprovisioned', payload }] }],
    more,
  )
}

function toCommonFields({ actor }: ChangeContext, { person, personal }: Subject) {
  return { actor, person, personal }
}

export function describeLeftOrganizations(
  change: ChangeContext,
  subject: Subject,
  organizations: readonly LeftOrganization[],
): TakenAccess {
  const entries = organizations.map(
    ({ organization_id, role, without_admin }): AuditEntry => ({
      action: 'person_left',
      resourceType: 'person',
      resourceId: subject.person,
      organization: organization_id,
      ...toCommonFields(change, subject),
      metadata: { role, ...(role === 'cr_admin' ? { without_admin } : {}) },
      before: { role },
    }),
  )
  return { entries, events: [] }
}

export function describeFreedSeat(
  change: ChangeContext,
  subject: Subject,
  /** Whether it follows from something else than a request about the person's access. */
  automatic: boolean,
): TakenAccess {
  const { person, organization } = subject
  const entry: AuditEntry = {
    action: 'seat_unassigned',
    resourceType: 'seat',
    resourceId: person,
    organization,
    ...toCommonFields(change, subject),
    metadata: { automatic },
    before: { seat_assigned: true },
    after: { seat_assigned: false },
  }
  const payload = { person_id: person, organization_id: organization }
  return { entries: [entry], events: [{ type: 'seat.unassigned', payload }] }
}

function describeDeclinedSeat(change: ChangeContext, subject: Subject): TakenAccess {
  const { person, organization } = subject
  const entry: AuditEntry = {
    action: 'seat_declined',
    resourceType: 'seat',
    resourceId: person,
    organization,
    ...toCommonFields(change, subject),
    metadata: { automatic: false },
    before: { seat_requested: true },
    after: { seat_requested: false },
  }
  const payload = { person_id: person, organization_id: organization }
  return { entries: [entry], events: [{ type: 'seat.declined', payload }] }
}

/** `name` is the name of the key in these rows. */
export function describeRevokedKeys(
  change: ChangeContext,
  { person, personal }: Subject,
  keys: readonly RevokedKey[],
): TakenAccess {
  const revoked_at = change.at.toISOString()
  const entries = keys.map(
    ({ id, kind, name, organization_id }): AuditEntry => ({
      action: 'api_key_revoked',
      resourceType: 'api_key',
      resourceId: id,
      organization: organization_id,
      actor: change.actor,
      person,
      personal: 'name' in personal ? { name } : {},
      metadata: { kind, owner_id: person, revoked_at },
      before: { revoked_at: null },
      after: { revoked_at },
    }),
  )
  const events = keys.map(({ id, kind, organization_id }) => {
    return { type: 'key.revoked', payload: { key_id: id, kind, organization_id, revoked_at } } as const
  })
  return { entries, events }
}

export function describeEndedSessions(
  change: ChangeContext,
  subject: Subject,
  sessions: readonly EndedSession[],
): TakenAccess {
  const entries = sessions.map(
    ({ id, method }): AuditEntry => ({
      action: 'session_ended',
      resourceType: 'session',
      resourceId: id,
      organization: subject.organization,
      ...toCommonFields(change, subject),
      metadata: { method, person_id: subject.person },
      before: { ended_at: null },
      after: { ended_at: change.at.toISOString() },
    }),
  )
  return { entries, events: [] }
}

function describeRemovedPasskeys(
  change: ChangeContext,
  subject: Subject,
  passkeys: readonly string[],
): TakenAccess {
  const entries = passkeys.map(
    (id): AuditEntry => ({
      action: 'person_passkey_removed',
      resourceType: 'person',
      resourceId: subject.person,
      organization: subject.organization,
      ...toCommonFields(change, subject),
      metadata: { passkey_id: id },
    }),
  )
  return { entries, events: [] }
}

function describeDemotion(change: ChangeContext, subject: Subject): TakenAccess {
  const entry: AuditEntry = {
    action: 'person_demoted',
    resourceType: 'person',
    resourceId: subject.person,
    organization: null,
    ...toCommonFields(change, subject),
    metadata: { workspace_admin: false },
    before: { workspace_admin: true },
    after: { workspace_admin: false },
  }
  return { entries: [entry], events: [] }
}

/** In the log of each organization of the person, because its admins read that one. */
function describeDeactivation(
  change: ChangeContext,
  subject: Subject,
  organizations: readonly LeftOrganization[],
): TakenAccess {
  const logs =
    organizations.length > 0
      ? organizations
      : [{ organization_id: subject.organization, without_admin: false }]
  const entries = logs.map(
    ({ organization_id, without_admin }): AuditEntry => ({
      action: 'person_deactivated',
      resourceType: 'person',
      resourceId: subject.person,
      organization: organization_id,
      ...toCommonFields(change, subject),
      metadata: { active: false, ...(without_admin && { without_admin }) },
      before: { active: true },
      after: { active: false },
    }),
  )
  return { entries, events: [] }
}

/** Must run last in the transaction. `more` are rows after those of the access. */
export async function recordTakenAccess(
  { tx, scope, at }: ChangeContext,
  taken: readonly TakenAccess[],
  more: readonly AuditEntry[] = [],
): Promise<WrittenEntry[]> {
  const [, written] = await Promise.all([
    emitAll(
      tx,
      scope,
      taken.flatMap(({ events }) => events),
    ),
    writeAuditEntries(tx, scope, [...taken.flatMap(({ entries }) => entries), ...more], at),
  ])
  return written
}
