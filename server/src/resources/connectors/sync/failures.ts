import {
  NotFoundError,
  type ProviderClient,
  ProviderError,
  ProviderUnavailableError,
  RepositoryRefusedError,
} from '../git-providers/provider-client.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { QueueUnavailableError } from './errors.ts'
import { describeDefect } from './trouble.ts'

/**
 * Returns what stops the whole connector, or null if only one pull request or repository failed. An error of the Git provider can be
 * either: a call that has nothing to do with them decides.
 */
export async function findSharedFailure(
  error: unknown,
  client: ProviderClient,
): Promise<{ readonly error: unknown } | null> {
  if (error instanceof NotFoundError || error instanceof RepositoryRefusedError) return null
  if (error instanceof ProviderUnavailableError)
    return await client.checkConnection().then(
      () => null,
      (failure: unknown) => ({ error: failure }),
    )
  return error instanceof ProviderError || error instanceof QueueUnavailableError ? { error } : null
}

/** For the operator: the list of connectors shows only what stops all of one. */
export function logOwnFailure(
  { log }: Pick<SyncContext, 'log'>,
  { id, root }: SyncedConnector,
  what: { readonly repository: string; readonly number?: number; readonly task?: string },
  error: unknown,
): void {
  const fields = { connector: id, root, ...what, ...describeDefect(error) }
  const message = what.number === undefined ? 'a task of a repository failed' : 'a pull request failed'
  if (error instanceof ProviderError) log.warn(fields, message)
  else log.error(fields, message)
}
