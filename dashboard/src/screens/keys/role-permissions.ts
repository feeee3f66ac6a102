import type { Get } from '@scholiast/sdk'

export type Role = Get<'/v1/roles'>['roles'][number]
export type KnownPermissions = Get<'/v1/roles/permissions'>

/** `learning:read`, for every resource and access type. */
export function listPermissions({ resource_ids, access_types }: KnownPermissions): readonly string[] {
  return resource_ids.flatMap((resource) => access_types.map((access) => `${resource}:${access}`))
}

export function permissionsOf({ permissions = [] }: Role): ReadonlySet<string> {
  return new Set(permissions.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`))
}

export function hasPermission(role: Role, permission: string): boolean {
  return permissionsOf(role).has(permission)
}

/** `audit_log` → `audit log`, `api_key` → `API key`. */
export function nameResource(resource: string): string {
  return resource.replaceAll('_', ' ').replace(/^api\b/, 'API')
}
