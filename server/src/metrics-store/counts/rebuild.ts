import { rootScope, type Scope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import type { RowSink } from '../../db/raw-rows.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Log } from '../../observe/log.ts'
import { reservePositions } from '../write/head-sql.ts'
import type { Grain } from './grain.ts'
import { type CountRow, readTallies, replaceCounts } from './rebuild-sql.ts'
import { type CountBlock, deleteStaleBlock, findStaleUnscoped } from './stale-sql.ts'
import { type FindingSum, type GroupKey, SumSink } from './sum-sink.ts'
import { renderTally } from './tally.ts'

export interface RebuildContext {
  readonly stores: MetricsStores
  readonly log: Log
  readonly now: () => Date
}

// A block under constant writes is rebuilt once a minute; until then, readers use its pull requests.
const STALE_MS = 60_000
// Shorter than the drain time of a worker; shared by all stores.
const RUN_MS = 10_000
const MAX_BLOCKS = 5_000

/** Rebuilds the counts of blocks that became stale more than a minute ago. A failing store or block does not stop the others. */
export async function rebuildStaleCounts(context: RebuildContext): Promise<void> {
  const { stores, log } = context
  for (const store of stores.names)
    await rebuildStoreCounts(context, store, RUN_MS / stores.names.length).catch((err: unknown) =>
      log.error({ err, store }, 'rebuilding the finding counts of a store failed; the next run retries'),
    )
}

async function rebuildStoreCounts(
  { stores, log, now }: RebuildContext,
  store: string,
  budgetMs: number,
): Promise<void> {
  const start = now().getTime()
  const pool = stores.pool(store)
  const stale = await findStaleUnscoped(pool, new Date(start - STALE_MS), MAX_BLOCKS)
  for (const { root, ...block } of stale) {
    if (now().getTime() > start + budgetMs) return
    await rebuildCounts(pool, rootScope(root), block).catch((err: unknown) =>
      log.error({ err, root, store }, 'rebuilding finding counts failed; the next run retries'),
    )
  }
}

/** Holds the head's lock, as writers do, so that no write interferes. */
export async function rebuildCounts(pool: Pool, scope: Scope, block: CountBlock): Promise<boolean> {
  return inTransaction(pool, scope, async (tx) => {
    const head = await reservePositions(scope, tx, 0)
    if (head.state !== 'active' || !(await deleteStaleBlock(scope, tx, block))) return false
    const sums = new GrainSums()
    await readTallies(scope, tx, block, sums)
    await replaceCounts(scope, tx, block, sums.rows(block))
    return true
  })
}

const cellKeys = ['reviewer', 'severity', 'category'] as const
const groupKeysByGrain: Readonly<Record<Grain, readonly GroupKey[]>> = {
  block: ['repository', 'author', ...cellKeys],
  repository: ['week', 'repository', ...cellKeys],
  author: ['week', 'author', ...cellKeys],
  total: ['week', ...cellKeys],
}

/** Sums the same rows at every grain. */
class GrainSums implements RowSink {
  readonly #grains = (Object.keys(groupKeysByGrain) as Grain[]).map((grain) => ({
    grain,
    sums: new SumSink(new Set(groupKeysByGrain[grain]), Number.POSITIVE_INFINITY),
  }))

  take(bytes: Buffer, start: number): void {
    for (const { sums } of this.#grains) sums.take(bytes, start)
  }

  rows({ organization_id, instance_id, block }: CountBlock): CountRow[] {
    return this.#grains.flatMap(({ grain, sums }) =>
      [...Map.groupBy(sums.sums(), toCountRowKey).values()].map((counts) => {
        const { week, repository, author } = counts[0] as FindingSum
        return {
          organization_id,
          instance_id,
          grain,
          period: grain === 'block' ? block : week,
          repository_id: repository ?? '',
          author_id: author ?? '',
          tally: renderTally(counts),
        }
      }),
    )
  }
}

function toCountRowKey({ week, repository, author }: FindingSum): string {
  return `${week}\n${repository}\n${author ?? ''}`
}
