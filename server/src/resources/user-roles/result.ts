import type { FailureCode, UserFailure } from './schema.ts'

/** Of users that were found: null, or the first thing that failed. */
export type Outcomes = ReadonlyMap<string, Exclude<FailureCode, 'USER_NOT_FOUND'> | null>

const messages: Readonly<Record<FailureCode, string>> = {
  USER_NOT_FOUND: 'No member is known by this id. List them with GET /v1/users.',
  PROTECTED_ROLE: 'Billing admins keep their role: it cannot be changed here.',
  LAST_ADMIN: 'An organization would be left without an admin. Make somebody else cr_admin first.',
  INTERNAL_ERROR: 'The role could not be changed in at least one organization. Send the request again.',
}

interface RoleResult {
  readonly status: 'success' | 'partial_success' | 'failure'
  readonly succeeded: readonly string[]
  readonly failed: readonly UserFailure[]
}

/** What is told of each user, in the order of the request. */
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
