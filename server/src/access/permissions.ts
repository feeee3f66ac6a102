export const resourceIds = [
  'organization_management',
  'repository_management',
  'user_management',
  'role_management',
  'learning',
  'metrics',
  'security',
  'audit_log',
  'api_key',
  'billing',
] as const
export const accessTypes = ['read', 'write', 'delete'] as const

/** Shown wherever permissions are chosen: limiting a key of an Admin to one of the two limits nothing. */
export const adminEquivalentNote =
  '`user_management:write` and `role_management:write` amount to Admin: with them, a caller can make any member an Admin ' +
  'or give a role every permission. Grant them only to keys and roles that may do everything.'

export type Permission = `${(typeof resourceIds)[number]}:${(typeof accessTypes)[number]}`
export const systemRoleNames = ['cr_admin', 'cr_member', 'cr_billing_admin'] as const
export type SystemRole = (typeof systemRoleNames)[number]

export const allPermissions: readonly Permission[] = resourceIds.flatMap((resource) =>
  accessTypes.map((access): Permission => `${resource}:${access}`),
)

const knownPermissions: ReadonlySet<string> = new Set(allPermissions)

const memberPermissions: readonly Permission[] = [
  'organization_management:read',
  'repository_management:read',
  'metrics:read',
  'security:read',
  'learning:read',
  'learning:write',
]

/** System roles are the same in every organization and cannot be changed, so they are not stored. */
export function getSystemRolePermissions(role: SystemRole): readonly Permission[] {
  switch (role) {
    case 'cr_admin':
      return allPermissions
    case 'cr_member':
      return memberPermissions
    case 'cr_billing_admin':
      return [...memberPermissions, 'billing:read', 'billing:write', 'billing:delete']
  }
}

const systemRoles = new Map(
  systemRoleNames.map((role) => [role, new Set<string>(getSystemRolePermissions(role))] as const),
)

/** A membership has the permissions of its system role, or those stored with its custom role. */
export function resolveRolePermissions(
  role: SystemRole | null,
  customPermissions: readonly string[] | null,
): ReadonlySet<string> {
  return (role && systemRoles.get(role)) ?? new Set(customPermissions)
}

export function isPermission(text: string): text is Permission {
  return knownPermissions.has(text)
}
