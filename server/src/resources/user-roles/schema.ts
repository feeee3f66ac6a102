import { type Static, Type } from 'typebox'
import { closed, DOCUMENTED_MAX_ITEMS, optionalOrgId } from '../../shape.ts'

export const MAX_USERS = 500

export const assignableRoles = ['cr_admin', 'cr_member'] as const
export type AssignableRole = (typeof assignableRoles)[number]

/** What a member gets: a system role by name, or a custom role of the organization by id. */
export type AssignedRole = { readonly system: AssignableRole } | { readonly custom: string }

const UserIds = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  [DOCUMENTED_MAX_ITEMS]: MAX_USERS,
  description: `Accounts at the Git provider, 1 to ${MAX_USERS}.`,
  examples: [['121358802', '22605247']],
})

// Too many entries have an error code of their own (BATCH_SIZE_EXCEEDED), so the maximum is only documented.
export const RoleRequest = Type.Object(
  {
    role: Type.Union(
      assignableRoles.map((role) => Type.Literal(role)),
      { description: 'New role of each user. It also replaces a custom role.' },
    ),
    user_ids: UserIds,
    org_id: optionalOrgId(
      'ID of the organization, assigned by the Git provider. Required with workspace tokens. Instance keys can pass one ' +
        'organization, or `ALL` (not case-sensitive) for every active organization they are authorized for; the default is ' +
        'their home organization. Other keys ignore it, except that `ALL` returns 400.',
    ),
  },
  closed,
)
export type RoleRequest = Static<typeof RoleRequest>

export const RoleMembersPath = Type.Object(
  {
    role_id: Type.Union(
      [Type.String({ format: 'uuid' }), ...assignableRoles.map((role) => Type.Literal(role))],
      { description: 'UUID of a custom role, `cr_admin` or `cr_member`.' },
    ),
  },
  closed,
)
export type RoleMembersPath = Static<typeof RoleMembersPath>

export const RoleMembersRequest = Type.Object(
  {
    user_ids: UserIds,
    org_id: optionalOrgId(
      'ID of the organization, assigned by the Git provider. Required with workspace tokens. Instance keys can pass one ' +
        'organization; the default is their home organization. Other keys ignore it, except that `ALL` returns 400.',
    ),
  },
  closed,
)
export type RoleMembersRequest = Static<typeof RoleMembersRequest>

export const failureCodes = [
  'USER_NOT_FOUND',
  'USER_INACTIVE',
  'PROTECTED_ROLE',
  'LAST_ADMIN',
  'INTERNAL_ERROR',
] as const
export type FailureCode = (typeof failureCodes)[number]

export interface UserFailure {
  readonly user_id: string
  readonly id: string
  readonly code: FailureCode
  readonly message: string
}

const Failure = Type.Object(
  {
    user_id: Type.String({ description: 'The user as passed.' }),
    id: Type.String({ description: 'Same as user_id.' }),
    code: Type.Union(failureCodes.map((code) => Type.Literal(code))),
    message: Type.String(),
  },
  closed,
)

export const RoleResult = Type.Object(
  {
    status: Type.Union([Type.Literal('success'), Type.Literal('partial_success'), Type.Literal('failure')]),
    succeeded: Type.Array(Type.String(), {
      description: 'Users as passed, in the order of the request, without duplicates.',
    }),
    failed: Type.Array(Failure),
  },
  closed,
)
