import { Refusal } from '../../errors.ts'

/** For a tenth of a second the same call of the same key is over its limit without asking again. */
const REMEMBERED_MS = 100
const MOST_REMEMBERED = 10_000

interface Remembered {
  readonly refusal: Refusal
  readonly until: number
}

export interface FloodGuard {
  /** Throws what the same call was refused with a moment ago. */
  refuseAgain(call: string): void
  note(call: string, error: unknown): void
}

/**
 * A flood of refused calls costs no statement. A key that is ended meanwhile is refused with 429 for the rest of that
 * moment and with 401 after it; it is never let in.
 */
export function floodGuard(monotonicNow: () => number = () => performance.now()): FloodGuard {
  const refused = new Map<string, Remembered>()
  return {
    refuseAgain(call) {
      const known = refused.get(call)
      if (known === undefined) return
      if (known.until > monotonicNow()) throw known.refusal
      refused.delete(call)
    },
    note(call, error) {
      if (!(error instanceof Refusal) || error.code !== 'RATE_LIMIT_EXCEEDED') return
      if (refused.size >= MOST_REMEMBERED) refused.clear()
      refused.set(call, { refusal: error, until: monotonicNow() + REMEMBERED_MS })
    },
  }
}
