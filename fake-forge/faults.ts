// What goes wrong, and how often: by a seed, or queued by a test for the next requests.
import { Random } from './random.ts'

export type RequestFault =
  /** 403 or 429 with `x-ratelimit-remaining: 0`. */
  | 'primaryLimit'
  /** 403 or 429 with `retry-after`. */
  | 'secondaryLimit'
  /** GraphQL: 200 with an error of the type RATE_LIMITED. */
  | 'graphqlLimit'
  /** GraphQL: 200 with a message about a secondary limit. */
  | 'graphqlSecondaryLimit'
  /** GraphQL: one field fails, the rest arrives. */
  | 'partialResult'
  | 'badGateway'
  /** 502 with a message after GitHub's own time limit. */
  | 'serverTimeout'
  /** No answer at all. */
  | 'hang'
  /** The connection ends without a response, or in the middle of one. */
  | 'disconnect'
  | 'truncated'
  /** All tokens end before the request. */
  | 'expiredTokens'

export type HookFault =
  /** GitHub never sends it, and lists no delivery. */
  | 'unsent'
  /** It is sent, but the receiver does not get it; it can be delivered again. */
  | 'failed'
  | 'doubled'
  /** It arrives after the next ones. */
  | 'reordered'
  /** It is held back until `releaseLate`. */
  | 'late'

/** Probabilities, 0 to 1. */
export interface FaultRates {
  readonly requests?: Partial<Readonly<Record<RequestFault, number>>>
  readonly hooks?: Partial<Readonly<Record<HookFault, number>>>
}

const graphqlFaults: ReadonlySet<RequestFault> = new Set([
  'graphqlLimit',
  'graphqlSecondaryLimit',
  'partialResult',
])

export class FaultPlan {
  /** How often each fault happened. */
  readonly counts: Partial<Record<RequestFault | HookFault, number>> = {}
  readonly random: Random
  readonly #queued: RequestFault[] = []
  readonly #queuedHooks: HookFault[] = []
  #rates: FaultRates

  constructor(seed = 1, rates: FaultRates = {}) {
    this.random = new Random(seed)
    this.#rates = rates
  }

  /** Replaces the probabilities; {} ends all faults. */
  setRates(rates: FaultRates): void {
    this.#rates = rates
  }

  /** The next requests have these faults, in this order. */
  queue(...faults: readonly RequestFault[]): void {
    this.#queued.push(...faults)
  }

  queueHooks(...faults: readonly HookFault[]): void {
    this.#queuedHooks.push(...faults)
  }

  takeRequestFault(isGraphql: boolean): RequestFault | null {
    const [queued] = this.#queued
    if (queued !== undefined) {
      if (graphqlFaults.has(queued) && !isGraphql) return null
      this.#queued.shift()
      return this.#count(queued)
    }
    const possible = getEntries(this.#rates.requests).filter(
      ([fault]) => isGraphql || !graphqlFaults.has(fault),
    )
    return this.#count(this.#draw(possible))
  }

  takeHookFault(): HookFault | null {
    return this.#count(this.#queuedHooks.shift() ?? this.#draw(getEntries(this.#rates.hooks)))
  }

  #draw<Fault>(rates: readonly (readonly [Fault, number])[]): Fault | null {
    if (rates.length === 0) return null
    let point = this.random.next()
    for (const [fault, rate] of rates) {
      if (point < rate) return fault
      point -= rate
    }
    return null
  }

  #count<Fault extends RequestFault | HookFault>(fault: Fault | null): Fault | null {
    if (fault !== null) this.counts[fault] = (this.counts[fault] ?? 0) + 1
    return fault
  }
}

function getEntries<Fault extends string>(rates: Partial<Readonly<Record<Fault, number>>> = {}) {
  return Object.entries(rates) as [Fault, number][]
}
