/** Up to this many pull requests, the percentiles of a group are exact. */
export const MAX_EXACT_PULL_REQUESTS = 50_000

// Each bucket of the histogram is this much larger than the one before. Its middle is within 0.99 % of every value in it:
// with the rounding of the figures, the error stays below the documented 2 %.
const BUCKET_RATIO = 1.02
const LOG_RATIO = Math.log(BUCKET_RATIO)
const MIDDLE = (2 * BUCKET_RATIO) / (1 + BUCKET_RATIO)
/** Holds every difference of two JavaScript times: 1.02 ^ 2000 ms are more than 300,000 years. */
const BUCKETS = 2_000
const FIRST_CAPACITY = 8
const MINUTE_MS = 60_000

export function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100
}

/** Durations in milliseconds: every value, or after `approximate` a histogram of them. */
export class Durations {
  #count = 0
  #values: Float64Array<ArrayBuffer> = new Float64Array(0)
  #sorted = true
  #buckets: Uint32Array | null = null

  add(duration: number): void {
    if (this.#buckets !== null) countInBucket(this.#buckets, duration)
    else this.#append(duration)
    this.#count += 1
  }

  #append(duration: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(Math.max(FIRST_CAPACITY, 2 * this.#count))
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count] = duration
    this.#sorted = false
  }

  approximate(): void {
    if (this.#buckets !== null) return
    const buckets = new Uint32Array(BUCKETS)
    for (const value of this.#values.subarray(0, this.#count)) countInBucket(buckets, value)
    this.#buckets = buckets
    this.#values = new Float64Array(0)
  }

  /** Interpolates between the two closest ranks, as percentile_cont of PostgreSQL; null without values. */
  percentile(fraction: number): number | null {
    if (this.#count === 0) return null
    const rank = fraction * (this.#count - 1)
    const [lower, upper] = [this.#valueAt(Math.floor(rank)), this.#valueAt(Math.ceil(rank))]
    return lower + (upper - lower) * (rank - Math.floor(rank))
  }

  percentileMinutes(fraction: number): number | null {
    const duration = this.percentile(fraction)
    return duration === null ? null : roundToHundredths(duration / MINUTE_MS)
  }

  #valueAt(rank: number): number {
    if (this.#buckets !== null) return findInBuckets(this.#buckets, rank)
    if (!this.#sorted) this.#values.subarray(0, this.#count).sort()
    this.#sorted = true
    return this.#values[rank] as number
  }
}

/** Bucket 0 is for 0 ms, bucket n + 1 for values from BUCKET_RATIO ^ n. */
function countInBucket(buckets: Uint32Array, duration: number): void {
  const bucket = duration < 1 ? 0 : 1 + Math.floor(Math.log(duration) / LOG_RATIO)
  buckets[bucket] = (buckets[bucket] as number) + 1
}

function findInBuckets(buckets: Uint32Array, rank: number): number {
  let passed = 0
  const bucket = buckets.findIndex((count) => {
    passed += count
    return passed > rank
  })
  return bucket === 0 ? 0 : BUCKET_RATIO ** (bucket - 1) * MIDDLE
}
