import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import { type Person, readPeople, readPerson } from './sql.ts'

/** People of a root or of one organization by id, including inactive ones. */
export function listPeople(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId | null,
  page: { readonly after: string | null; readonly limit: number },
): Promise<Person[]> {
  return readPeople(scope, tx, organization, page)
}

export async function findPerson(scope: Scope, tx: Tx, idOrEmail: string): Promise<Person> {
  const person = await readPerson(scope, tx, idOrEmail)
  return person ?? refuse('NOT_FOUND', `The tenant root has no person with the id or e-mail "${idOrEmail}".`)
}
