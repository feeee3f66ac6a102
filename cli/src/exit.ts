// Exit codes and error messages. The codes are stable: scripts depend on them.
import { toLine } from './output.ts'

export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notSignedIn: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  unavailable: 7,
  partial: 8,
} as const

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An error for the person at the terminal: what is wrong, and what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly next: string | undefined
  readonly exitCode: ExitCode

  constructor(
    message: string,
    { next, exitCode = exitCodes.failure }: { next?: string; exitCode?: ExitCode } = {},
  ) {
    super(message)
    this.next = next
    this.exitCode = exitCode
  }
}

interface Problem {
  readonly code: string
  readonly message: string
  readonly next?: string | undefined
  readonly request_id?: string | undefined
  readonly exitCode: ExitCode
}

/** The fields of the SDK's ScholiastError; reading them by shape saves loading the SDK for a usage error. */
interface ServiceError {
  readonly name: 'ScholiastError'
  readonly message: string
  readonly code: string
  readonly status: number
  readonly requestId?: string | null
  readonly retryAfter?: number | null
}

const statusExits: ReadonlyMap<number, ExitCode> = new Map([
  [0, exitCodes.unavailable],
  [400, exitCodes.usage],
  [401, exitCodes.notSignedIn],
  [402, exitCodes.forbidden],
  [403, exitCodes.forbidden],
  [404, exitCodes.notFound],
  [409, exitCodes.conflict],
  [410, exitCodes.notSignedIn],
  [429, exitCodes.unavailable],
  [502, exitCodes.unavailable],
  [503, exitCodes.unavailable],
  [504, exitCodes.unavailable],
])

const nextSteps: ReadonlyMap<string, string> = new Map([
  ['UNAUTHORIZED', 'Run "scholiast login" with a valid key.'],
  ['LEGACY_API_KEY', 'Legacy keys are not accepted here. Create a user key, then run "scholiast login".'],
  ['ORG_ID_REQUIRED', 'Add --org ID; "scholiast organizations list" shows the IDs.'],
  ['ORG_ID_AMBIGUOUS', 'Write --org PROVIDER:ID, for example --org github:1042.'],
  ['ORGANIZATION_NOT_FOUND', 'Run "scholiast organizations list" for the IDs that this key can see.'],
  ['PERMISSION_DENIED', 'Run "scholiast status" to see what this key may do; an admin can extend its role.'],
  ['NOT_ADMIN', 'Use a key whose owner has the Admin role.'],
  ['OWNER_NOT_ADMIN', 'The owner of this workspace token is no longer a workspace admin. Use another key.'],
  ['KEY_KIND_NOT_ALLOWED', 'Run "scholiast status" to see what this kind of key may do; use another kind.'],
  ['ENTERPRISE_REQUIRED', 'This needs the Enterprise plan.'],
  ['RATE_LIMIT_EXCEEDED', 'Wait a minute, then run the command again.'],
  ['RESPONSE_TOO_LARGE', 'Narrow the dates or filters, or set a smaller --limit.'],
  [
    'CONNECTOR_EXISTS',
    'To replace it, find its ID with "scholiast connectors list" and run "scholiast connectors remove ID".',
  ],
  [
    'ROLE_IN_USE',
    'First give its users another role with "scholiast users set-role" or "scholiast roles assign".',
  ],
  [
    'NETWORK_ERROR',
    'Check the address (--url, SCHOLIAST_URL or the profile) and that the service is running.',
  ],
  ['TIMEOUT', 'Try again; if it stays slow, narrow the request.'],
])

export function reportError(error: unknown, { json }: { readonly json?: boolean }): ExitCode {
  const { exitCode, ...problem } = describeProblem(error)
  if (json === true) {
    process.stderr.write(`${toLine(JSON.stringify({ error: { ...problem, exit_code: exitCode } }))}\n`)
    return exitCode
  }
  const lines = [`error: ${problem.message}`]
  if (problem.next !== undefined) lines.push(`next:  ${problem.next}`)
  if (problem.request_id !== undefined) lines.push(`request id: ${problem.request_id}`)
  process.stderr.write(`${lines.map(toLine).join('\n')}\n`)
  return exitCode
}

function describeProblem(error: unknown): Problem {
  if (error instanceof CliError) {
    return { code: 'CLI', message: error.message, next: error.next, exitCode: error.exitCode }
  }
  if (isServiceError(error)) {
    return {
      code: error.code,
      message: `${error.message}${error.status === 0 ? '' : ` (${error.status} ${error.code})`}`,
      next: nextSteps.get(error.code),
      request_id: error.requestId ?? undefined,
      exitCode: statusExits.get(error.status) ?? exitCodes.failure,
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'UNEXPECTED', message, exitCode: exitCodes.failure }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ScholiastError' && 'status' in error && 'code' in error
}
