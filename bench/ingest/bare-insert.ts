import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import {
  createPullRequests,
  inReach,
  type PullRequestKey,
  type PullRequestRow,
  readPullRequests,
  rootScope,
  type Stores,
} from '../../server/test/statements.ts'

type Root = Parameters<typeof rootScope>[0]

/** Rows as the worker has stored them. */
export function readRows(
  stores: Stores,
  root: Root,
  keys: readonly PullRequestKey[],
): Promise<PullRequestRow[]> {
  const scope = rootScope(root)
  return inReach(stores.pool('shared'), scope, (tx) => readPullRequests(scope, tx, keys))
}

/**
 * Rows a second of the service's own INSERT alone, each batch a transaction: in the same table, as the worker's role
 * under row-level security, on so many connections, each with a tenant root of its own.
 */
export async function insertFor(
  seconds: number,
  stores: Stores,
  batch: readonly PullRequestRow[],
  connections: number,
): Promise<number> {
  const pool = stores.pool('shared')
  const started = performance.now()
  const end = started + seconds * 1000
  let written = 0

  async function run(): Promise<void> {
    const scope = rootScope(randomUUID() as string as Root)
    for (let number = 1; performance.now() < end; number += batch.length) {
      const rows = batch.map((row, place) => ({ ...row, number: number + place, position: number + place }))
      await inReach(pool, scope, (tx) => createPullRequests(scope, tx, rows))
      written += rows.length
    }
  }

  await Promise.all(Array.from({ length: connections }, run))
  return (written / (performance.now() - started)) * 1000
}
