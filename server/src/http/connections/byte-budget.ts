import type { Release } from './slots.ts'

/** Limits the bytes of bodies that one owner has in memory, and those of all owners together. */
export class ByteBudget {
  readonly #maxBytes: number
  readonly #maxTotalBytes: number
  readonly #held = new Map<string, number>()
  readonly #waiting = new Map<string, Set<() => void>>()

  #total = 0

  constructor(maxBytes: number, maxTotalBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes
    this.#maxTotalBytes = maxTotalBytes
  }

  /** Counts bytes; false if they exceed the budget. A single body always fits, however large. */
  take(owner: string, bytes: number): boolean {
    const held = this.#held.get(owner) ?? 0
    if (held > 0 && held + bytes > this.#maxBytes) return false
    if (this.#total > 0 && this.#total + bytes > this.#maxTotalBytes) return false
    this.add(owner, bytes)
    return true
  }

  /** Counts bytes that are in memory anyway. */
  add(owner: string, bytes: number): void {
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + bytes)
    this.#total += bytes
  }

  release(owner: string, bytes: number): void {
    const left = (this.#held.get(owner) ?? 0) - bytes
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
    this.#total -= bytes
    if (left >= this.#maxBytes) return
    const waiting = this.#waiting.get(owner)
    this.#waiting.delete(owner)
    for (const wake of waiting ?? []) wake()
  }

  /** Waits until the owner is below the budget; false if that takes too long. */
  async waitForRoom(owner: string, waitMs: number): Promise<boolean> {
    if ((this.#held.get(owner) ?? 0) < this.#maxBytes) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const wake: Release = () => resolve(true)
    const waiting = this.#waiting.get(owner) ?? new Set()
    this.#waiting.set(owner, waiting.add(wake))
    const timer = setTimeout(() => {
      waiting.delete(wake)
      if (waiting.size === 0 && this.#waiting.get(owner) === waiting) this.#waiting.delete(owner)
      resolve(false)
    }, waitMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }
}
