import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { WorkerContext } from '../context.ts'
import type { EventBatch } from '../ingest-event.ts'
import { type ResolvedOrganization, readOrganizations } from './organizations-sql.ts'
import type { OrganizationRef } from './shapes.ts'

/** Not told apart: what does not exist, and what the credential may not speak for. */
export const UNRESOLVED_REASON = 'No organization that the credential may speak for matches.'

/** Null for what is unresolved. */
export type FindOrganization = (name: OrganizationRef) => ResolvedOrganization | null

type OrganizationReader = Pick<WorkerContext, 'database' | 'now'>
type OrganizationCache = Map<
  string,
  { readonly organization: ResolvedOrganization; readonly expiresAt: number }
>

// So soon an organization that has left the root is noticed. That one is missing is not remembered.
const CACHE_TTL_MS = 5000
const MAX_CACHED_ORGANIZATIONS = 10_000
/** Of each database its own. */
const caches = new WeakMap<Pool, OrganizationCache>()

/** Finds the organizations that the events of a batch name; what is asked in the same moment shares the round trip. */
export async function findOrganizations(
  reader: OrganizationReader,
  tx: Tx,
  { root, organizations }: Pick<EventBatch, 'root' | 'organizations'>,
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
  { database, now }: OrganizationReader,
  keys: Iterable<string>,
): Map<string, ResolvedOrganization> {
  const cache = caches.get(database)
  const found = new Map<string, ResolvedOrganization>()
  const at = now().getTime()
  for (const key of keys) {
    const cached = cache?.get(key)
    if (cached !== undefined && at < cached.expiresAt) found.set(key, cached.organization)
  }
  return found
}

function cacheOrganizations(
  { database, now }: OrganizationReader,
  root: RootId,
  found: readonly ResolvedOrganization[],
): void {
  const cache: OrganizationCache = caches.get(database) ?? new Map()
  caches.set(database, cache)
  if (cache.size + found.length > MAX_CACHED_ORGANIZATIONS) cache.clear()
  const expiresAt = now().getTime() + CACHE_TTL_MS
  for (const organization of found) cache.set(toCacheKey(root, organization), { organization, expiresAt })
}
