import type { ChangeContext } from '../../access/change-context.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import { recordRoleChange } from './record-change.ts'
import { deleteRoleRow, lockRole } from './sql.ts'

export async function deleteRole(
  change: ChangeContext,
  organization: OrganizationId,
  role: string,
): Promise<void> {
  const { scope, tx } = change
  const before = await lockRole(scope, tx, organization, role)
  if (before === null) return refuse('NOT_FOUND', `The organization has no custom role with the id ${role}.`)
  if (before.members > 0) {
    return refuse(
      'ROLE_IN_USE',
      `The role "${before.name}" has ${before.members} members. Give them another role first.`,
    )
  }
  await deleteRoleRow(scope, tx, organization, role)
  await recordRoleChange(change, organization, 'role_deleted', before)
}
