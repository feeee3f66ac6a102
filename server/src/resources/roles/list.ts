import { getSystemRolePermissions, type Permission, systemRoleNames } from '../../access/permissions.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import { readRoles, readUserCounts } from './sql.ts'

export interface ListedRole {
  /** The name of a system role, the UUID of a custom role. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly type: 'system' | 'custom'
  readonly is_default: boolean
  /** Null if not counted. */
  readonly members: number | null
  readonly permissions: readonly Permission[]
}

const descriptions = {
  cr_admin: 'Has all permissions in the organization.',
  cr_member: 'Reads the organization, its repositories, metrics and findings, and works with Learnings.',
  cr_billing_admin: 'A member who also manages billing.',
} as const

/** System roles, which are defined in code, then the custom roles of the organization by name. */
export async function listRoles(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { counted }: { readonly counted: boolean } = { counted: true },
): Promise<ListedRole[]> {
  const [custom, counts] = await Promise.all([
    readRoles(scope, tx, organization),
    counted ? readUserCounts(scope, tx, organization) : null,
  ])
  const membersOf = (id: string) => counts && (counts.get(id) ?? 0)
  // New members get cr_member unless the organization has a default role.
  const defaultId = custom.find(({ is_default }) => is_default)?.id ?? 'cr_member'
  const system = systemRoleNames.map((id): ListedRole => {
    return {
      id,
      name: id,
      description: descriptions[id],
      type: 'system',
      is_default: id === defaultId,
      members: membersOf(id),
      permissions: getSystemRolePermissions(id),
    }
  })
  return [
    ...system,
    ...custom.map((role): ListedRole => ({ ...role, type: 'custom', members: membersOf(role.id) })),
  ]
}

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
