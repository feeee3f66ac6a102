// GitHub's rate limits, counted by the fake's clock: the hourly ones, and the secondary ones that protect GitHub.
import type { Clock } from '../clock.ts'
import type { RateLimitState } from './graphql.ts'

export type Resource = 'core' | 'graphql'

export interface Limits {
  /** Requests an hour. */
  readonly core: number
  /** Points an hour. */
  readonly graphql: number
  /** Points a minute: a GET is 1, a write 5. */
  readonly restPointsPerMinute: number
  readonly graphqlPointsPerMinute: number
  /** Time of responses in any minute, by which GitHub says to estimate the CPU time that it limits. */
  readonly busyMsPerMinute: number
  readonly graphqlBusyMsPerMinute: number
  readonly concurrentRequests: number
}

export const githubLimits: Limits = {
  core: 5000,
  graphql: 5000,
  restPointsPerMinute: 900,
  graphqlPointsPerMinute: 2000,
  busyMsPerMinute: 90_000,
  graphqlBusyMsPerMinute: 60_000,
  concurrentRequests: 100,
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const RETRY_AFTER_S = 60

interface Window {
  resetAt: number
  used: number
}

interface Account {
  readonly windows: Record<Resource, Window>
  /** Points of the last minute. */
  readonly recent: Record<Resource, { readonly at: number; readonly points: number }[]>
  /** Responses of the last minute. */
  readonly busy: { readonly at: number; readonly resource: Resource; readonly ms: number }[]
  concurrent: number
  blockedUntil: number
}

export type Refusal = 'primary' | 'secondary'

export class RateLimiter {
  /** Requests that met a secondary limit: a good client has none. */
  secondaryLimitHits = 0
  primaryLimitHits = 0
  readonly requests: Record<Resource, number> = { core: 0, graphql: 0 }
  readonly points: Record<Resource, number> = { core: 0, graphql: 0 }
  bytes = 0
  maxConcurrent = 0
  readonly #clock: Clock
  /** null = off, as an administrator of an Enterprise Server may do. */
  readonly #limits: Limits | null
  readonly #accounts = new Map<number, Account>()

  constructor(clock: Clock, limits: Limits | null) {
    this.#clock = clock
    this.#limits = limits
  }

  get isOff(): boolean {
    return this.#limits === null
  }

  /** Counts a request that begins; a GraphQL query is charged later, when its cost is known. */
  begin(installation: number, resource: Resource, isWrite: boolean): Refusal | null {
    this.requests[resource]++
    const account = this.#getAccount(installation)
    account.concurrent++
    this.maxConcurrent = Math.max(this.maxConcurrent, account.concurrent)
    if (this.#limits === null) return null
    if (this.#meetsSecondaryLimit(account, resource, isWrite ? 5 : 1)) {
      this.secondaryLimitHits++
      account.blockedUntil = this.#clock.now() + RETRY_AFTER_S * 1000
      return 'secondary'
    }
    if (resource === 'graphql') return null
    return this.charge(installation, 'core', 1) === null ? 'primary' : null
  }

  end(installation: number, resource: Resource, busyMs: number): void {
    const account = this.#getAccount(installation)
    account.concurrent--
    account.busy.push({ at: this.#clock.now(), resource, ms: busyMs })
  }

  /** null = spent. */
  charge(installation: number, resource: Resource, points: number): RateLimitState | null {
    const window = this.#getWindow(installation, resource)
    const limit = this.#limits?.[resource] ?? 0
    if (this.#limits !== null && window.used + points > limit) {
      this.primaryLimitHits++
      return null
    }
    window.used += points
    this.points[resource] += points
    return this.getState(installation, resource)
  }

  /** A request that changed nothing (304) is free. */
  refund(installation: number): void {
    this.#getWindow(installation, 'core').used--
    this.points.core--
  }

  getState(installation: number, resource: Resource): RateLimitState {
    const { used, resetAt } = this.#getWindow(installation, resource)
    const limit = this.#limits?.[resource] ?? 0
    return { limit, used, remaining: Math.max(0, limit - used), resetAt }
  }

  /** As if others had used the rest of the hour. */
  exhaust(installation: number, resource: Resource): void {
    this.#getWindow(installation, resource).used = this.#limits?.[resource] ?? 0
  }

  #meetsSecondaryLimit(account: Account, resource: Resource, points: number): boolean {
    if (this.#limits === null) return false
    const now = this.#clock.now()
    if (now < account.blockedUntil) return true
    const recent = account.recent[resource]
    while (recent[0] !== undefined && recent[0].at <= now - MINUTE_MS) recent.shift()
    const used = recent.reduce((total, one) => total + one.points, 0)
    recent.push({ at: now, points })
    const limit = resource === 'core' ? this.#limits.restPointsPerMinute : this.#limits.graphqlPointsPerMinute
    return (
      used + points > limit ||
      account.concurrent > this.#limits.concurrentRequests ||
      this.#isBusy(account, this.#limits)
    )
  }

  #isBusy({ busy }: Account, { busyMsPerMinute, graphqlBusyMsPerMinute }: Limits): boolean {
    const now = this.#clock.now()
    while (busy[0] !== undefined && busy[0].at <= now - MINUTE_MS) busy.shift()
    const sum = (total: number, { ms }: { readonly ms: number }) => total + ms
    const ofGraphql = busy.filter(({ resource }) => resource === 'graphql')
    return busy.reduce(sum, 0) > busyMsPerMinute || ofGraphql.reduce(sum, 0) > graphqlBusyMsPerMinute
  }

  #getWindow(installation: number, resource: Resource): Window {
    const window = this.#getAccount(installation).windows[resource]
    const now = this.#clock.now()
    if (window.resetAt <= now) Object.assign(window, { resetAt: now + HOUR_MS, used: 0 })
    return window
  }

  #getAccount(installation: number): Account {
    const known = this.#accounts.get(installation)
    if (known !== undefined) return known
    const account: Account = {
      windows: { core: { resetAt: 0, used: 0 }, graphql: { resetAt: 0, used: 0 } },
      recent: { core: [], graphql: [] },
      busy: [],
      concurrent: 0,
      blockedUntil: 0,
    }
    this.#accounts.set(installation, account)
    return account
  }
}

export function renderLimitHeaders(state: RateLimitState, resource: Resource): Record<string, string> {
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-used': String(state.used),
    'x-ratelimit-reset': String(Math.ceil(state.resetAt / 1000)),
    'x-ratelimit-resource': resource,
  }
}

export const retryAfterSeconds = RETRY_AFTER_S
