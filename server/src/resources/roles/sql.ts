import type { Permission } from '../../access/permissions.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'

export interface CustomRole {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly permissions: readonly Permission[]
  readonly is_default: boolean
}

/** By name of a system role or id of a custom role. */
export type UserCounts = ReadonlyMap<string, number>

export type CountedRole = CustomRole & { readonly members: number }

const columns = `c.id, c.name, c.description, c.permissions, c.is_default,
  (select count(*)::int from membership m where m.root_id = c.root_id and m.organization_id = c.organization_id
     and m.custom_role_id = c.id) as members`

const list = statement(
  'roles.list',
  `select c.id, c.name, c.description, c.permissions, c.is_default
   from custom_role c where c.root_id = $1 and c.organization_id = $2 order by c.name`,
)

const countUsers = statement(
  'roles.count-users',
  `select coalesce(system_role, custom_role_id::text) as role, count(*)::int as users
   from membership where root_id = $1 and organization_id = $2 group by 1`,
)

// Serializes changes of names and of the default within an organization.
const lockAll = statement(
  'roles.lock-all',
  `select id from organization where root_id = $1 and id = $2 for no key update`,
)

// Assigning the role to a member waits for this lock, so the number of members cannot grow after it is read.
const lock = statement(
  'roles.lock',
  `select id from custom_role where root_id = $1 and organization_id = $2 and id = $3 for update`,
)

const byId = statement(
  'roles.by-id',
  `select ${columns} from custom_role c where c.root_id = $1 and c.organization_id = $2 and c.id = $3`,
)

const clearDefault = statement(
  'roles.clear-default',
  `update custom_role set is_default = false
   where root_id = $1 and organization_id = $2 and is_default and id <> $3`,
)

const create = statement(
  'roles.create',
  `insert into custom_role (root_id, organization_id, id, name, description, permissions, is_default)
   select root_id, id, $3, $4, $5, $6, $7 from organization where root_id = $1 and id = $2
   on conflict do nothing returning id`,
)

const otherRolesByName = statement(
  'roles.others-named',
  `select id from custom_role where root_id = $1 and organization_id = $2 and lower(name) = lower($3)
     and id <> $4`,
)

const change = statement(
  'roles.change',
  `update custom_role set name = $4, description = $5, permissions = $6, is_default = $7
   where root_id = $1 and organization_id = $2 and id = $3`,
)

const remove = statement(
  'roles.delete',
  `delete from custom_role where root_id = $1 and organization_id = $2 and id = $3`,
)

export function readRoles(scope: Scope, tx: Tx, organization: OrganizationId): Promise<CustomRole[]> {
  return tx.query<CustomRole>(list, [scope.root, organization])
}

export async function readUserCounts(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<UserCounts> {
  const rows = await tx.query<{ role: string; users: number }>(countUsers, [scope.root, organization])
  return new Map(rows.map(({ role, users }) => [role, users]))
}

export async function lockRole(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  role: string,
): Promise<CountedRole | null> {
  const [, , [row]] = await Promise.all([
    tx.query(lockAll, [scope.root, organization]),
    tx.query(lock, [scope.root, organization, role]),
    tx.query<CountedRole>(byId, [scope.root, organization, role]),
  ])
  return row ?? null
}

/** Returns false if the organization does not exist or already has a role with this id or name. */
export async function insertRole(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  role: CustomRole,
): Promise<boolean> {
  await tx.query(lockAll, [scope.root, organization])
  await clearOtherDefaults(scope, tx, organization, role)
  return (await tx.query(create, [scope.root, organization, ...toRowValues(role)])).length === 1
}

/** Returns false if another role of the organization has the name. */
export async function updateRole(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  role: CustomRole,
): Promise<boolean> {
  const taken = await tx.query(otherRolesByName, [scope.root, organization, role.name, role.id])
  if (taken.length > 0) return false
  await clearOtherDefaults(scope, tx, organization, role)
  await tx.query(change, [scope.root, organization, ...toRowValues(role)])
  return true
}

export async function deleteRoleRow(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  role: string,
): Promise<void> {
  await tx.query(remove, [scope.root, organization, role])
}

async function clearOtherDefaults(scope: Scope, tx: Tx, organization: OrganizationId, role: CustomRole) {
  if (role.is_default) await tx.query(clearDefault, [scope.root, organization, role.id])
}

function toRowValues(role: CustomRole): unknown[] {
  return [role.id, role.name, role.description, role.permissions, role.is_default]
}
