import type { MetricsStoreUrls } from '../config.ts'
import { type ConnectOptions, connect, type Pool } from './connect.ts'
import { forceIndexOrder } from './ordered-reads.ts'
import type { WaitLimits } from './wait-limits.ts'

/** The databases that hold the metrics of tenant roots. access/placement.ts finds the store of a root. */
export interface MetricsStores {
  readonly names: readonly string[]
  /** Throws if METRICS_STORES does not name the store. */
  pool(name: string): Pool
  /** A smaller pool of the same store, for pages that are copied as bytes. */
  copyingPool(name: string): Pool
  close(): Promise<void>
}

export interface StoreOptions {
  readonly limits?: WaitLimits
  /** Creates the check of each pool. */
  readonly createCheck?: () => ConnectOptions['check']
}

// One thread copies pages. More concurrent pages would only hold memory while they wait, and delay small reads such as
// keys and placements.
const MAX_COPY_CONNECTIONS = 4

export function connectMetricsStores(
  urls: MetricsStoreUrls,
  name: string,
  connections: number,
  { limits, createCheck }: StoreOptions = {},
): MetricsStores {
  const connectAll = (max: number) =>
    new Map(
      [...urls].map(([store, url]) => [
        store,
        connect({
          url,
          name: `${name}-metrics`,
          connections: max,
          opening: forceIndexOrder,
          limits,
          check: createCheck?.(),
        }),
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
    throw new Error(`The metrics store "${store}" is not configured: add it to METRICS_STORES.`)
  return pool
}
