import type { ChangeContext } from '../../access/change-context.ts'
import type { PersonId } from '../../ids.ts'
import { recordPersonChange, requirePerson } from './record-change.ts'
import { updateActive } from './sql.ts'

/** Keys of the person are refused from the next request on. Returns false if already inactive. */
export function deactivatePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  return setActive(change, person, false)
}

/** Keys that are neither revoked nor expired work again. Returns false if already active. */
export function reactivatePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  return setActive(change, person, true)
}

async function setActive(change: ChangeContext, person: PersonId, active: boolean): Promise<boolean> {
  const storedPerson = await requirePerson(change, person)
  if (!(await updateActive(change.scope, change.tx, person, active))) return false
  await recordPersonChange(change, storedPerson, active ? 'person_reactivated' : 'person_deactivated', {
    active,
  })
  return true
}
