import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import {
  type InventoryOrganization,
  type InventoryRepository,
  type Page,
  readInventory,
  readInventoryOfRepositories,
  readMatching,
} from './inventory-sql.ts'

/** Organizations of a root, the inactive ones too: for the operator, not for a caller. */
export function listInventory(scope: Scope, tx: Tx, page: Page): Promise<InventoryOrganization[]> {
  return readInventory(scope, tx, page)
}

export function listInventoryOfRepositories(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  page: Page,
): Promise<InventoryRepository[]> {
  return readInventoryOfRepositories(scope, tx, organization, page)
}

/** By its id, the provider's id with or without the provider in front, or its name, if one alone is meant. */
export async function findInInventory(scope: Scope, tx: Tx, text: string): Promise<InventoryOrganization> {
  const found = await readMatching(scope, tx, text)
  const [organization] = found
  if (organization === undefined) {
    return refuse(
      'ORGANIZATION_NOT_FOUND',
      `The tenant root has no organization with the id, org_id or name "${text}".`,
    )
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    return refuse('ORG_ID_AMBIGUOUS', `"${text}" means several organizations. Give the id of one: ${ids}.`)
  }
  return organization
}
