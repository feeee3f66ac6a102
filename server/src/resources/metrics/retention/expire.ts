import { rootScope } from '../../../access/scope.ts'
import type { Pool } from '../../../db/connect.ts'
import type { MetricsStores } from '../../../db/stores.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { RootId } from '../../../ids.ts'
import { reservePositions } from '../../../metrics-store/write/head-sql.ts'
import type { Log } from '../../../observe/log.ts'
import { getFirstDayOfMonth } from '../../../time.ts'
import { renderRemoval } from '../review-comments/entry.ts'
import { writeChanges } from '../review-comments/sql.ts'
import { countExpired, deleteExpired, deleteExpiredDays, findRootsUnscoped, PAGE_ROWS } from './sql.ts'

interface Retention {
  readonly stores: MetricsStores
  readonly log: Log
  readonly metricsRetentionMonths: number | null
  readonly now: () => Date
}

// Shorter than the drain time of a worker; shared by all stores. The next run continues.
const RUN_MS = 10_000

/** Removes expired metrics for a few seconds. A failing store or root does not stop the others. */
export async function expireMetrics({ stores, log, metricsRetentionMonths, now }: Retention): Promise<void> {
  if (metricsRetentionMonths === null) return
  const firstDay = getFirstDayOfMonth(now(), metricsRetentionMonths)
  for (const store of stores.names) {
    const end = now().getTime() + RUN_MS / stores.names.length
    const report = (err: unknown, root?: RootId) =>
      log.error({ err, store, root }, 'removing expired metrics failed; the next run retries')
    const run = { firstDay, at: now(), report, isOver: () => now().getTime() > end }
    const removed = await expireStore(stores.pool(store), run).catch((err: unknown) => report(err))
    if (removed) log.info({ store, removed, firstDay }, 'removed expired metrics')
  }
}

export interface ExpiryRun {
  /** The first day that is stored. */
  readonly firstDay: string
  /** The time of the removals in the feed of changes. */
  readonly at: Date
  readonly report: (err: unknown, root: RootId) => void
  readonly isOver?: () => boolean
}

/** Takes one step for each root in turn, so that a small root does not wait for a large one. Returns the number of pull requests. */
export async function expireStore(pool: Pool, run: ExpiryRun): Promise<number> {
  let removed = 0
  let roots = await findRootsUnscoped(pool, run.firstDay)
  while (roots.length > 0) {
    const unfinished: RootId[] = []
    for (const root of roots) {
      if (run.isOver?.()) return removed
      try {
        const rows = await expireStep(pool, root, run)
        removed += rows
        if (rows === PAGE_ROWS) unfinished.push(root)
      } catch (err) {
        run.report(err, root)
      }
    }
    roots = unfinished
  }
  return removed
}

/**
 * Removes one page of the root's pull requests, as a writer: under the head's lock, with new positions for the removals. So a
 * step is done wholly or not at all, and the next one continues. A root that is being moved is left alone.
 */
async function expireStep(pool: Pool, root: RootId, { firstDay, at }: ExpiryRun): Promise<number> {
  const scope = rootScope(root)
  return inTransaction(pool, scope, async (tx) => {
    const head = await reservePositions(scope, tx, PAGE_ROWS)
    if (head.state !== 'active') return 0
    const removed = await deleteExpired(scope, tx, firstDay)
    const counted = removed.filter((row) => row.counted)
    const changes = counted.map((row, index) => {
      const position = head.position - PAGE_ROWS + 1 + index
      return { ...row, position, entry: renderRemoval(position, row, at.toISOString(), 'expired') }
    })
    await writeChanges(scope, tx, changes)
    if (removed.length < PAGE_ROWS) await deleteExpiredDays(scope, tx, firstDay)
    return removed.length
  })
}

/** The number of pull requests of a store that a run would remove. */
export async function countExpiredInStore(pool: Pool, firstDay: string): Promise<number> {
  let pullRequests = 0
  for (const root of await findRootsUnscoped(pool, firstDay)) {
    const scope = rootScope(root)
    pullRequests += await inTransaction(pool, scope, (tx) => countExpired(scope, tx, firstDay))
  }
  return pullRequests
}
