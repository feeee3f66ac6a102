import { type TArrayOptions, Type } from 'typebox'
import { refuse } from '../errors.ts'
import { closedObject, DOCUMENTED_MAX_ITEMS, literals } from '../shape.ts'

// How requests name users, and the result of a request that changes many of them at once.

export const ByEmail = closedObject({
  email: Type.String({ minLength: 1, maxLength: 320, description: 'Not case-sensitive.' }),
})
export const ByPersonId = closedObject({
  cr_user_id: Type.String({ format: 'uuid', description: '`cr_user_id` of GET /v1/users.' }),
})

export const MAX_USERS = 500

// Too many entries have an error code of their own (BATCH_SIZE_EXCEEDED), so the maximum is only documented.
export const usersOptions = { minItems: 1, [DOCUMENTED_MAX_ITEMS]: MAX_USERS } as const

/** Users by their accounts at the Git provider. */
export const userIds = (description: string) => {
  const options: TArrayOptions = { ...usersOptions, description, examples: [['121358802', '22605247']] }
  return Type.Array(Type.String({ minLength: 1, maxLength: 200 }), options)
}

export function refuseTooManyUsers(users: readonly unknown[]): void {
  if (users.length <= MAX_USERS) return
  refuse(
    'BATCH_SIZE_EXCEEDED',
    `A request can name at most ${MAX_USERS} users. Split it into several requests.`,
  )
}

/** The schema of a response. `user` describes how the request names users. */
export const describeBatchResult = <Code extends string>(codes: readonly Code[], user: string) =>
  closedObject({
    status: literals(['success', 'partial_success', 'failure']),
    succeeded: Type.Array(Type.String(), {
      description: 'Users as passed, in the order of the request, without duplicates.',
    }),
    failed: Type.Array(
      closedObject({
        user_id: Type.String({ description: user }),
        id: Type.String({ description: 'Same as user_id.' }),
        code: literals(codes),
        message: Type.String(),
      }),
    ),
  })

/** The response: for each user, in the order of the request, why it failed; null if it did not. */
export function toBatchResult<Code extends string>(
  outcomes: readonly (readonly [user: string, Code | null])[],
  messages: Readonly<Record<Code, string>>,
) {
  const succeeded = outcomes.flatMap(([user, code]) => (code === null ? [user] : []))
  const failed = outcomes.flatMap(([user, code]) =>
    code === null ? [] : [{ user_id: user, id: user, code, message: messages[code] }],
  )
  const status = failed.length === 0 ? 'success' : succeeded.length === 0 ? 'failure' : 'partial_success'
  return { status, succeeded, failed } as const
}
