import type { RootKind } from '../../access/root.ts'
import { type InstanceId, newId, type OrganizationId } from '../../ids.ts'
import { type Facts, isNewer, type OrganizationFact, type ProviderRef, toProviderRefKey } from './facts.ts'
import { type ChangeRecord, type Obstacle, recordOrganizationChange } from './record-change.ts'
import type { HomeInstance, StoredOrganization } from './sql.ts'
import type { NewOrganization, Writes } from './write-sql.ts'

/** Where an event arrives: its root, and what the credential may change there. */
export interface Home {
  readonly kind: RootKind
  readonly instances: readonly HomeInstance[]
  /** The organizations the credential is limited to; null = every one, and new ones. */
  readonly allowedOrganizations: readonly OrganizationId[] | null
}

export interface ResolvedOrganization {
  readonly id: OrganizationId
  readonly provider: string
  readonly host: string
  /** Of new members; null = cr_member. */
  readonly defaultRole: string | null
}

/** Finds the organization that is meant; null, and the obstacle noted, when nothing of it may be changed. */
export type FindOrganization = (target: ProviderRef) => ResolvedOrganization | null

interface OrganizationDecision {
  readonly find: FindOrganization
  readonly writes: Pick<Writes, 'rootName' | 'newOrganizations' | 'organizations'>
}

export function decideOrganizations(
  { at, organizations }: Facts,
  home: Home,
  stored: readonly StoredOrganization[],
  record: ChangeRecord,
): OrganizationDecision {
  const found = new Map<string, ResolvedOrganization | Obstacle>()
  const before = new Map(stored.map((row) => [toStoredKey(row), row]))
  for (const [key, row] of before)
    found.set(key, mayChange(home, row.id) ? toResolvedOrganization(row) : 'credential')
  const added: NewOrganization[] = []
  const changed: StoredOrganization[] = []
  let rootName: string | null = null
  for (const fact of organizations) {
    const key = toProviderRefKey(fact)
    const row = before.get(key)
    if (row === undefined) found.set(key, addOrganization(fact, home, added, record))
    else if (!mayChange(home, row.id)) record.obstacles.add('credential')
    else if (isNewer(at, row.told_at, row.active && !fact.active)) {
      changed.push(changeOrganization(fact, row, record))
      // A root that is one organization has its name.
      if (home.kind === 'organization' && fact.name !== row.name) rootName = fact.name
    }
  }
  return {
    find: (target) => {
      const organization = found.get(toProviderRefKey(target)) ?? 'organization'
      if (typeof organization !== 'string') return organization
      record.obstacles.add(organization)
      return null
    },
    writes: { rootName, newOrganizations: added, organizations: changed },
  }
}

function addOrganization(
  fact: OrganizationFact,
  home: Home,
  added: NewOrganization[],
  record: ChangeRecord,
): ResolvedOrganization | Obstacle {
  const target = findTargetInstance(fact, home)
  if (typeof target === 'string') {
    record.obstacles.add(target)
    return target
  }
  const { provider, host, id: provider_organization_id, name, active } = fact
  const id = newId<OrganizationId>()
  const { instance_id } = target
  added.push({ id, instance_id, provider, host, provider_organization_id, name, active })
  record.events.push({ type: 'organization.created', payload: { organization_id: id, instance_id, active } })
  const metadata = { provider, provider_organization_id, instance_id, own_root: false, active }
  recordOrganizationChange(record, id, 'organization_created', metadata, { name })
  return { id, provider, host, defaultRole: null }
}

function findTargetInstance(
  fact: OrganizationFact,
  home: Home,
): { instance_id: InstanceId | null } | Obstacle {
  if (home.allowedOrganizations !== null) return 'credential'
  const instance = home.instances.find(
    ({ provider, host }) => provider === fact.provider && host === fact.host,
  )
  switch (home.kind) {
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
  if (name !== row.name) recordOrganizationChange(record, id, 'organization_renamed', { active }, { name })
  if (active !== row.active) {
    recordOrganizationChange(record, id, active ? 'organization_activated' : 'organization_deactivated', {
      active,
    })
  }
  if (name !== row.name || active !== row.active) {
    record.events.push({ type: 'organization.changed', payload: { organization_id: id, active } })
  }
  return { ...row, name, active }
}

function mayChange({ allowedOrganizations }: Home, organization: OrganizationId): boolean {
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
