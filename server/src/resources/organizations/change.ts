import type { ActionOf } from '../../access/audit/catalogue.ts'
import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import { updateActive, updateMetricsEnabled, updateName } from './write-sql.ts'

export async function renameOrganization(
  change: ChangeContext,
  organization: OrganizationId,
  name: string,
): Promise<void> {
  const { scope, tx } = change
  const renamed = await updateName(scope, tx, organization, name)
  if (renamed === null) return refuseUnknownOrganization(organization)
  await recordOrganizationChange(change, organization, 'organization_renamed', renamed.active, { name })
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
    {},
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
  await recordOrganizationChange(change, organization, action, changed.active, {})
  return true
}

async function recordOrganizationChange(
  { tx, scope, actor, at }: ChangeContext,
  organization: OrganizationId,
  action: ActionOf<'organization'>,
  active: boolean,
  personal: Record<string, string>,
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
    personal,
  }
  await writeAuditEntry(tx, scope, entry, at)
}

function refuseUnknownOrganization(organization: OrganizationId): never {
  return refuse('ORGANIZATION_NOT_FOUND', `The tenant root has no organization with the id ${organization}.`)
}
