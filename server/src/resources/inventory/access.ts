import { toPersonEntry } from '../../access/change-context.ts'
import type { OrganizationId } from '../../ids.ts'
import type { InventoryPerson } from './accounts.ts'
import { type AccessFact, type InventoryFacts, isNewer, toMapKey, toProviderRefKey } from './facts.ts'
import { type MembershipIndex, recordRemoval, WHOLE_MEMBERSHIP } from './memberships.ts'
import type { FindOrganization, ResolvedOrganization } from './organizations.ts'
import type { ChangeRecord, SkipReason } from './record-change.ts'
import type { StoredAccess } from './sql.ts'
import type { AccessRow, InventoryWrites, RemovalRow } from './write-sql.ts'

/** Results of the other parts of the event. */
export interface AccessContext {
  readonly find: FindOrganization
  readonly owners: ReadonlyMap<string, InventoryPerson>
  readonly repositories: ReadonlyMap<string, string>
  readonly members: MembershipIndex
}

interface AccessDecisionState extends AccessContext {
  readonly at: number
  /** When access was verified, by organization, repository and person. */
  readonly verified: ReadonlyMap<string, number>
  readonly granted: AccessRow[]
  readonly revoked: AccessRow[]
  readonly removals: RemovalRow[]
  /** Changes to record, by organization, person and whether access was granted. */
  readonly changes: Map<string, AccessChange>
  readonly record: ChangeRecord
}

interface AccessChange {
  readonly organization: OrganizationId
  readonly person: InventoryPerson
  readonly granted: boolean
  readonly repositories: string[]
}

export function decideAccess(
  { at, access }: InventoryFacts,
  context: AccessContext,
  stored: readonly StoredAccess[],
  record: ChangeRecord,
): Pick<InventoryWrites, 'granted' | 'revoked' | 'removals'> {
  const verified = new Map(
    stored.map((row) => [toMapKey(row.organization_id, row.repository_id, row.person_id), row.event_at]),
  )
  const changes = new Map<string, AccessChange>()
  const state: AccessDecisionState = {
    ...context,
    at,
    verified,
    granted: [],
    revoked: [],
    removals: [],
    changes,
    record,
  }
  for (const fact of access) {
    const organization = context.find(fact.organization)
    if (organization === null) continue
    if (fact.granted) grant(state, organization, fact)
    else revoke(state, organization, fact)
  }
  for (const { organization, person, granted, repositories } of changes.values()) {
    const action = granted ? 'person_repository_access_granted' : 'person_repository_access_revoked'
    const metadata = { repository_ids: repositories }
    record.entries.push(toPersonEntry(action, person, metadata, { organization }))
  }
  const { granted, revoked, removals } = state
  return { granted, revoked, removals }
}

function grant(state: AccessDecisionState, organization: ResolvedOrganization, fact: AccessFact): void {
  const { at, members, verified, record } = state
  const { id } = organization
  const removedAt = (what: string) => members.removals.get(toMapKey(id, fact.accountId, what))
  if (!isNewer(at, removedAt(WHOLE_MEMBERSHIP)) || !isNewer(at, removedAt(fact.repositoryId))) return
  const reader = findReader(state, organization, fact)
  if (typeof reader === 'string') {
    record.skipReasons.add(reader)
    return
  }
  if (reader.person.erased) return
  if (!members.memberships.has(toMapKey(id, reader.person.id))) {
    record.skipReasons.add('member')
    return
  }
  const verifiedAt = verified.get(toMapKey(id, reader.row.repository_id, reader.person.id))
  if (!isNewer(at, verifiedAt)) return
  state.granted.push(reader.row)
  if (verifiedAt === undefined) noteAccessChange(state, reader, true)
}

function revoke(state: AccessDecisionState, organization: ResolvedOrganization, fact: AccessFact): void {
  const { at, verified } = state
  const { id: organization_id } = organization
  const removal = { organization_id, account_id: fact.accountId, repository_id: fact.repositoryId }
  if (!recordRemoval(state, at, removal)) return
  const reader = findReader(state, organization, fact)
  if (typeof reader === 'string') return
  const verifiedAt = verified.get(toMapKey(organization_id, reader.row.repository_id, reader.person.id))
  if (verifiedAt === undefined || !isNewer(at, verifiedAt, true)) return
  state.revoked.push(reader.row)
  noteAccessChange(state, reader, false)
}

interface Reader {
  readonly person: InventoryPerson
  readonly row: AccessRow
}

function findReader(
  state: AccessDecisionState,
  { id, provider, host }: ResolvedOrganization,
  fact: AccessFact,
): Reader | SkipReason {
  const repository_id = state.repositories.get(toMapKey(id, fact.repositoryId))
  if (repository_id === undefined) return 'repository'
  const person = state.owners.get(toProviderRefKey({ provider, host, id: fact.accountId }))
  if (person === undefined) return 'account'
  return { person, row: { organization_id: id, person_id: person.id, repository_id } }
}

function noteAccessChange({ changes }: AccessDecisionState, { person, row }: Reader, granted: boolean): void {
  const key = toMapKey(row.organization_id, person.id, String(granted))
  const existing = changes.get(key)
  if (existing === undefined) {
    changes.set(key, {
      organization: row.organization_id,
      person,
      granted,
      repositories: [row.repository_id],
    })
  } else existing.repositories.push(row.repository_id)
}
