import type { ChangeContext } from '../../access/change-context.ts'
import type { PersonId } from '../../ids.ts'
import { recordPersonChange, requirePerson } from './record-change.ts'
import { updateActive } from './sql.ts'

/** Every key of the person is refused from the next request on. False when inactive already. */
export function deactivatePerson(change: ChangeContext, person: PersonId): Promise<boolean> {
  return setActive(change, person, false)
}

/** Keys that were neither revoked nor expired work again. False when active already. */
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
