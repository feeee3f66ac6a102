import { type Static, Type } from 'typebox'
import { closed } from '../../shape.ts'

export const MAX_USERS = 500

const ByEmail = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320, description: 'In any case.' }) },
  closed,
)
const ById = Type.Object(
  { cr_user_id: Type.String({ format: 'uuid', description: '`cr_user_id` of GET /v1/users.' }) },
  closed,
)

// How many there may be is said with a code of its own (BATCH_SIZE_EXCEEDED), not by the shape.
export const SeatRequest = Type.Object(
  {
    action: Type.Union([Type.Literal('assign'), Type.Literal('unassign')]),
    user_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        description: `Accounts at the Git provider, 1 to ${MAX_USERS}. Required, but not for workspace tokens, which cannot pass it.`,
        examples: [['121358802', '22605247']],
      }),
    ),
    members: Type.Optional(
      Type.Array(Type.Union([ByEmail, ById]), {
        minItems: 1,
        description: `Workspace tokens only, which must pass it: people of the workspace, 1 to ${MAX_USERS}.`,
        examples: [[{ email: 'mei.tanaka@example.com' }]],
      }),
    ),
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Refused with a workspace token: its seats are those of the workspace. Other keys ignore it.',
      }),
    ),
  },
  closed,
)
export type SeatRequest = Static<typeof SeatRequest>

export const failureCodes = [
  'USER_NOT_FOUND',
  'NO_SEATS_AVAILABLE',
  'PROTECTED_ROLE',
  'LAST_ADMIN',
  'INTERNAL_ERROR',
] as const

const Failure = Type.Object(
  {
    user_id: Type.String({ description: 'As it was passed: the account, e-mail or cr_user_id.' }),
    id: Type.String({ description: 'The same.' }),
    code: Type.Union(failureCodes.map((code) => Type.Literal(code))),
    message: Type.String(),
  },
  closed,
)

export const SeatResult = Type.Object(
  {
    status: Type.Union([Type.Literal('success'), Type.Literal('partial_success'), Type.Literal('failure')]),
    succeeded: Type.Array(Type.String(), { description: 'As they were passed, in that order, each once.' }),
    failed: Type.Array(Failure),
  },
  closed,
)

export const SeatMode = Type.Object(
  {
    mode: Type.Union([Type.Literal('automatic'), Type.Literal('manual')], {
      description:
        'automatic: whoever tags the reviewer gets a seat while there are some; manual: an admin decides.',
    }),
  },
  closed,
)
