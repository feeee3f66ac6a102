import { auditChange, type ChangeContext } from '../../../access/change-context.ts'
import { refuseOperation } from '../../../errors.ts'
import type { OrganizationId } from '../../../ids.ts'
import type { Role } from '../sql.ts'
import { applyGroupRoles } from './group-roles.ts'
import { deleteGroupRole, type GroupRow, readGroupByName, readMembers, upsertGroupRole } from './group-sql.ts'
import { lockScim } from './sql.ts'

/** Members of the group get the role in the organization now and when they join. */
export async function mapGroup(
  change: ChangeContext,
  name: string,
  organization: OrganizationId,
  role: Role,
): Promise<void> {
  const { scope, tx, at } = change
  if ('system' in role && role.system === 'cr_billing_admin')
    refuseOperation('A group cannot make billing admins. Use cr_admin, cr_member or a custom role.')
  await lockScim(scope, tx)
  const group = await requireGroup(change, name)
  const before = await deleteGroupRole(scope, tx, group.id, organization)
  await upsertGroupRole(scope, tx, group.id, organization, role, at)
  const left = before === null ? [] : [{ organization_id: organization, role: before }]
  await applyGroupRoles(change, await readPeople(change, group), left)
  const id = 'system' in role ? role.system : role.custom
  await record(change, 'scim_group_mapped', group, organization, id)
}

/** Members who still have the role of the group become members of the organization without it. */
export async function unmapGroup(
  change: ChangeContext,
  name: string,
  organization: OrganizationId,
): Promise<boolean> {
  const { scope, tx } = change
  await lockScim(scope, tx)
  const group = await requireGroup(change, name)
  const role = await deleteGroupRole(scope, tx, group.id, organization)
  if (role === null) return false
  await applyGroupRoles(change, await readPeople(change, group), [{ organization_id: organization, role }])
  await record(change, 'scim_group_unmapped', group, organization, role)
  return true
}

async function requireGroup({ scope, tx }: ChangeContext, name: string): Promise<GroupRow> {
  const group = await readGroupByName(scope, tx, name)
  return (
    group ??
    refuseOperation(`The tenant root has no SCIM group "${name}". The identity provider must push it first.`)
  )
}

async function readPeople({ scope, tx }: ChangeContext, { id }: GroupRow) {
  return (await readMembers(scope, tx, [id])).map(({ value }) => value)
}

function record(
  change: ChangeContext,
  action: 'scim_group_mapped' | 'scim_group_unmapped',
  { id, display_name: name }: GroupRow,
  organization: OrganizationId,
  role: string,
): Promise<void> {
  return auditChange(change, { action, resourceId: id, organization, metadata: { role }, personal: { name } })
}
