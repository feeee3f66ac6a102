import type { ChangeContext } from '../../access/change-context.ts'
import { getSystemRolePermissions, type Permission } from '../../access/permissions.ts'
import { refuse } from '../../errors.ts'
import { newId, type OrganizationId } from '../../ids.ts'
import { recordRoleChange, refuseSystemName } from './record-change.ts'
import { insertRole } from './sql.ts'

export interface NewRole {
  readonly id?: string
  readonly name: string
  readonly description?: string
  /** Default: the permissions of cr_member. */
  readonly permissions?: readonly Permission[]
  readonly isDefault?: boolean
}

/** Returns the id of the role. A new default role replaces the previous one. */
export async function createRole(
  change: ChangeContext,
  organization: OrganizationId,
  role: NewRole,
): Promise<string> {
  refuseSystemName(role.name)
  const row = {
    id: role.id ?? newId<string>(),
    name: role.name,
    description: role.description ?? '',
    permissions: role.permissions ?? getSystemRolePermissions('cr_member'),
    is_default: role.isDefault ?? false,
  }
  if (!(await insertRole(change.scope, change.tx, organization, row))) {
    refuse(
      'ROLE_NAME_TAKEN',
      `The organization already has a role named "${role.name}". Choose another name.`,
    )
  }
  await recordRoleChange(change, organization, 'role_created', row)
  return row.id
}
