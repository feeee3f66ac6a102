import { type Static, Type } from 'typebox'
import {
  ByEmail,
  ByPersonId,
  describeBatchResult,
  MAX_USERS,
  userIds,
  usersOptions,
} from '../../http/named-users.ts'
import { closedObject, literals, optionalOrgId } from '../../shape.ts'

export const SeatRequest = closedObject({
  action: literals(['assign', 'unassign']),
  user_ids: Type.Optional(
    userIds(`Accounts at the Git provider, 1 to ${MAX_USERS}. Required; not accepted with workspace tokens.`),
  ),
  members: Type.Optional(
    Type.Array(Type.Union([ByEmail, ByPersonId]), {
      ...usersOptions,
      description: `People of the workspace, 1 to ${MAX_USERS}. Required with workspace tokens; not accepted with other keys.`,
      examples: [[{ email: 'mei.tanaka@example.com' }]],
    }),
  ),
  org_id: optionalOrgId(
    'Not accepted with workspace tokens, which manage the seats of the whole workspace. Other keys ignore it.',
  ),
})
export type SeatRequest = Static<typeof SeatRequest>

export const SeatResult = describeBatchResult(
  ['USER_NOT_FOUND', 'USER_INACTIVE', 'NO_SEATS_AVAILABLE', 'PROTECTED_ROLE', 'LAST_ADMIN', 'INTERNAL_ERROR'],
  'The user as passed: account, e-mail or cr_user_id.',
)

export const SeatMode = closedObject({
  mode: literals(['automatic', 'manual'], {
    description:
      'automatic: developers who tag the reviewer get a seat while seats are free. manual: an admin assigns seats.',
  }),
})
