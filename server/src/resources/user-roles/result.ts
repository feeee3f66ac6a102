import type { FailureCode, UserFailure } from './schema.ts'

/** For each user that was found: null, or the first failure. */
export type Outcomes = ReadonlyMap<string, Exclude<FailureCode, 'USER_NOT_FOUND'> | null>

const messages: Readonly<Record<FailureCode, string>> = {
  USER_NOT_FOUND: 'No member with this ID was found. List users with GET /v1/users.',
  USER_INACTIVE:
    'This person is deactivated and cannot become an admin. The operator can reactivate the person; cr_member works.',
  PROTECTED_ROLE: 'The role of a billing admin cannot be changed with this endpoint.',
  LAST_ADMIN: 'An organization must have an admin. Give another user the role cr_admin first.',
  INTERNAL_ERROR: 'The role could not be changed in at least one organization. Retry the request.',
}

interface RoleResult {
  readonly status: 'success' | 'partial_success' | 'failure'
  readonly succeeded: readonly string[]
  readonly failed: readonly UserFailure[]
}

/** The result for each user, in the order of the request. */
export function toRoleResult(users: readonly string[], outcomes: Outcomes): RoleResult {
  const succeeded: string[] = []
  const failed: UserFailure[] = []
  for (const user of users) {
    const outcome = outcomes.get(user)
    if (outcome === null) {
      succeeded.push(user)
      continue
    }
    const code = outcome ?? 'USER_NOT_FOUND'
    failed.push({ user_id: user, id: user, code, message: messages[code] })
  }
  if (failed.length === 0) return { status: 'success', succeeded, failed }
  return { status: succeeded.length === 0 ? 'failure' : 'partial_success', succeeded, failed }
}
