import { type Static, Type } from 'typebox'
import { accessTypes, adminEquivalentNote, resourceIds, systemRoleNames } from '../../access/permissions.ts'
import { displayName } from '../../names.ts'
import { closedObject, literals, optionalOrgId } from '../../shape.ts'

const RoleId = Type.Union(
  [Type.String({ format: 'uuid' }), ...systemRoleNames.map((name) => Type.Literal(name))],
  { description: 'UUID of a custom role, or name of a system role.' },
)

export const RolePath = closedObject({ role_id: RoleId })

const orgId = {
  org_id: optionalOrgId(
    'ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an ' +
      'instance key uses its home organization.',
  ),
}

export const RoleQuery = closedObject(orgId)
export type RoleQuery = Static<typeof RoleQuery>

export const RolesQuery = closedObject({
  ...orgId,
  role_type: Type.Optional(
    literals(['all', 'system', 'custom'], {
      default: 'all',
      description: 'Type of roles to return. Default all.',
    }),
  ),
  include_permissions: Type.Optional(
    Type.Boolean({ default: false, description: 'Includes the permissions of each role. Default false.' }),
  ),
  include_user_count: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Includes the number of users with each role. Default true.',
    }),
  ),
})
export type RolesQuery = Static<typeof RolesQuery>

const RolePermission = closedObject(
  { resource_id: literals(resourceIds), access_type: literals(accessTypes) },
  { description: adminEquivalentNote },
)
export type RolePermission = Static<typeof RolePermission>

const fields = {
  name: displayName(100, {
    description: '1 to 100 characters, unique in the organization. Names that begin with cr_ are reserved.',
    examples: ['Release manager'],
  }),
  description: Type.String({ maxLength: 1000 }),
  is_default: Type.Boolean({
    description: 'Makes this the role of new members, instead of the current default role.',
  }),
  permissions: Type.Array(RolePermission, { maxItems: 100, description: 'All permissions of the role.' }),
}

export const NewRoleBody = closedObject({
  ...orgId,
  name: fields.name,
  description: Type.Optional(fields.description),
  is_default: Type.Optional(fields.is_default),
  duplicate_from: Type.Optional(
    Type.Union([...RoleId.anyOf], {
      description:
        'Role of the organization whose permissions are copied. Cannot be combined with permissions. Without either, cr_member is copied.',
    }),
  ),
  permissions: Type.Optional(fields.permissions),
})
export type NewRoleBody = Static<typeof NewRoleBody>

export const RoleChangeBody = closedObject({
  ...orgId,
  name: Type.Optional(fields.name),
  description: Type.Optional(fields.description),
  is_default: Type.Optional(fields.is_default),
  permissions: Type.Optional(fields.permissions),
})
export type RoleChangeBody = Static<typeof RoleChangeBody>

export const Role = closedObject({
  id: Type.String({ description: 'UUID of a custom role, or name of a system role.' }),
  name: Type.String(),
  description: Type.String(),
  type: literals(['system', 'custom']),
  is_default: Type.Boolean({
    description: 'Whether new members get this role. True for exactly one role of an organization.',
  }),
  user_count: Type.Optional(Type.Integer({ minimum: 0 })),
  permissions: Type.Optional(Type.Array(RolePermission)),
})

export const RoleList = closedObject({
  roles: Type.Array(Role, { description: 'System roles first, then custom roles by name.' }),
})

export const PermissionNames = closedObject({
  resource_ids: Type.Array(Type.String(), {
    description: `A permission is \`resource_id:access_type\`. ${adminEquivalentNote}`,
  }),
  access_types: Type.Array(Type.String()),
})
