import type { SimulatedClock } from '../../fake-forge/clock.ts'

type WaitKind = 'response' | 'sleep' | 'idle'

interface Waiting {
  at: number
  readonly kind: WaitKind
  readonly resolve: () => void
}

interface Planned {
  readonly at: number
  readonly run: () => Promise<void>
}

/**
 * Moves a simulated clock: only when every worker waits, and then to the next moment at which one of them goes on. So what
 * workers compute takes no time, and what they wait for takes as long as it would.
 */
export class Timeline {
  /** Simulated time in which a worker waited for a response, and in which all of them waited for the rate limit or for work. */
  readonly spent = { calling: 0, waiting: 0 }
  readonly #clock: SimulatedClock
  readonly #workers: number
  readonly #waiting = new Set<Waiting>()
  readonly #planned: Planned[] = []
  /** Idle workers look for work at this time at the latest. */
  #lookAt = Number.POSITIVE_INFINITY
  #isMoving = false

  constructor(clock: SimulatedClock, workers: number) {
    this.#clock = clock
    this.#workers = workers
  }

  get now(): number {
    return this.#clock.now()
  }

  /** Plans must be added in the order of their times. */
  plan(at: number, run: () => Promise<void>): void {
    this.#planned.push({ at, run })
  }

  get plansLeft(): number {
    return this.#planned.length
  }

  /** Idle workers wake up at `at`, as if they had looked every second. */
  lookForWork(at: number): void {
    this.#lookAt = at
    for (const one of this.#waiting) if (one.kind === 'idle') one.at = Math.min(one.at, at)
  }

  /** The returned function gives the wait up, because the worker was killed. */
  wait(ms: number, kind: WaitKind, resolve: () => void): () => void {
    const at = this.now + ms
    const isCapped = kind === 'idle' && this.#lookAt > this.now
    const waiting = { at: isCapped ? Math.min(at, this.#lookAt) : at, kind, resolve }
    this.#waiting.add(waiting)
    void this.#move()
    return () => this.#waiting.delete(waiting)
  }

  async #move(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    while (this.#waiting.size >= this.#workers) {
      const next = [...this.#waiting].reduce((first, one) => (one.at < first.at ? one : first))
      const [plan] = this.#planned
      if (plan !== undefined && plan.at <= next.at) {
        this.#advanceTo(plan.at)
        await plan.run()
        this.#planned.shift()
        continue
      }
      this.#advanceTo(next.at)
      this.#waiting.delete(next)
      next.resolve()
    }
    this.#isMoving = false
  }

  #advanceTo(at: number): void {
    const ms = Math.max(0, at - this.now)
    const isCalling = [...this.#waiting].some(({ kind }) => kind === 'response')
    this.spent[isCalling ? 'calling' : 'waiting'] += ms
    this.#clock.advance(ms)
  }
}
