import { type Static, Type } from 'typebox'
import { closed, DOCUMENTED_MAX_ITEMS, optionalOrgId } from '../../shape.ts'

export const MAX_USERS = 500

const ByEmail = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320, description: 'Not case-sensitive.' }) },
  closed,
)
const ById = Type.Object(
  { cr_user_id: Type.String({ format: 'uuid', description: '`cr_user_id` of GET /v1/users.' }) },
  closed,
)

// Too many entries have an error code of their own (BATCH_SIZE_EXCEEDED), so the maximum is only documented.
export const SeatRequest = Type.Object(
  {
    action: Type.Union([Type.Literal('assign'), Type.Literal('unassign')]),
    user_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        [DOCUMENTED_MAX_ITEMS]: MAX_USERS,
        description: `Accounts at the Git provider, 1 to ${MAX_USERS}. Required; not accepted with workspace tokens.`,
        examples: [['121358802', '22605247']],
      }),
    ),
    members: Type.Optional(
      Type.Array(Type.Union([ByEmail, ById]), {
        minItems: 1,
        [DOCUMENTED_MAX_ITEMS]: MAX_USERS,
        description: `People of the workspace, 1 to ${MAX_USERS}. Required with workspace tokens; not accepted with other keys.`,
        examples: [[{ email: 'mei.tanaka@example.com' }]],
      }),
    ),
    org_id: optionalOrgId(
      'Not accepted with workspace tokens, which manage the seats of the whole workspace. Other keys ignore it.',
    ),
  },
  closed,
)
export type SeatRequest = Static<typeof SeatRequest>

export const failureCodes = [
  'USER_NOT_FOUND',
  'USER_INACTIVE',
  'NO_SEATS_AVAILABLE',
  'PROTECTED_ROLE',
  'LAST_ADMIN',
  'INTERNAL_ERROR',
] as const

const Failure = Type.Object(
  {
    user_id: Type.String({ description: 'The user as passed: account, e-mail or cr_user_id.' }),
    id: Type.String({ description: 'Same as user_id.' }),
    code: Type.Union(failureCodes.map((code) => Type.Literal(code))),
    message: Type.String(),
  },
  closed,
)

export const SeatResult = Type.Object(
  {
    status: Type.Union([Type.Literal('success'), Type.Literal('partial_success'), Type.Literal('failure')]),
    succeeded: Type.Array(Type.String(), {
      description: 'Users as passed, in the order of the request, without duplicates.',
    }),
    failed: Type.Array(Failure),
  },
  closed,
)

export const SeatMode = Type.Object(
  {
    mode: Type.Union([Type.Literal('automatic'), Type.Literal('manual')], {
      description:
        'automatic: developers who tag the reviewer get a seat while seats are free. manual: an admin assigns seats.',
    }),
  },
  closed,
)
