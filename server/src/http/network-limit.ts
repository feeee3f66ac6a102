import type { Limit } from '../config.ts'
import { refuse } from '../errors.ts'

/** Networks that are remembered. One that is forgotten starts with a full bucket. */
const MAX_NETWORKS = 20_000

interface Bucket {
  readonly left: number
  readonly at: number
}

/** Admits a request of a network, or refuses it. */
export type NetworkLimit = (network: string) => void

/**
 * Returns a function that admits one request of a network or refuses it: a bucket of `requests`, which fills up again within
 * `seconds`. It is in the memory of this process, so that a flood of anonymous requests writes nothing to the database.
 */
export function createNetworkLimit(
  limit: Limit | null,
  monotonicNow: () => number = () => performance.now(),
): NetworkLimit {
  if (limit === null) return () => {}
  const { requests, seconds } = limit
  const perMs = requests / (seconds * 1000)
  const buckets = new Map<string, Bucket>()
  return (network) => {
    const at = monotonicNow()
    const bucket = buckets.get(network)
    const left = bucket ? Math.min(requests, bucket.left + (at - bucket.at) * perMs) : requests
    // Inserted again, so that the first one is the one that was not used for the longest time.
    buckets.delete(network)
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= MAX_NETWORKS) buckets.delete(oldest)
    buckets.set(network, { left: left < 1 ? left : left - 1, at })
    if (left >= 1) return
    const wait = Math.floor((1 - left) / perMs / 1000) + 1
    refuse(
      'RATE_LIMIT_EXCEEDED',
      `Too many sign-ins from your network: more than ${requests} within ${seconds} seconds. Retry in ${wait} seconds.`,
      { 'retry-after': String(wait) },
    )
  }
}
