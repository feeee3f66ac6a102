import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { WorkerContext } from '../context.ts'
import type { EventBatch } from '../ingest-event.ts'
import { type FoundOrganization, readOrganizations } from './organizations-sql.ts'
import type { OrganizationName } from './shapes.ts'

/** Not told apart: what does not exist, and what the credential may not speak for. */
export const UNRESOLVED = 'No organization that the credential may speak for matches.'

/** Null for what is unresolved. */
export type FindOrganization = (name: OrganizationName) => FoundOrganization | null

type Reader = Pick<WorkerContext, 'database' | 'now'>
type Memory = Map<string, { readonly organization: FoundOrganization; readonly until: number }>

// So soon an organization that has left the root is noticed. That one is missing is not remembered.
const LIFE_MS = 5000
const MOST_REMEMBERED = 10_000
/** Of each database its own. */
const memories = new WeakMap<Pool, Memory>()

/** Finds the organizations that the events of a batch name; what is asked in the same moment shares the round trip. */
export async function findOrganizations(
  reader: Reader,
  tx: Tx,
  { root, organizations }: Pick<EventBatch, 'root' | 'organizations'>,
  names: readonly OrganizationName[],
): Promise<FindOrganization> {
  const requested = new Map(names.map((name) => [keyOf(root, name), name]))
  const found = recall(reader, requested.keys())
  const missing = [...requested].filter(([key]) => !found.has(key)).map(([, name]) => name)
  const read = missing.length === 0 ? [] : await readOrganizations(rootScope(root), tx, missing)
  remember(reader, root, read)
  for (const organization of read) found.set(keyOf(root, organization), organization)
  return (name) => {
    const organization = found.get(keyOf(root, name))
    if (organization === undefined) return null
    return (organizations?.includes(organization.organization_id) ?? true) ? organization : null
  }
}

function keyOf(root: RootId, { provider, host, id }: OrganizationName): string {
  return `${root}\n${provider}\n${host}\n${id}`
}

function recall({ database, now }: Reader, keys: Iterable<string>): Map<string, FoundOrganization> {
  const memory = memories.get(database)
  const found = new Map<string, FoundOrganization>()
  const at = now().getTime()
  for (const key of keys) {
    const remembered = memory?.get(key)
    if (remembered !== undefined && at < remembered.until) found.set(key, remembered.organization)
  }
  return found
}

function remember({ database, now }: Reader, root: RootId, found: readonly FoundOrganization[]): void {
  const memory: Memory = memories.get(database) ?? new Map()
  memories.set(database, memory)
  if (memory.size + found.length > MOST_REMEMBERED) memory.clear()
  const until = now().getTime() + LIFE_MS
  for (const organization of found) memory.set(keyOf(root, organization), { organization, until })
}
