import { permissionsOfRole, type SystemRole } from '../../access/permissions.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import { readRoles } from './sql.ts'

export interface ListedRole {
  /** Of a system role, its name. */
  readonly id: string
  readonly name: string
  readonly type: 'system' | 'custom'
  readonly is_default: boolean
  readonly members: number | null
  readonly permissions: readonly string[]
}

const systemRoles: readonly SystemRole[] = ['cr_admin', 'cr_member', 'cr_billing_admin']

/** The system roles, which live in code, then the custom ones of the organization by name. */
export async function listRoles(scope: Scope, tx: Tx, organization: OrganizationId): Promise<ListedRole[]> {
  const custom = await readRoles(scope, tx, organization)
  const system = systemRoles.map((id): ListedRole => {
    return {
      id,
      name: id,
      type: 'system',
      is_default: false,
      members: null,
      permissions: permissionsOfRole(id),
    }
  })
  return [...system, ...custom.map((role): ListedRole => ({ ...role, type: 'custom' }))]
}

/** By its id or its name. */
export async function findRole(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  idOrName: string,
): Promise<ListedRole> {
  const roles = await listRoles(scope, tx, organization)
  const role = roles.find(({ id, name }) => id === idOrName || name === idOrName)
  return role ?? refuse('NOT_FOUND', `The organization has no role with the id or name "${idOrName}".`)
}
