import { rootScope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId, RootId } from '../../ids.ts'
import type { OrganizationRef } from './shapes.ts'
import { type ResolvedOrganization, readOrganizations } from './sql.ts'

/** One reason for an unknown organization and for one outside the credential's scope, so that neither is revealed. */
export const UNRESOLVED_REASON = 'No organization that the credential may speak for matches.'

/** Returns null if no organization matches. */
export type FindOrganization = (name: OrganizationRef) => ResolvedOrganization | null

/** By root, provider, host and id. The worker's context holds it. */
export type OrganizationCache = Map<
  string,
  { readonly organization: ResolvedOrganization; readonly expiresAt: number }
>

interface OrganizationReader {
  readonly organizationCache: OrganizationCache
  readonly now: () => Date
}

// An organization that has left the root is noticed after at most this long. A missing organization is not cached.
const CACHE_TTL_MS = 5000
const MAX_CACHED_ORGANIZATIONS = 10_000

/** Finds the organizations that the events of a batch name, in the round trip of the caller's other statements. */
export async function findOrganizations(
  reader: OrganizationReader,
  tx: Tx,
  {
    root,
    organizations,
  }: { readonly root: RootId; readonly organizations: readonly OrganizationId[] | null },
  names: readonly OrganizationRef[],
): Promise<FindOrganization> {
  const requested = new Map(names.map((name) => [toCacheKey(root, name), name]))
  const found = readCached(reader, requested.keys())
  const missing = [...requested].filter(([key]) => !found.has(key)).map(([, name]) => name)
  const read = missing.length === 0 ? [] : await readOrganizations(rootScope(root), tx, missing)
  cacheOrganizations(reader, root, read)
  for (const organization of read) found.set(toCacheKey(root, organization), organization)
  return (name) => {
    const organization = found.get(toCacheKey(root, name))
    if (organization === undefined) return null
    return (organizations?.includes(organization.organization_id) ?? true) ? organization : null
  }
}

function toCacheKey(root: RootId, { provider, host, id }: OrganizationRef): string {
  return `${root}\n${provider}\n${host}\n${id}`
}

function readCached(
  { organizationCache, now }: OrganizationReader,
  keys: Iterable<string>,
): Map<string, ResolvedOrganization> {
  const found = new Map<string, ResolvedOrganization>()
  const at = now().getTime()
  for (const key of keys) {
    const cached = organizationCache.get(key)
    if (cached !== undefined && at < cached.expiresAt) found.set(key, cached.organization)
  }
  return found
}

function cacheOrganizations(
  { organizationCache: cache, now }: OrganizationReader,
  root: RootId,
  found: readonly ResolvedOrganization[],
): void {
  if (cache.size + found.length > MAX_CACHED_ORGANIZATIONS) cache.clear()
  const expiresAt = now().getTime() + CACHE_TTL_MS
  for (const organization of found) cache.set(toCacheKey(root, organization), { organization, expiresAt })
}
