import type { ChangeContext } from '../../access/change-context.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import { recordPersonChange, requirePerson } from './record-change.ts'
import { type Role, updateRole } from './sql.ts'

export async function setRole(
  change: ChangeContext,
  membership: { readonly person: PersonId; readonly organization: OrganizationId; readonly role: Role },
): Promise<void> {
  const { person, organization, role } = membership
  const storedPerson = await requirePerson(change, person)
  if (!(await updateRole(change.scope, change.tx, membership))) {
    refuse(
      'NOT_FOUND',
      `The person is not a member of organization ${organization}, or the role does not exist in it.`,
    )
  }
  const roleId = 'system' in role ? role.system : role.custom
  await recordPersonChange(change, storedPerson, 'person_role_changed', { role: roleId }, organization)
}
