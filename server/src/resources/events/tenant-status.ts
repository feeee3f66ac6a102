import { readRootKind } from '../../access/root.ts'
import type { SelectedScope } from '../../access/scope.ts'
import { readScoped } from '../../db/transaction.ts'
import type { AppContext } from '../../http/app-context.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { KeyId, OrganizationId } from '../../ids.ts'
import { type CredentialScope, readCredentialScopes, readOrganizationName } from './sql.ts'

/** The body of the response. */
export interface PreparedStatus {
  readonly last_event_at: string | null
  readonly queued: number | null
  readonly lag_seconds: number | null
  readonly parked: number
  readonly dead_letters: number | null
}

/** Asks the bus before the request takes a connection. */
export async function prepareTenantStatus(
  { apiPool, readIngestStatus }: AppContext,
  _input: unknown,
  { scope, organization }: SelectedScope,
): Promise<PreparedStatus> {
  if (organization === null) {
    const { dead_letters, ...status } = await readIngestStatus(scope.root, null)
    return { ...status, dead_letters: sum(dead_letters.values()) }
  }
  const [name, kind] = await readScoped(apiPool, scope, (tx) =>
    Promise.all([readOrganizationName(scope, tx, organization), readRootKind(scope, tx)]),
  )
  if (name === null) throw new Error('The selected organization exists.')
  const { last_event_at, parked, dead_letters } = await readIngestStatus(scope.root, name)
  const common = { last_event_at, queued: null, lag_seconds: null, parked }
  if (kind === 'organization') return { ...common, dead_letters: sum(dead_letters.values()) }
  const ids = [...dead_letters.keys()].filter((id) => id !== null) as KeyId[]
  const scopes =
    ids.length === 0 ? [] : await readScoped(apiPool, scope, (tx) => readCredentialScopes(scope, tx, ids))
  return { ...common, dead_letters: countOwn(dead_letters, scopes, organization) }
}

export async function showTenantStatus({ prepared }: RequestContext<PreparedStatus>): Promise<Reply> {
  return ok(prepared)
}

/**
 * The bus knows the credential of a dead letter, not the organizations of its events. Null if a credential that may send
 * for this organization and for others has dead letters.
 */
function countOwn(
  deadLetters: ReadonlyMap<string | null, number>,
  scopes: readonly CredentialScope[],
  organization: OrganizationId,
): number | null {
  const organizationsOf = new Map<string | null, readonly OrganizationId[] | null>(
    scopes.map(({ id, organization_ids }) => [id, organization_ids]),
  )
  let own = 0
  for (const [credential, count] of deadLetters) {
    const organizations = organizationsOf.get(credential) ?? null
    if (organizations !== null && !organizations.includes(organization)) continue
    if (organizations?.length !== 1) return null
    own += count
  }
  return own
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0)
}
