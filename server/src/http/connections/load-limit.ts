import { overloaded } from './slots.ts'

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
