import { toPersonalValues } from '../../access/audit.ts'
import { toPersonEntry } from '../../access/change-context.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import type { InventoryPerson } from './accounts.ts'
import { type InventoryFacts, isNewer, type MembershipFact, toMapKey, toProviderRefKey } from './facts.ts'
import type { FindOrganization, ResolvedOrganization } from './organizations.ts'
import type { ChangeRecord } from './record-change.ts'
import type { StoredMembership, StoredRemoval } from './sql.ts'
import type {
  AccessRow,
  InventoryWrites,
  MembershipRow,
  NewMembership,
  RemovalRow,
  RemovedMemberRow,
} from './write-sql.ts'

/** The repository_id of a removal that concerns the membership, not access to one repository. */
export const WHOLE_MEMBERSHIP = ''

interface Membership extends MembershipRow {
  readonly role: string
  readonly inventoryAt: number | null
}

/** Memberships as of the event. */
export interface MembershipIndex {
  /** By organization and person. */
  readonly memberships: Map<string, Membership>
  /** Time of the last removal, by organization, account and repository or WHOLE_MEMBERSHIP. */
  readonly removals: Map<string, number>
}

/** A person who left an organization. */
export interface RemovedMember extends RemovedMemberRow {
  readonly person: InventoryPerson
  readonly role: string | null
}

interface MembershipDecision {
  readonly members: MembershipIndex
  readonly removedMembers: readonly RemovedMember[]
  readonly writes: Pick<InventoryWrites, 'newMemberships' | 'memberships' | 'removals'>
}

interface MembershipDecisionState {
  readonly at: number
  readonly owners: ReadonlyMap<string, InventoryPerson>
  readonly members: MembershipIndex
  readonly record: ChangeRecord
  readonly added: NewMembership[]
  readonly changed: MembershipRow[]
  readonly removals: RemovalRow[]
  readonly removedMembers: RemovedMember[]
}

export function decideMemberships(
  { at, memberships }: InventoryFacts,
  find: FindOrganization,
  owners: ReadonlyMap<string, InventoryPerson>,
  stored: { readonly memberships: readonly StoredMembership[]; readonly removals: readonly StoredRemoval[] },
  record: ChangeRecord,
): MembershipDecision {
  const members = indexMemberships(stored)
  const state: MembershipDecisionState = {
    at,
    owners,
    members,
    record,
    added: [],
    changed: [],
    removals: [],
    removedMembers: [],
  }
  // Additions first: a person who joins with a new account and leaves with the old one keeps membership and role.
  for (const joins of [true, false]) {
    for (const fact of memberships) {
      const organization = fact.active === joins ? find(fact.organization) : null
      if (organization === null) continue
      if (joins) addMember(state, organization, fact)
      else removeMember(state, organization, fact)
    }
  }
  const { added, changed, removals, removedMembers } = state
  return { members, removedMembers, writes: { newMemberships: added, memberships: changed, removals } }
}

function indexMemberships(stored: {
  readonly memberships: readonly StoredMembership[]
  readonly removals: readonly StoredRemoval[]
}): MembershipIndex {
  const memberships = stored.memberships.map((row): [string, Membership] => {
    return [toMapKey(row.organization_id, row.person_id), { ...row, inventoryAt: row.event_at }]
  })
  const removals = stored.removals.map((row): [string, number] => {
    return [toMapKey(row.organization_id, row.account_id, row.repository_id), row.event_at]
  })
  return { memberships: new Map(memberships), removals: new Map(removals) }
}

function addMember(
  state: MembershipDecisionState,
  organization: ResolvedOrganization,
  { accountId }: MembershipFact,
): void {
  const { at, members, record } = state
  const { id: organization_id, defaultRole } = organization
  if (!isNewer(at, members.removals.get(toMapKey(organization_id, accountId, WHOLE_MEMBERSHIP)))) return
  const person = findAccountOwner(state, organization, accountId)
  if (person === undefined) {
    record.skipReasons.add('account')
    return
  }
  if (person.erased) return
  const key = toMapKey(organization_id, person.id)
  const existing = members.memberships.get(key)
  if (existing !== undefined && !isNewer(at, existing.inventoryAt)) return
  const row = { organization_id, person_id: person.id, account_id: accountId }
  const role = existing?.role ?? defaultRole ?? 'cr_member'
  members.memberships.set(key, { ...row, role, inventoryAt: at })
  if (existing === undefined) {
    state.added.push({ ...row, custom_role_id: defaultRole })
    const added = { organization: organization_id, after: { role } }
    record.entries.push(toPersonEntry('person_joined', person, { role }, added))
    return
  }
  state.changed.push(row)
  if (existing.account_id === accountId) return
  const moved = {
    organization: organization_id,
    before: { account_id: existing.account_id },
    after: { account_id: accountId },
  }
  record.entries.push(toPersonEntry('person_member_account_changed', person, moved.after, moved))
}

/** Removes even the last admin. A person who is a member with another account has not left. */
function removeMember(
  state: MembershipDecisionState,
  organization: ResolvedOrganization,
  { accountId }: MembershipFact,
): void {
  const { at, members, removedMembers } = state
  const { id: organization_id } = organization
  if (!recordRemoval(state, at, { organization_id, account_id: accountId, repository_id: WHOLE_MEMBERSHIP }))
    return
  const person = findAccountOwner(state, organization, accountId)
  if (person === undefined) return
  const key = toMapKey(organization_id, person.id)
  const existing = members.memberships.get(key)
  if (existing !== undefined && existing.account_id !== accountId) return
  const removed = existing !== undefined && isNewer(at, existing.inventoryAt, true)
  if (removed) members.memberships.delete(key)
  removedMembers.push({
    organization_id,
    person_id: person.id,
    removed,
    person,
    role: existing?.role ?? null,
  })
}

/** False if a removal at the same time or later is stored already. */
export function recordRemoval(
  { members, removals }: { readonly members: MembershipIndex; readonly removals: RemovalRow[] },
  at: number,
  row: RemovalRow,
): boolean {
  const key = toMapKey(row.organization_id, row.account_id, row.repository_id)
  if (!isNewer(at, members.removals.get(key))) return false
  members.removals.set(key, at)
  removals.push(row)
  return true
}

function findAccountOwner(
  { owners }: MembershipDecisionState,
  { provider, host }: ResolvedOrganization,
  id: string,
): InventoryPerson | undefined {
  return owners.get(toProviderRefKey({ provider, host, id }))
}

export function recordRemovedMembers(
  record: ChangeRecord,
  removedMembers: readonly RemovedMember[],
  deletedAccess: readonly AccessRow[],
  withoutAdmin: ReadonlySet<OrganizationId>,
): void {
  const deletedAccessByMember = Map.groupBy(deletedAccess, (row) =>
    toMapKey(row.organization_id, row.person_id),
  )
  for (const { organization_id: organization, person, role, removed } of removedMembers) {
    const repository_ids = (deletedAccessByMember.get(toMapKey(organization, person.id)) ?? []).map(
      (row) => row.repository_id,
    )
    if (removed) {
      const admin = role === 'cr_admin' ? { without_admin: withoutAdmin.has(organization) } : {}
      const metadata = { role, repositories: repository_ids.length, ...admin }
      record.entries.push(toPersonEntry('person_left', person, metadata, { organization, before: { role } }))
    } else if (repository_ids.length > 0) {
      const metadata = { repository_ids }
      record.entries.push(
        toPersonEntry('person_repository_access_revoked', person, metadata, { organization }),
      )
    }
  }
}

/** The seat of a person without memberships is released: no admin could see or unassign it. */
export function recordReleasedSeats(
  record: ChangeRecord,
  removedMembers: readonly RemovedMember[],
  released: ReadonlySet<PersonId>,
): void {
  for (const id of released) {
    const left = removedMembers.find(({ person_id }) => person_id === id)
    if (left === undefined) continue
    const { organization_id: organization, person } = left
    const payload = { person_id: id, organization_id: organization }
    record.events.push({ type: 'seat.unassigned', payload })
    record.entries.push({
      action: 'seat_unassigned',
      resourceId: id,
      organization,
      metadata: { automatic: true },
      before: { seat_assigned: true },
      after: { seat_assigned: false },
      personal: toPersonalValues(person),
      person: id,
    })
  }
}
