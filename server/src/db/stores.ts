import type { MetricsStoreUrls } from '../config.ts'
import { connect, type Pool } from './connect.ts'
import { orderedReadOptions } from './ordered-reads.ts'

/** The databases that hold the metrics of tenant roots. Which root lies where, access/placement.ts tells. */
export interface MetricsStores {
  readonly names: readonly string[]
  /** Throws when this process was not told of a store with that name. */
  pool(name: string): Pool
  /** Of the same store, for what is copied as it comes: so few connections that one process keeps up with them. */
  copyingPool(name: string): Pool
  close(): Promise<void>
}

// Copying is done by one thread. More pages than this at a time only wait for one another, each in memory, and whatever
// is small (a key, a placement) waits behind all of them.
const MAX_COPY_CONNECTIONS = 4

export function connectMetricsStores(
  urls: MetricsStoreUrls,
  name: string,
  connections: number,
): MetricsStores {
  const connectAll = (max: number) =>
    new Map(
      [...urls].map(([store, url]) => [
        store,
        connect({ url, name: `${name}-metrics`, connections: max, options: orderedReadOptions }),
      ]),
    )
  const pools = connectAll(connections)
  const copyingPools = connectAll(Math.min(connections, MAX_COPY_CONNECTIONS))
  return {
    names: [...pools.keys()],
    pool: (store) => getPool(pools, store),
    copyingPool: (store) => getPool(copyingPools, store),
    async close() {
      await Promise.all([...pools.values(), ...copyingPools.values()].map((pool) => pool.end()))
    },
  }
}

function getPool(pools: ReadonlyMap<string, Pool>, store: string): Pool {
  const pool = pools.get(store)
  if (pool === undefined)
    throw new Error(`This process knows no metrics store "${store}": add it to METRICS_STORES.`)
  return pool
}
