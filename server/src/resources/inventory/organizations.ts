import type { RootKind } from '../../access/root.ts'
import { type InstanceId, newId, type OrganizationId } from '../../ids.ts'
import {
  type InventoryFacts,
  isNewer,
  type OrganizationFact,
  type ProviderRef,
  toProviderRefKey,
} from './facts.ts'
import { type ChangeRecord, recordOrganizationChange, type SkipReason } from './record-change.ts'
import type { RootInstance, StoredOrganization } from './sql.ts'
import type { InventoryWrites, OrganizationRow } from './write-sql.ts'

/** The root of an event, and what the credential may change there. */
export interface TargetRoot {
  readonly kind: RootKind
  readonly instances: readonly RootInstance[]
  /** The organizations the credential is limited to; null allows all, including new ones. */
  readonly allowedOrganizations: readonly OrganizationId[] | null
}

export interface ResolvedOrganization {
  readonly id: OrganizationId
  readonly provider: string
  readonly host: string
  /** Role of new members; null means cr_member. */
  readonly defaultRole: string | null
}

/** Resolves an organization. Returns null and records the skip reason if it must not be changed. */
export type FindOrganization = (target: ProviderRef) => ResolvedOrganization | null

interface OrganizationDecision {
  readonly find: FindOrganization
  readonly writes: Pick<InventoryWrites, 'rootName' | 'newOrganizations' | 'organizations'>
}

export function decideOrganizations(
  { at, organizations }: InventoryFacts,
  targetRoot: TargetRoot,
  stored: readonly StoredOrganization[],
  record: ChangeRecord,
): OrganizationDecision {
  const found = new Map<string, ResolvedOrganization | SkipReason>()
  const before = new Map(stored.map((row) => [toStoredKey(row), row]))
  for (const [key, row] of before)
    found.set(key, mayChange(targetRoot, row.id) ? toResolvedOrganization(row) : 'credential')
  const added: OrganizationRow[] = []
  const changed: StoredOrganization[] = []
  let rootName: string | null = null
  for (const fact of organizations) {
    const key = toProviderRefKey(fact)
    const row = before.get(key)
    if (row === undefined) found.set(key, addOrganization(fact, targetRoot, added, record))
    else if (!mayChange(targetRoot, row.id)) record.skipReasons.add('credential')
    else if (isNewer(at, row.event_at, row.active && !fact.active)) {
      changed.push(changeOrganization(fact, row, record))
      // A root that is a single organization has that organization's name.
      if (targetRoot.kind === 'organization' && fact.name !== row.name) rootName = fact.name
    }
  }
  return {
    find: (target) => {
      const organization = found.get(toProviderRefKey(target)) ?? 'organization'
      if (typeof organization !== 'string') return organization
      record.skipReasons.add(organization)
      return null
    },
    writes: { rootName, newOrganizations: added, organizations: changed },
  }
}

function addOrganization(
  fact: OrganizationFact,
  targetRoot: TargetRoot,
  added: OrganizationRow[],
  record: ChangeRecord,
): ResolvedOrganization | SkipReason {
  const target = findTargetInstance(fact, targetRoot)
  if (typeof target === 'string') {
    record.skipReasons.add(target)
    return target
  }
  const { provider, host, id: provider_organization_id, name, active } = fact
  const id = newId<OrganizationId>()
  const { instance_id } = target
  added.push({ id, instance_id, provider, host, provider_organization_id, name, active })
  record.events.push({ type: 'organization.created', payload: { organization_id: id, instance_id, active } })
  const metadata = { provider, provider_organization_id, instance_id, own_root: false, active }
  recordOrganizationChange(record, id, 'organization_created', metadata, { personal: { name } })
  return { id, provider, host, defaultRole: null }
}

function findTargetInstance(
  fact: OrganizationFact,
  targetRoot: TargetRoot,
): { instance_id: InstanceId | null } | SkipReason {
  if (targetRoot.allowedOrganizations !== null) return 'credential'
  const instance = targetRoot.instances.find(
    ({ provider, host }) => provider === fact.provider && host === fact.host,
  )
  switch (targetRoot.kind) {
    case 'organization':
      return 'alone'
    case 'instance':
      return instance === undefined ? 'instance' : { instance_id: instance.id }
    case 'workspace':
      return { instance_id: instance?.id ?? null }
  }
}

function changeOrganization(
  { name, active }: OrganizationFact,
  row: StoredOrganization,
  record: ChangeRecord,
): StoredOrganization {
  const { id } = row
  if (name !== row.name) {
    const personal = { name, 'before.name': row.name, 'after.name': name }
    recordOrganizationChange(record, id, 'organization_renamed', { active }, { personal })
  }
  if (active !== row.active) {
    const action = active ? 'organization_activated' : 'organization_deactivated'
    const changed = { before: { active: row.active }, after: { active } }
    recordOrganizationChange(record, id, action, { active }, changed)
  }
  if (name !== row.name || active !== row.active) {
    record.events.push({ type: 'organization.changed', payload: { organization_id: id, active } })
  }
  return { ...row, name, active }
}

function mayChange({ allowedOrganizations }: TargetRoot, organization: OrganizationId): boolean {
  return allowedOrganizations === null || allowedOrganizations.includes(organization)
}

function toResolvedOrganization({
  id,
  provider,
  host,
  default_role: defaultRole,
}: StoredOrganization): ResolvedOrganization {
  return { id, provider, host, defaultRole }
}

function toStoredKey({ provider, host, provider_organization_id: id }: StoredOrganization): string {
  return toProviderRefKey({ provider, host, id })
}
