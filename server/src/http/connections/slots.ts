import { Refusal } from '../../errors.ts'

/** Gives a slot back. Further calls do nothing. */
export type Release = () => void
type Give = (release: Release) => void

export interface SlotOptions {
  readonly slots: number
  /** The most that one owner holds. */
  readonly perOwner: number
  /** Called with 1 or -1 whenever a slot is taken or released. */
  readonly count?: (change: 1 | -1) => void
}

/** A limited number of slots, of which one owner holds a share. Owners that wait take turns. */
export class FairSlots {
  readonly #slots: number
  readonly #perOwner: number
  readonly #count: (change: 1 | -1) => void
  readonly #held = new Map<string, number>()
  /** In the order of the owners' turns. */
  readonly #waiting = new Map<string, Set<Give>>()
  #taken = 0

  constructor({ slots, perOwner, count = () => {} }: SlotOptions) {
    this.#slots = Math.max(slots, 1)
    this.#perOwner = Math.max(perOwner, 1)
    this.#count = count
  }

  /** Takes a slot at once, or refuses. */
  take(owner: string): Release {
    if (!this.#isFree(owner)) throw overloaded()
    return this.#give(owner)
  }

  /** Waits for the owner's turn, or refuses when it does not come in time. */
  async takeWhenFree(owner: string, waitMs: number): Promise<Release> {
    if (this.#isFree(owner)) return this.#give(owner)
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const line = this.#waiting.get(owner) ?? new Set()
    this.#waiting.set(owner, line.add(resolve))
    const timer = setTimeout(() => {
      this.#leave(owner, line, resolve)
      reject(overloaded())
    }, waitMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  #isFree(owner: string): boolean {
    return this.#taken < this.#slots && (this.#held.get(owner) ?? 0) < this.#perOwner
  }

  #give(owner: string): Release {
    this.#taken += 1
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1)
    this.#count(1)
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#taken -= 1
      const left = (this.#held.get(owner) ?? 1) - 1
      if (left > 0) this.#held.set(owner, left)
      else this.#held.delete(owner)
      this.#count(-1)
      this.#serveNext()
    }
  }

  /** A released slot goes to the next owner in turn that may take it. */
  #serveNext(): void {
    for (const [owner, line] of this.#waiting) {
      const [first] = line
      if (first === undefined || !this.#isFree(owner)) continue
      this.#leave(owner, line, first)
      if (line.size > 0) {
        // The owner's next turn comes after those of the others.
        this.#waiting.delete(owner)
        this.#waiting.set(owner, line)
      }
      first(this.#give(owner))
      return
    }
  }

  #leave(owner: string, line: Set<Give>, give: Give): void {
    line.delete(give)
    if (line.size === 0) this.#waiting.delete(owner)
  }
}

/** At most a quarter each, so that no owner pushes the others out. */
export function quarterOf(slots: number): number {
  return Math.max(Math.floor(slots / 4), 1)
}

export function overloaded(): Refusal {
  return new Refusal('OVERLOADED', 'The server is overloaded. Retry after the time in Retry-After.', {
    'retry-after': '1',
  })
}

const WINDOW_MS = 100
const SLOW_WINDOWS = 2
const SLOW_MS = 50
/** As many as the database works on, and as many again that are on their way. Twice as many are no overload, however slow. */
const MIN_LIMIT = 32
const MAX_WAIT_MS = 150

/**
 * Refuses requests while more arrive than are answered: when their number grows, and not one of them was begun quickly. Then so
 * few are taken on that each is answered soon, and more again as soon as they are begun quickly.
 */
export class LoadLimit {
  readonly #unlimited: number
  readonly #now: () => number
  #limit: number
  #inProgress = 0
  #window = createWindow(0, 0)
  #slowWindows = 0

  constructor(unlimited: number, now: () => number = () => performance.now()) {
    this.#unlimited = unlimited
    this.#now = now
    this.#limit = unlimited
  }

  /** Refuses a request that would be one too many. */
  refuseIfFull(): void {
    this.#endWindow()
    if (this.#isLimited() && this.#inProgress >= this.#limit) throw overloaded()
  }

  /** Counts a request that begins with 1, and one that ends with -1. */
  count(change: 1 | -1): void {
    this.#inProgress += change
  }

  /** Called when a request is begun that has waited for so long. Refuses one that would be answered late. */
  begin(waitedMs: number): void {
    this.#window.begun += 1
    this.#window.waitedMs += waitedMs
    this.#window.quickestMs = Math.min(this.#window.quickestMs, waitedMs)
    this.#endWindow()
    if (this.#isLimited() && waitedMs > MAX_WAIT_MS) throw overloaded()
  }

  #isLimited(): boolean {
    return this.#limit < this.#unlimited
  }

  #endWindow(): void {
    const now = this.#now()
    const { ends, inProgress, begun, waitedMs, quickestMs } = this.#window
    if (now < ends) return
    const grows = this.#inProgress > Math.max(inProgress, 2 * MIN_LIMIT)
    this.#slowWindows = grows && begun > 0 && quickestMs > SLOW_MS ? this.#slowWindows + 1 : 0
    if (this.#isLimited() ? waitedMs > begun * SLOW_MS : this.#slowWindows >= SLOW_WINDOWS)
      this.#limit = Math.min(MIN_LIMIT, this.#unlimited - 1)
    else this.#limit = Math.min(Math.ceil(this.#limit * 1.1), this.#unlimited)
    this.#window = createWindow(now + WINDOW_MS, this.#inProgress)
  }
}

function createWindow(ends: number, inProgress: number) {
  return { ends, inProgress, begun: 0, waitedMs: 0, quickestMs: Number.POSITIVE_INFINITY }
}

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
