import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import {
  createPullRequests,
  createReviews,
  inTransaction,
  type MetricsStores,
  type PullRequestKey,
  type PullRequestRow,
  type ReviewRow,
  readPullRequests,
  rootScope,
} from '../../server/test/statements.ts'

type Root = Parameters<typeof rootScope>[0]

/** The rows of a pull request as the worker stores them: one for each endpoint that shows it. */
export interface StoredRow {
  readonly row: PullRequestRow
  readonly review: Pick<ReviewRow, 'entry' | 'tally'>
}

export function readRows(
  stores: MetricsStores,
  root: Root,
  keys: readonly PullRequestKey[],
): Promise<PullRequestRow[]> {
  const scope = rootScope(root)
  return inTransaction(stores.pool('shared'), scope, (tx) => readPullRequests(scope, tx, keys))
}

/**
 * Pull requests per second of the service's own INSERTs alone, one transaction per batch: in the same tables, as the
 * worker's role under row-level security. Each connection has its own tenant root.
 */
export async function insertFor(
  seconds: number,
  stores: MetricsStores,
  batch: readonly StoredRow[],
  connections: number,
): Promise<number> {
  const pool = stores.pool('shared')
  const started = performance.now()
  const end = started + seconds * 1000
  let written = 0

  async function run(): Promise<void> {
    const scope = rootScope(randomUUID() as string as Root)
    for (let number = 1; performance.now() < end; number += batch.length) {
      const numbered = (index: number) => ({ number: number + index, position: number + index })
      const rows = batch.map(({ row }, index) => ({ ...row, ...numbered(index) }))
      const reviews = batch.map(({ row, review }, index) => ({ ...row, ...numbered(index), ...review }))
      await inTransaction(pool, scope, (tx) =>
        Promise.all([createPullRequests(scope, tx, rows), createReviews(scope, tx, reviews)]),
      )
      written += rows.length
    }
  }

  await Promise.all(Array.from({ length: connections }, run))
  return (written / (performance.now() - started)) * 1000
}
