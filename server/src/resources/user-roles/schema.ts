import { type Static, Type } from 'typebox'
import { describeBatchResult, MAX_USERS, userIds } from '../../http/named-users.ts'
import { closedObject, literals, optionalOrgId } from '../../shape.ts'

export const assignableRoles = ['cr_admin', 'cr_member'] as const
export type AssignableRole = (typeof assignableRoles)[number]

/** What a member gets: a system role by name, or a custom role of the organization by id. */
export type AssignedRole = { readonly system: AssignableRole } | { readonly custom: string }

const UserIds = userIds(`Accounts at the Git provider, 1 to ${MAX_USERS}.`)

export const RoleRequest = closedObject({
  role: literals(assignableRoles, { description: 'New role of each user. It also replaces a custom role.' }),
  user_ids: UserIds,
  org_id: optionalOrgId(
    'ID of the organization, assigned by the Git provider. Required with workspace tokens. Instance keys can pass one ' +
      'organization, or `ALL` (not case-sensitive) for every active organization they are authorized for; the default is ' +
      'their home organization. Other keys ignore it, except that `ALL` returns 400.',
  ),
})
export type RoleRequest = Static<typeof RoleRequest>

export const RoleMembersPath = closedObject({
  role_id: Type.Union(
    [Type.String({ format: 'uuid' }), ...assignableRoles.map((role) => Type.Literal(role))],
    { description: 'UUID of a custom role, `cr_admin` or `cr_member`.' },
  ),
})
export type RoleMembersPath = Static<typeof RoleMembersPath>

export const RoleMembersRequest = closedObject({
  user_ids: UserIds,
  org_id: optionalOrgId(
    'ID of the organization, assigned by the Git provider. Required with workspace tokens. Instance keys can pass one ' +
      'organization; the default is their home organization. Other keys ignore it, except that `ALL` returns 400.',
  ),
})
export type RoleMembersRequest = Static<typeof RoleMembersRequest>

const failureCodes = [
  'USER_NOT_FOUND',
  'USER_INACTIVE',
  'PROTECTED_ROLE',
  'LAST_ADMIN',
  'INTERNAL_ERROR',
] as const
export type FailureCode = (typeof failureCodes)[number]

export const RoleResult = describeBatchResult(failureCodes, 'The user as passed.')
