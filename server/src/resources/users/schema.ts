import { type Static, Type } from 'typebox'
import { systemRoleNames } from '../../access/permissions.ts'
import { closedObject, literals, nullable, optionalOrgId } from '../../shape.ts'

export const UsersQuery = closedObject({
  org_id: optionalOrgId(
    'Workspace tokens only: ID of an organization, assigned by the Git provider. Default: people of the whole ' +
      'workspace. Other keys ignore it.',
  ),
  seat_filter: Type.Optional(
    literals(['all', 'assigned', 'unassigned'], {
      default: 'all',
      description: 'Returns users with or without a seat. Default all.',
    }),
  ),
  role_filter: Type.Optional(
    literals(['all', 'member', 'admin'], {
      default: 'all',
      description: 'admin: users with `cr_admin` and workspace admins. member: all other users. Default all.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Users per page. Default 100.' }),
  ),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
})
export type UsersQuery = Static<typeof UsersQuery>

const Role = literals(systemRoleNames, {
  description: 'Effective role: `cr_admin` also for workspace admins, `cr_member` also for custom roles.',
})

const counts = {
  seats_purchased: Type.Integer({ minimum: 0, description: 'Seats of the tenant, independent of filters.' }),
  seats_assigned: Type.Integer({ minimum: 0, description: 'Seats of the tenant, independent of filters.' }),
}

const NextCursor = nullable(Type.String(), {
  description:
    'null on the last page. A filtered page can contain fewer users than the limit, or none, and still have a next page.',
})

const Active = Type.Boolean({
  description:
    'False for a deactivated person, whose keys are refused. Such a person gets no seat and no Admin role.',
})

const Email = nullable(Type.String(), {
  description: 'null if no Git provider or administrator has named one.',
})

const RoleName = Type.String({ description: 'Name of the assigned role.', examples: ['cr_member'] })

const Time = Type.String({ format: 'date-time' })

const Member = closedObject({
  user_id: Type.String({ description: 'Account at the Git provider.', examples: ['121358802'] }),
  active: Active,
  seat_assigned: Type.Boolean(),
  role: Role,
  role_name: RoleName,
  role_type: literals(['system', 'custom']),
  name: Type.String(),
  username: nullable(Type.String(), { description: 'At the Git provider.' }),
  email: Email,
  seat_requested_at: nullable(Time, {
    description: 'When the user asked for the seat that nobody has given or refused yet.',
  }),
  last_active_at: nullable(Time, {
    description:
      'Latest sign-in, use of an owned key, or merge or close of an authored pull request; null if there was none. While ' +
      'metrics are unavailable or disabled, pull requests are left out.',
  }),
})

export type OrganizationUser = Static<typeof Member>

const Account = closedObject({
  org_id: Type.String({ description: 'ID of the organization, assigned by the Git provider.' }),
  provider: Type.String({ examples: ['github'] }),
  user_id: Type.String(),
  username: nullable(Type.String()),
  role: Role,
  role_name: RoleName,
})

const Person = closedObject({
  cr_user_id: Type.String({ format: 'uuid' }),
  email: Email,
  name: Type.String(),
  active: Active,
  seat_assigned: Type.Boolean(),
  accounts: Type.Array(Account, { description: 'One for each active organization, ordered by org_id.' }),
})

export type WorkspaceUser = Static<typeof Person>

const OrganizationUsers = closedObject(
  {
    ...counts,
    seat_assignment_mode: literals(['automatic', 'manual']),
    users: Type.Array(Member),
    next_cursor: NextCursor,
  },
  { description: 'Users of one organization.' },
)

const WorkspaceUsers = closedObject(
  { ...counts, users: Type.Array(Person), next_cursor: NextCursor },
  { description: 'People of the whole workspace, for a workspace token without org_id.' },
)

export const UserPage = Type.Union([OrganizationUsers, WorkspaceUsers])
