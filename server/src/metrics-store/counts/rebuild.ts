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

// A block that is written all the time is counted once a minute; what is read of it meanwhile are its pull requests.
const STALE_MS = 60_000
// Shorter than a worker has to drain; shared by the stores.
const RUN_MS = 10_000
const MAX_BLOCKS = 5_000

/** Counts anew what was written to more than a minute ago. A store or a block that fails does not hold up the others. */
export async function rebuildStaleCounts(context: RebuildContext): Promise<void> {
  const { stores, log } = context
  for (const store of stores.names)
    await rebuildStoreCounts(context, store, RUN_MS / stores.names.length).catch((err: unknown) =>
      log.error({ err, store }, 'the findings of a store were not counted anew; it is tried again'),
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
      log.error({ err, root, store }, 'findings were not counted anew; it is tried again'),
    )
  }
}

/** Under the lock of the head, as they are written: nobody changes what is read here, or reads what is half written. */
export async function rebuildCounts(pool: Pool, scope: Scope, block: CountBlock): Promise<boolean> {
  return inTransaction(pool, scope, async (tx) => {
    const head = await reservePositions(scope, tx, 0)
    if (head.state !== 'here' || !(await deleteStaleBlock(scope, tx, block))) return false
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

/** The same rows, added up at each grain. */
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
