import { rootScope } from '../../../access/scope.ts'
import type { Pool } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { ConnectorId, OrganizationId, RootId } from '../../../ids.ts'
import {
  type BudgetKey,
  blockBudget,
  completeReservation,
  releaseReservation,
  reserveBudget,
} from './budget-sql.ts'
import type { BudgetPolicy, Usage } from './budget-state.ts'
import { RateLimitedError, type WorkClass } from './provider-client.ts'
import type { ProviderResponse } from './request.ts'

export interface Clock {
  now(): Date
  sleep(ms: number): Promise<void>
}

/** The rate limit of one connector. Each call is reserved before it is sent. */
export interface RateBudget {
  /** Waits a few seconds at most, then throws RateLimitedError. */
  reserve(resource: BudgetKey['resource'], cost: number): Promise<Reservation>
}

/** Call exactly one of its functions. */
export interface Reservation {
  /** The Git provider answered. */
  complete(usage: Usage): Promise<void>
  /** The Git provider did not answer, or not with what was requested. */
  release(busyMs: number): Promise<void>
  /** The Git provider refused because of a limit; null = it does not say until when. Returns when to try again. */
  block(until: Date | null, busyMs: number): Promise<Date>
}

/** Somewhat below the documented limits of GitHub: 900 REST points and 90 s of CPU a minute, 60 s of them for GraphQL. */
export const githubPolicies: BudgetPolicies = {
  rest: {
    windowSeconds: 3600,
    callsAtOnce: 100,
    callsPerMinute: 700,
    busyMsAtOnce: 10_000,
    busyMsPerMinute: 20_000,
    maxInFlight: 20,
  },
  graphql: {
    windowSeconds: 3600,
    callsAtOnce: 100,
    callsPerMinute: 1000,
    busyMsAtOnce: 15_000,
    busyMsPerMinute: 40_000,
    maxInFlight: 10,
  },
}

/** GitLab.com allows 2,000 requests a minute; self-managed ones may have no limit. GraphQL is not used. */
export const gitlabPolicies: BudgetPolicies = (() => {
  const rest = {
    windowSeconds: 60,
    callsAtOnce: 200,
    callsPerMinute: 1600,
    busyMsAtOnce: 600_000,
    busyMsPerMinute: 600_000,
    maxInFlight: 10,
  }
  return { rest, graphql: rest }
})()

export type BudgetPolicies = Readonly<Record<BudgetKey['resource'], BudgetPolicy>>

/** Shorter waits are slept, because a pull request that is half read would have to be read again. */
const MAX_SLEEP_MS = 15_000
/** Longer than any request takes. */
const LOST_AFTER_MS = 120_000

/** A clock that is set, or a machine that sleeps during a request, must not use up the budget of hours. */
const limitBusy = (busyMs: number) => Math.min(busyMs, LOST_AFTER_MS)

export interface BudgetOptions {
  readonly pool: Pool
  readonly root: RootId
  readonly organization: OrganizationId
  readonly connector: ConnectorId
  readonly workClass: WorkClass
  readonly policies: BudgetPolicies
  readonly clock: Clock
}

export function createRateBudget(options: BudgetOptions): RateBudget {
  const { pool, root, organization, connector, workClass, policies, clock } = options
  const scope = rootScope(root)
  return {
    async reserve(resource, cost) {
      const key = { organization, connector, resource }
      for (const deadline = clock.now().getTime() + MAX_SLEEP_MS; ; ) {
        const now = clock.now()
        const lostAt = new Date(now.getTime() + LOST_AFTER_MS)
        const retryAt = await inTransaction(pool, scope, (tx) =>
          reserveBudget(scope, tx, key, { now, cost, workClass, lostAt }, policies[resource]),
        )
        if (retryAt === null) return createReservation(key, cost, lostAt)
        if (retryAt.getTime() > deadline) throw new RateLimitedError(retryAt)
        await clock.sleep(Math.max(50, retryAt.getTime() - now.getTime()))
      }
    },
  }

  function createReservation(key: BudgetKey, cost: number, lostAt: Date): Reservation {
    return {
      complete(usage) {
        const limited = { ...usage, busyMs: limitBusy(usage.busyMs) }
        return inTransaction(pool, scope, (tx) =>
          completeReservation(scope, tx, key, { cost, lostAt }, limited),
        )
      },
      release: (busyMs) =>
        inTransaction(pool, scope, (tx) => releaseReservation(scope, tx, key, lostAt, limitBusy(busyMs))),
      block(until, busyMs) {
        const call = { lostAt, busyMs: limitBusy(busyMs), now: clock.now() }
        return inTransaction(pool, scope, (tx) => blockBudget(scope, tx, key, call, until))
      },
    }
  }
}

interface ReservedResponse {
  readonly reservation: Reservation
  readonly response: ProviderResponse
  readonly busyMs: number
}

/** Sends within the budget. A request that fails is released; the caller decides on a response. */
export async function sendReserved(
  { budget, clock }: { readonly budget: RateBudget; readonly clock: Clock },
  resource: BudgetKey['resource'],
  cost: number,
  send: () => Promise<ProviderResponse>,
): Promise<ReservedResponse> {
  const reservation = await budget.reserve(resource, cost)
  const started = clock.now().getTime()
  const measure = () => clock.now().getTime() - started
  try {
    const response = await send()
    return { reservation, response, busyMs: measure() }
  } catch (error) {
    await reservation.release(measure())
    throw error
  }
}

/** For single calls outside of a connector, such as the first one with a new credential. */
export function createUnlimitedBudget(clock: Clock): RateBudget {
  const reservation: Reservation = {
    complete: () => Promise.resolve(),
    release: () => Promise.resolve(),
    block: (until) => Promise.resolve(until ?? new Date(clock.now().getTime() + 60_000)),
  }
  return { reserve: () => Promise.resolve(reservation) }
}
