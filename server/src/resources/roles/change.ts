import type { ChangeContext } from '../../access/change-context.ts'
import type { Permission } from '../../access/permissions.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import { recordRoleChange, refuseSystemName } from './record-change.ts'
import { type CustomRole, lockRole, updateRole } from './sql.ts'

export interface RoleChange {
  readonly name?: string
  readonly description?: string
  readonly permissions?: readonly Permission[]
  readonly isDefault?: boolean
}

/** Takes effect on the next request of every member with the role. */
export async function changeRole(
  change: ChangeContext,
  organization: OrganizationId,
  role: string,
  wanted: RoleChange,
): Promise<void> {
  const { scope, tx } = change
  const before = await lockRole(scope, tx, organization, role)
  if (before === null) return refuse('NOT_FOUND', `The organization has no custom role with the id ${role}.`)
  if (wanted.name !== undefined) refuseSystemName(wanted.name)
  const after = {
    id: before.id,
    name: wanted.name ?? before.name,
    description: wanted.description ?? before.description,
    permissions: wanted.permissions ?? before.permissions,
    is_default: wanted.isDefault ?? before.is_default,
  }
  if (isSameRole(before, after)) return
  if (!(await updateRole(scope, tx, organization, after))) {
    refuse(
      'ROLE_NAME_TAKEN',
      `The organization already has a role named "${after.name}". Choose another name.`,
    )
  }
  await recordRoleChange(change, organization, 'role_changed', after)
}

function isSameRole(before: CustomRole, after: CustomRole): boolean {
  const { name, description, is_default, permissions } = after
  if (name !== before.name || description !== before.description) return false
  return is_default === before.is_default && permissions.join() === before.permissions.join()
}
