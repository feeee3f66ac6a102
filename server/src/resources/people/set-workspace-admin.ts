import type { ChangeContext } from '../../access/change-context.ts'
import { readRootKind } from '../../access/root.ts'
import { refuse } from '../../errors.ts'
import type { PersonId } from '../../ids.ts'
import { recordPersonChange, requirePerson } from './record-change.ts'
import { updateWorkspaceAdmin } from './sql.ts'

/** Returns false if the person is already a workspace admin. */
export async function promotePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  if ((await readRootKind(change.scope, change.tx)) !== 'workspace') {
    refuse(
      'INVALID_REQUEST',
      'Only a workspace has workspace admins. Give the person the role cr_admin instead.',
    )
  }
  return setAdmin(change, person, true)
}

/** Workspace tokens of the person are refused from the next request on. Returns false if not a workspace admin. */
export function demotePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  return setAdmin(change, person, false)
}

async function setAdmin(change: ChangeContext, person: PersonId, admin: boolean): Promise<boolean> {
  const storedPerson = await requirePerson(change, person)
  if (!(await updateWorkspaceAdmin(change.scope, change.tx, person, admin))) return false
  await recordPersonChange(change, storedPerson, admin ? 'person_promoted' : 'person_demoted', {
    workspace_admin: admin,
  })
  return true
}
