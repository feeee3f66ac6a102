import type { MetricsStoreUrls } from '../config.ts'
import { connect, type Pool } from './connect.ts'

/** The databases that hold the metrics of tenant roots. Which root lies where, access/placement.ts tells. */
export interface Stores {
  readonly names: readonly string[]
  /** Throws when this process was not told of a store with that name. */
  pool(name: string): Pool
  close(): Promise<void>
}

// A page is read in the order of an index, and a generic plan cannot know that its limit is small: the other ways to
// the same rows, which would read all of them first, are taken off the table.
const orderedReads =
  '-c enable_sort=off -c enable_bitmapscan=off -c enable_seqscan=off -c max_parallel_workers_per_gather=0'

export function openStores(urls: MetricsStoreUrls, name: string, connections: number): Stores {
  const pools = new Map(
    [...urls].map(([store, url]) => [
      store,
      connect({ url, name: `${name}-metrics`, connections, options: orderedReads }),
    ]),
  )
  return {
    names: [...pools.keys()],
    pool(store) {
      const pool = pools.get(store)
      if (pool === undefined)
        throw new Error(`This process knows no metrics store "${store}": add it to METRICS_STORES.`)
      return pool
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}
