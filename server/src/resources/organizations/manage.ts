import type { ActionOf } from '../../access/audit/catalogue.ts'
import { auditChange, type ChangeContext, type ChangeEntry } from '../../access/change-context.ts'
import { getCloudHost } from '../../access/provider-host.ts'
import { createRoot, type Subscription } from '../../access/root.ts'
import { emit } from '../../bus/emit.ts'
import { refuseOperation } from '../../errors.ts'
import { type InstanceId, newId, type OrganizationId, type ProviderOrganizationId } from '../../ids.ts'
import {
  insertOrganization,
  insertRepository,
  type NewRepositoryRow,
  type OrganizationFlag,
  readRootWithInstances,
  updateFlag,
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
  const { tx, scope } = change
  const { name, providerOrganizationId } = organization
  const id = organization.id ?? newId<OrganizationId>()
  const location = await resolveLocation(change, organization)
  if (!(await insertOrganization(scope, tx, { id, name, providerOrganizationId, ...location }))) {
    refuseOperation(
      `The tenant root already has the organization ${providerOrganizationId} of ${location.provider} at ${location.host}.`,
    )
  }
  const payload = { organization_id: id, instance_id: location.instance, active: true }
  await emit(tx, scope, { type: 'organization.created', payload })
  await auditChange(change, {
    action: 'organization_created',
    resourceId: id,
    organization: id,
    metadata: {
      provider: location.provider,
      provider_organization_id: providerOrganizationId,
      instance_id: location.instance,
      own_root: organization.subscription !== null,
    },
    personal: { name },
  })
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
  if (root === null) return refuseOperation(`No tenant root has the id ${scope.root}.`)
  if (root.kind === 'organization') {
    return refuseOperation(`Tenant root ${scope.root} is a single organization and cannot hold another one.`)
  }
  const wanted = organization.instance ?? (root.kind === 'instance' ? root.instances[0]?.id : undefined)
  if (wanted === undefined) return toCloudLocation(organization)
  const instance = root.instances.find(({ id }) => id === wanted)
  if (instance === undefined) return refuseOperation(`The tenant root has no instance with the id ${wanted}.`)
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
  return setFlag(change, organization, 'active', true)
}

/** Its keys get ORGANIZATION_NOT_FOUND from the next request on. Returns false if it is already inactive. */
export function deactivateOrganization(
  change: ChangeContext,
  organization: OrganizationId,
): Promise<boolean> {
  return setFlag(change, organization, 'active', false)
}

/** Disabling refuses metrics for every scope that includes the organization. Returns false if nothing changes. */
export function setOrganizationMetrics(
  change: ChangeContext,
  organization: OrganizationId,
  enabled: boolean,
): Promise<boolean> {
  return setFlag(change, organization, 'metrics_enabled', enabled)
}

const flagActions = {
  active: ['organization_deactivated', 'organization_activated'],
  metrics_enabled: ['organization_metrics_disabled', 'organization_metrics_enabled'],
} as const

async function setFlag(
  change: ChangeContext,
  organization: OrganizationId,
  flag: OrganizationFlag,
  value: boolean,
): Promise<boolean> {
  const changed = await updateFlag(change.scope, change.tx, organization, flag, value)
  if (changed === 'unknown') return refuseUnknownOrganization(organization)
  if (changed === 'unchanged') return false
  const action = flagActions[flag][value ? 1 : 0]
  const fields = { before: { [flag]: !value }, after: { [flag]: value } }
  await recordOrganizationChange(change, organization, action, changed.active, fields)
  return true
}

async function recordOrganizationChange(
  change: ChangeContext,
  organization: OrganizationId,
  action: ActionOf<'organization'>,
  active: boolean,
  changed: Pick<ChangeEntry, 'before' | 'after' | 'personal'>,
): Promise<void> {
  const payload = { organization_id: organization, active }
  await emit(change.tx, change.scope, { type: 'organization.changed', payload })
  await auditChange(change, {
    action,
    resourceId: organization,
    organization,
    metadata: { active },
    ...changed,
  })
}

function refuseUnknownOrganization(organization: OrganizationId): never {
  return refuseOperation(`The tenant root has no organization with the id ${organization}.`)
}

export type NewRepository = Pick<NewRepositoryRow, 'providerRepositoryId' | 'name'> &
  Partial<Pick<NewRepositoryRow, 'id' | 'private' | 'active'>>

/** Returns the service's id of the repository. */
export async function addRepository(
  change: ChangeContext,
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
  if (!(await insertRepository(change.scope, change.tx, organization, row))) {
    refuseOperation(
      `The organization does not exist or already has a repository with the provider id ${providerRepositoryId}.`,
    )
  }
  await auditChange(change, {
    action: 'repository_added',
    resourceId: id,
    organization,
    metadata: { provider_repository_id: providerRepositoryId, private: hidden, active },
    personal: { name },
  })
  return id
}
