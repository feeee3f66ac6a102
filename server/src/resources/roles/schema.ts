import { type Static, Type } from 'typebox'
import { accessTypes, adminEquivalentNote, resourceIds, systemRoleNames } from '../../access/permissions.ts'
import { displayName } from '../../names.ts'
import { closed, optionalOrgId } from '../../shape.ts'

const literals = <Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>(Type.Union(names.map((name) => Type.Literal(name))))

const RoleId = Type.Union(
  [Type.String({ format: 'uuid' }), ...systemRoleNames.map((name) => Type.Literal(name))],
  { description: 'UUID of a custom role, or name of a system role.' },
)

export const RolePath = Type.Object({ role_id: RoleId }, closed)

const orgId = {
  org_id: optionalOrgId(
    'ID of the organization, assigned by the Git provider. Required with workspace tokens. Other keys ignore it; an ' +
      'instance key uses its home organization.',
  ),
}

export const RoleQuery = Type.Object(orgId, closed)
export type RoleQuery = Static<typeof RoleQuery>

export const RolesQuery = Type.Object(
  {
    ...orgId,
    role_type: Type.Optional(
      Type.Union([Type.Literal('all'), Type.Literal('system'), Type.Literal('custom')], {
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
  },
  closed,
)
export type RolesQuery = Static<typeof RolesQuery>

const RolePermission = Type.Object(
  { resource_id: literals(resourceIds), access_type: literals(accessTypes) },
  { ...closed, description: adminEquivalentNote },
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

export const NewRoleBody = Type.Object(
  {
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
  },
  closed,
)
export type NewRoleBody = Static<typeof NewRoleBody>

export const RoleChangeBody = Type.Object(
  {
    ...orgId,
    name: Type.Optional(fields.name),
    description: Type.Optional(fields.description),
    is_default: Type.Optional(fields.is_default),
    permissions: Type.Optional(fields.permissions),
  },
  closed,
)
export type RoleChangeBody = Static<typeof RoleChangeBody>

export const Role = Type.Object(
  {
    id: Type.String({ description: 'UUID of a custom role, or name of a system role.' }),
    name: Type.String(),
    description: Type.String(),
    type: Type.Union([Type.Literal('system'), Type.Literal('custom')]),
    is_default: Type.Boolean({
      description: 'Whether new members get this role. True for exactly one role of an organization.',
    }),
    user_count: Type.Optional(Type.Integer({ minimum: 0 })),
    permissions: Type.Optional(Type.Array(RolePermission)),
  },
  closed,
)

export const RoleList = Type.Object(
  { roles: Type.Array(Role, { description: 'System roles first, then custom roles by name.' }) },
  closed,
)

export const PermissionNames = Type.Object(
  {
    resource_ids: Type.Array(Type.String(), {
      description: `A permission is \`resource_id:access_type\`. ${adminEquivalentNote}`,
    }),
    access_types: Type.Array(Type.String()),
  },
  closed,
)
