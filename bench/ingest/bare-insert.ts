import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import {
  createPullRequests,
  inTransaction,
  type MetricsStores,
  type PullRequestKey,
  type RenderedPullRequest,
  readFindings,
  readPullRequests,
  renderDocuments,
  rootScope,
} from '../../server/test/statements.ts'

type Root = Parameters<typeof rootScope>[0]

/** Pull requests with their findings and documents, as the worker has stored them. */
export function readRows(
  stores: MetricsStores,
  root: Root,
  keys: readonly PullRequestKey[],
): Promise<RenderedPullRequest[]> {
  const scope = rootScope(root)
  return inTransaction(stores.pool('shared'), scope, async (tx) => {
    const [rows, found] = await Promise.all([
      readPullRequests(scope, tx, keys),
      readFindings(scope, tx, keys),
    ])
    const byKey = Map.groupBy(found, ({ pull_request_key }) => pull_request_key)
    return rows.map((row) => {
      const pullRequest = { row, findings: byKey.get(row.pull_request_key) ?? [] }
      return { ...pullRequest, ...renderDocuments(pullRequest) }
    })
  })
}

/**
 * Pull requests per second of the service's own INSERTs alone, one transaction per batch: in the same tables, as the
 * worker's role under row-level security. Each connection has its own tenant root.
 */
export async function insertFor(
  seconds: number,
  stores: MetricsStores,
  batch: readonly RenderedPullRequest[],
  connections: number,
): Promise<number> {
  const pool = stores.pool('shared')
  const started = performance.now()
  const end = started + seconds * 1000
  let written = 0

  async function run(): Promise<void> {
    const scope = rootScope(randomUUID() as string as Root)
    for (let number = 1; performance.now() < end; number += batch.length) {
      const pullRequests = batch.map(({ row, ...rest }, index) => {
        const place = number + index
        return { ...rest, row: { ...row, pull_request_key: randomUUID(), number: place, position: place } }
      })
      await inTransaction(pool, scope, (tx) => createPullRequests(scope, tx, pullRequests))
      written += pullRequests.length
    }
  }

  await Promise.all(Array.from({ length: connections }, run))
  return (written / (performance.now() - started)) * 1000
}
