import { allPermissions, type Permission } from '../../access/permissions.ts'
import type { ListedRole } from './list.ts'
import type { RolePermission } from './schema.ts'

export function renderRole(role: ListedRole, { permissions }: { readonly permissions: boolean }) {
  const { id, name, description, type, is_default, members } = role
  return {
    id,
    name,
    description,
    type,
    is_default,
    ...(members !== null && { user_count: members }),
    ...(permissions && { permissions: role.permissions.map(toRolePermission) }),
  }
}

/** Without duplicates, in the order of allPermissions. */
export function parsePermissions(parts: readonly RolePermission[]): Permission[] {
  const requested = new Set<string>(
    parts.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`),
  )
  return allPermissions.filter((permission) => requested.has(permission))
}

function toRolePermission(permission: Permission) {
  const [resource_id, access_type] = permission.split(':')
  return { resource_id, access_type }
}
