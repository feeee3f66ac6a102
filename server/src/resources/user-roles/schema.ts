import { type Static, Type } from 'typebox'
import { closed } from '../../shape.ts'

export const MAX_USERS = 500

export const assignableRoles = ['cr_admin', 'cr_member'] as const
export type AssignableRole = (typeof assignableRoles)[number]

// How many there may be is said with a code of its own (BATCH_SIZE_EXCEEDED), not by the shape.
export const RoleRequest = Type.Object(
  {
    role: Type.Union(
      assignableRoles.map((role) => Type.Literal(role)),
      { description: 'What each of them is from now on. It takes the place of a custom role too.' },
    ),
    user_ids: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      description: `Accounts at the Git provider, 1 to ${MAX_USERS}.`,
      examples: [['121358802', '22605247']],
    }),
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Id of the organization at the Git provider. Workspace tokens must pass it. Instance keys may: one organization, ' +
          'or `ALL` in any case for every active one they are authorized for; without it their home organization is ' +
          'meant. Other keys ignore it, but for `ALL`, which is 400.',
      }),
    ),
  },
  closed,
)
export type RoleRequest = Static<typeof RoleRequest>

export const failureCodes = ['USER_NOT_FOUND', 'PROTECTED_ROLE', 'LAST_ADMIN', 'INTERNAL_ERROR'] as const
export type FailureCode = (typeof failureCodes)[number]

export interface UserFailure {
  readonly user_id: string
  readonly id: string
  readonly code: FailureCode
  readonly message: string
}

const Failure = Type.Object(
  {
    user_id: Type.String({ description: 'As it was passed.' }),
    id: Type.String({ description: 'The same.' }),
    code: Type.Union(failureCodes.map((code) => Type.Literal(code))),
    message: Type.String(),
  },
  closed,
)

export const RoleResult = Type.Object(
  {
    status: Type.Union([Type.Literal('success'), Type.Literal('partial_success'), Type.Literal('failure')]),
    succeeded: Type.Array(Type.String(), { description: 'As they were passed, in that order, each once.' }),
    failed: Type.Array(Failure),
  },
  closed,
)
