import {
  CredentialRejectedError,
  HostRefusedError,
  NotFoundError,
  ProviderUnavailableError,
  RateLimitedError,
  type WorkClass,
} from '../git-providers/provider-client.ts'
import type { Trouble } from './connector-sql.ts'
import { type SyncedConnector } from './context.ts'
import {
  DeadlineExceededError,
  QueueUnavailableError,
  TooManyItemsError,
  UnreadableSecretError,
  WrongOrganizationError,
} from './errors.ts'

const MINUTE_MS = 60_000
const MAX_RETRY_MS = 15 * MINUTE_MS
/** A short outage is no news. */
const FAILURES_TO_REPORT = 3

/** What an admin reads in the list of connectors, and when to try again. Null = a defect of ours. */
export function describeTrouble(
  error: unknown,
  { provider, host }: SyncedConnector,
  { failures, at, work }: { readonly failures: number; readonly at: Date; readonly work: WorkClass },
): Trouble | null {
  const after = (ms: number) => new Date(at.getTime() + ms)
  const failing = (text: string, retryAt = after(MAX_RETRY_MS)): Trouble => {
    return { status: 'failing', error: text, retryAt, ofBackfill: false }
  }
  if (error instanceof RateLimitedError) {
    const until = error.retryAt.toISOString().slice(0, 16).replace('T', ' ')
    return {
      status: null,
      error: `The rate limit of ${host} is reached until ${until} UTC. Reading continues then by itself.`,
      retryAt: error.retryAt,
      ofBackfill: work === 'backfill',
    }
  }
  if (error instanceof CredentialRejectedError)
    return failing(
      provider === 'github'
        ? `${host} rejects the credential, or it lacks a permission. Check that the App is installed with all permissions, or delete this connector and connect again.`
        : `${host} rejects the token: it has expired, was revoked or lacks the scope read_api. Delete this connector and connect again with a new token.`,
    )
  if (error instanceof NotFoundError)
    return failing(
      `${host} does not show the organization or a repository to this credential. Check the account name and the permissions.`,
    )
  if (error instanceof HostRefusedError)
    return failing(
      `The server may not send requests to ${host}. Ask the operator to add it to CONNECTOR_HOSTS.`,
    )
  if (error instanceof WrongOrganizationError)
    return failing(
      'The credential belongs to another organization. Delete this connector and connect with one of this organization.',
    )
  if (error instanceof TooManyItemsError)
    return failing(
      'The organization has more than 100,000 repositories or members, which a connector cannot read. Connect parts of it instead.',
    )
  if (error instanceof UnreadableSecretError)
    return failing(
      'The stored credential cannot be decrypted. Ask the operator about CONNECTOR_KEYS, or delete this connector and connect again.',
    )
  if (error instanceof QueueUnavailableError)
    return {
      status: null,
      error: 'The event queue of this server is full or unavailable. Reading continues by itself.',
      retryAt: after(MINUTE_MS / 2),
      ofBackfill: false,
    }
  const isLate = error instanceof DeadlineExceededError
  if (isLate || error instanceof ProviderUnavailableError) {
    const retryAt = after(Math.min((MINUTE_MS / 2) * 2 ** failures, MAX_RETRY_MS))
    const text = isLate
      ? `Reading ${host} took so long that it was ended. It is tried again by itself.`
      : `${host} cannot be reached, or answers with errors. Reading is tried again by itself.`
    return failures + 1 < FAILURES_TO_REPORT
      ? { status: null, error: text, retryAt, ofBackfill: work === 'backfill' && isLate }
      : failing(text, retryAt)
  }
  return null
}

/** Shown while other repositories are read. */
export function describeRefusal({ host }: SyncedConnector): string {
  return `${host} does not let the token read the merge requests of some projects. Check that it has the role Reporter in the whole group. The other projects are read.`
}

/** For the log of the operator: where it failed, without the message, which may quote what was read. */
export function describeDefect(error: unknown): {
  readonly error: string
  readonly frames: readonly string[]
} {
  const { name, stack = '' } = error instanceof Error ? error : { name: 'unknown' }
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  return { error: name, frames: frames.slice(0, 5) }
}
