import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuseOperation } from '../../errors.ts'
import { type OrganizationRecord, readMatchingOrganizations } from './sql.ts'

/** Finds an organization by id, by the provider's id with or without the provider as prefix, or by a unique name. */
export async function findOrganizationByText(
  scope: Scope,
  tx: Tx,
  text: string,
): Promise<OrganizationRecord> {
  const found = await readMatchingOrganizations(scope, tx, text)
  const [organization] = found
  if (organization === undefined) {
    return refuseOperation(`The tenant root has no organization with the id, org_id or name "${text}".`)
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    return refuseOperation(`"${text}" matches several organizations. Pass the id of one of them: ${ids}.`)
  }
  return organization
}
