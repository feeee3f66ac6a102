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
