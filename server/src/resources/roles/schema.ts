import { type Static, Type } from 'typebox'
import { accessTypes, resourceIds, systemRoleNames } from '../../access/permissions.ts'
import { closed } from '../../shape.ts'

const literals = <Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>(Type.Union(names.map((name) => Type.Literal(name))))

const RoleId = Type.Union(
  [Type.String({ format: 'uuid' }), ...systemRoleNames.map((name) => Type.Literal(name))],
  { description: 'Of a custom role its UUID, of a system role its name.' },
)

export const RolePath = Type.Object({ role_id: RoleId }, closed)

const orgId = {
  org_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Id of the organization at the Git provider. Workspace tokens must pass it; other keys ignore it, and an ' +
        'instance key means its home organization.',
    }),
  ),
}

export const RoleQuery = Type.Object(orgId, closed)
export type RoleQuery = Static<typeof RoleQuery>

export const PermissionsQuery = Type.Object(
  {
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Workspace tokens only: one organization. The answer is the same for all of them.',
      }),
    ),
  },
  closed,
)

export const RolesQuery = Type.Object(
  {
    ...orgId,
    role_type: Type.Optional(
      Type.Union([Type.Literal('all'), Type.Literal('system'), Type.Literal('custom')], {
        default: 'all',
        description: 'Which roles. Default all.',
      }),
    ),
    include_permissions: Type.Optional(
      Type.Boolean({ default: false, description: 'With what each role may do. Default false.' }),
    ),
    include_user_count: Type.Optional(
      Type.Boolean({ default: true, description: 'With how many users have each role. Default true.' }),
    ),
  },
  closed,
)
export type RolesQuery = Static<typeof RolesQuery>

const RolePermission = Type.Object(
  { resource_id: literals(resourceIds), access_type: literals(accessTypes) },
  closed,
)
export type RolePermission = Static<typeof RolePermission>

const fields = {
  // Bounded, and neither empty nor blank at an end, where nobody would see it.
  name: Type.String({
    pattern: '^\\S(?:[^\\r\\n]{0,98}\\S)?$',
    description:
      '1 to 100 characters, unique in the organization. Names that begin with cr_ belong to the service.',
    examples: ['Release manager'],
  }),
  description: Type.String({ maxLength: 1000 }),
  is_default: Type.Boolean({
    description: 'What new members get; it takes the place of the present default.',
  }),
  permissions: Type.Array(RolePermission, { maxItems: 100, description: 'All that the role may do.' }),
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
          'The role of the organization whose permissions are copied; not together with permissions. Neither of them: ' +
          'those of cr_member.',
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
    id: Type.String({ description: 'A UUID; of a system role its name.' }),
    name: Type.String(),
    description: Type.String(),
    type: Type.Union([Type.Literal('system'), Type.Literal('custom')]),
    is_default: Type.Boolean({ description: 'New members get it. Exactly one role of an organization is.' }),
    user_count: Type.Optional(Type.Integer({ minimum: 0 })),
    permissions: Type.Optional(Type.Array(RolePermission)),
  },
  closed,
)

export const RoleList = Type.Object(
  { roles: Type.Array(Role, { description: 'System roles first, then custom ones by name.' }) },
  closed,
)

export const PermissionNames = Type.Object(
  { resource_ids: Type.Array(Type.String()), access_types: Type.Array(Type.String()) },
  closed,
)
