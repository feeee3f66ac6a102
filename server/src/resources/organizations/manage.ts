import type { ActionOf } from '../../access/audit/catalogue.ts'
import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { getCloudHost } from '../../access/provider-host.ts'
import { createRoot, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import { type InstanceId, newId, type OrganizationId, type ProviderOrganizationId } from '../../ids.ts'
import {
  insertOrganization,
  insertRepository,
  readRootWithInstances,
  updateActive,
  updateMetricsEnabled,
  updateName,
} from './sql.ts'

export interface NewOrganization {
  readonly id?: OrganizationId
  readonly name: string
  readonly providerOrganizationId: ProviderOrganizationId
  /** Default: GitHub and its cloud host. Ignored for an organization of an instance, which has its own. */
  readonly provider?: string
  readonly host?: string
  /** Instance of the workspace. Default in a root that is an instance: that instance. */
  readonly instance?: InstanceId
  /** Only for an organization that is its own tenant root. Null inside a workspace or an instance. */
  readonly subscription: Subscription | null
}

interface OrganizationLocation {
  readonly instance: InstanceId | null
  readonly provider: string
  readonly host: string
}

export async function createOrganization(
  change: ChangeContext,
  organization: NewOrganization,
): Promise<OrganizationId> {
  const { tx, scope, actor, at } = change
  const { name, providerOrganizationId } = organization
  const id = organization.id ?? newId<OrganizationId>()
  const location = await resolveLocation(change, organization)
  if (!(await insertOrganization(scope, tx, { id, name, providerOrganizationId, ...location }))) {
    refuse(
      'INVALID_REQUEST',
      `The tenant root already has the organization ${providerOrganizationId} of ${location.provider} at ${location.host}.`,
    )
  }
  const payload = { organization_id: id, instance_id: location.instance, active: true }
  await emit(tx, scope, { type: 'organization.created', payload })
  const entry: AuditEntry = {
    action: 'organization_created',
    resourceType: 'organization',
    resourceId: id,
    organization: id,
    actor,
    metadata: {
      provider: location.provider,
      provider_organization_id: providerOrganizationId,
      instance_id: location.instance,
      own_root: organization.subscription !== null,
    },
    personal: { name },
  }
  await writeAuditEntry(tx, scope, entry, at)
  return id
}

async function resolveLocation(
  change: ChangeContext,
  organization: NewOrganization,
): Promise<OrganizationLocation> {
  const { scope, tx } = change
  const { name, subscription } = organization
  if (subscription !== null) {
    await createRoot(change, { kind: 'organization', name, sso: false, subscription })
    return toCloudLocation(organization)
  }
  const root = await readRootWithInstances(scope, tx)
  if (root === null) return refuse('NOT_FOUND', `No tenant root has the id ${scope.root}.`)
  if (root.kind === 'organization') {
    return refuse(
      'INVALID_REQUEST',
      `Tenant root ${scope.root} is a single organization and cannot hold another one.`,
    )
  }
  const wanted = organization.instance ?? (root.kind === 'instance' ? root.instances[0]?.id : undefined)
  if (wanted === undefined) return toCloudLocation(organization)
  const instance = root.instances.find(({ id }) => id === wanted)
  if (instance === undefined)
    return refuse('NOT_FOUND', `The tenant root has no instance with the id ${wanted}.`)
  return { instance: instance.id, provider: instance.provider, host: instance.host }
}

function toCloudLocation(organization: NewOrganization): OrganizationLocation {
  const { provider = 'github', host = getCloudHost(provider) } = organization
  return { instance: null, provider, host }
}

export async function renameOrganization(
  change: ChangeContext,
  organization: OrganizationId,
  name: string,
): Promise<void> {
  const { scope, tx } = change
  const renamed = await updateName(scope, tx, organization, name)
  if (renamed === null) return refuseUnknownOrganization(organization)
  await recordOrganizationChange(change, organization, 'organization_renamed', renamed.active, {
    personal: { name, 'before.name': renamed.name, 'after.name': name },
  })
}

/** Returns false if it is already active. */
export function activateOrganization(change: ChangeContext, organization: OrganizationId): Promise<boolean> {
  return setActive(change, organization, true)
}

/** Its keys get ORGANIZATION_NOT_FOUND from the next request on. Returns false if it is already inactive. */
export function deactivateOrganization(
  change: ChangeContext,
  organization: OrganizationId,
): Promise<boolean> {
  return setActive(change, organization, false)
}

async function setActive(
  change: ChangeContext,
  organization: OrganizationId,
  active: boolean,
): Promise<boolean> {
  const outcome = await updateActive(change.scope, change.tx, organization, active)
  if (outcome === 'unknown') return refuseUnknownOrganization(organization)
  if (outcome === 'unchanged') return false
  await recordOrganizationChange(
    change,
    organization,
    active ? 'organization_activated' : 'organization_deactivated',
    active,
    { before: { active: !active }, after: { active } },
  )
  return true
}

/** Disabling refuses metrics for every scope that includes the organization. Returns false if nothing changes. */
export async function setOrganizationMetrics(
  change: ChangeContext,
  organization: OrganizationId,
  enabled: boolean,
): Promise<boolean> {
  const changed = await updateMetricsEnabled(change.scope, change.tx, organization, enabled)
  if (changed === 'unknown') return refuseUnknownOrganization(organization)
  if (changed === 'unchanged') return false
  const action = enabled ? 'organization_metrics_enabled' : 'organization_metrics_disabled'
  await recordOrganizationChange(change, organization, action, changed.active, {
    before: { metrics_enabled: !enabled },
    after: { metrics_enabled: enabled },
  })
  return true
}

async function recordOrganizationChange(
  { tx, scope, actor, at }: ChangeContext,
  organization: OrganizationId,
  action: ActionOf<'organization'>,
  active: boolean,
  changed: Pick<AuditEntry, 'before' | 'after' | 'personal'>,
): Promise<void> {
  const payload = { organization_id: organization, active }
  await emit(tx, scope, { type: 'organization.changed', payload })
  const entry: AuditEntry = {
    action,
    resourceType: 'organization',
    resourceId: organization,
    organization,
    actor,
    metadata: { active },
    ...changed,
  }
  await writeAuditEntry(tx, scope, entry, at)
}

function refuseUnknownOrganization(organization: OrganizationId): never {
  return refuse('ORGANIZATION_NOT_FOUND', `The tenant root has no organization with the id ${organization}.`)
}

export interface NewRepository {
  readonly id?: string
  readonly providerRepositoryId: string
  readonly name: string
  readonly private?: boolean
  readonly active?: boolean
}

/** Returns the service's id of the repository. */
export async function addRepository(
  { tx, scope, actor, at }: ChangeContext,
  organization: OrganizationId,
  repository: NewRepository,
): Promise<string> {
  const {
    id = newId<string>(),
    providerRepositoryId,
    name,
    private: hidden = true,
    active = true,
  } = repository
  const row = { id, providerRepositoryId, name, private: hidden, active }
  if (!(await insertRepository(scope, tx, organization, row))) {
    refuse(
      'INVALID_REQUEST',
      `The organization does not exist or already has a repository with the provider id ${providerRepositoryId}.`,
    )
  }
  const entry: AuditEntry = {
    action: 'repository_added',
    resourceType: 'repository',
    resourceId: id,
    organization,
    actor,
    metadata: { provider_repository_id: providerRepositoryId, private: hidden, active },
    personal: { name },
  }
  await writeAuditEntry(tx, scope, entry, at)
  return id
}
