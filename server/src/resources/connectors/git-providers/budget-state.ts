import type { WorkClass } from './provider-client.ts'

// What a rate limit allows. The row of a budget is locked while one of these functions computes its next state.

export interface BudgetPolicy {
  /** Length of the provider's window. */
  readonly windowSeconds: number
  /** Calls that may be sent at once, and how many more become possible each minute. */
  readonly callsAtOnce: number
  readonly callsPerMinute: number
  /** The same for response time, by which GitHub says to estimate the CPU time that it limits. */
  readonly busyMsAtOnce: number
  readonly busyMsPerMinute: number
  readonly maxInFlight: number
}

/** A row of `connector_budget` as JSON. */
export interface BudgetState {
  readonly limit_points: number | null
  readonly remaining: number | null
  readonly resets_at: string | null
  readonly calls: number
  readonly busy_ms: number
  readonly refilled_at: string
  readonly in_flight: readonly string[]
  readonly blocked_until: string | null
  readonly blocks: number
}

export interface ReservationRequest {
  readonly now: Date
  readonly cost: number
  readonly workClass: WorkClass
  /** When the call counts as lost, so that its slot is free again. */
  readonly lostAt: Date
}

export interface Usage {
  /** What the provider reported; null = nothing that can be relied on. `off` = it has no limits. */
  readonly limit:
    | { readonly points: number; readonly remaining: number; readonly resetsAt: Date }
    | 'off'
    | null
  /** What the call really cost. */
  readonly cost: number
  readonly busyMs: number
}

const MINUTE_MS = 60_000
const MAX_BLOCK_MS = 60 * MINUTE_MS
const SLOT_RETRY_MS = 250
/** Windows whose ends differ by less are the same one. */
const SAME_WINDOW_MS = 5000

/** Reserves a call, unless it has to wait: `retryAt` says until when. */
export function reserveCall(
  budget: BudgetState,
  { now, cost, workClass, lostAt }: ReservationRequest,
  policy: BudgetPolicy,
): { readonly budget: BudgetState; readonly retryAt: Date | null } {
  const at = now.getTime()
  const current = refill(budget, at, policy)
  const waits = [
    isAfter(budget.blocked_until, at) ? Date.parse(budget.blocked_until) : null,
    findPointsRetry(current, at, cost, workClass, policy),
    current.calls < 1 ? at + ((1 - current.calls) * MINUTE_MS) / policy.callsPerMinute : null,
    current.busy_ms < 0 ? at + (-current.busy_ms * MINUTE_MS) / policy.busyMsPerMinute : null,
    current.in_flight.length >= policy.maxInFlight ? at + SLOT_RETRY_MS : null,
  ].filter((wait) => wait !== null)
  if (waits.length > 0) return { budget: current, retryAt: new Date(Math.ceil(Math.max(...waits))) }
  const reserved = {
    ...current,
    remaining: current.remaining === null ? null : current.remaining - cost,
    calls: current.calls - 1,
    in_flight: [...current.in_flight, lostAt.toISOString()],
  }
  return { budget: reserved, retryAt: null }
}

/** What has become possible since the last reservation. Calls that count as lost free their slots. */
function refill(budget: BudgetState, at: number, policy: BudgetPolicy): BudgetState {
  const refilledAt = Date.parse(budget.refilled_at)
  const minutes = Math.max(0, at - refilledAt) / MINUTE_MS
  const isWindowOver = budget.resets_at !== null && !isAfter(budget.resets_at, at)
  return {
    ...budget,
    remaining: isWindowOver ? budget.limit_points : budget.remaining,
    resets_at: isWindowOver ? null : budget.resets_at,
    calls: Math.min(policy.callsAtOnce, budget.calls + minutes * policy.callsPerMinute),
    busy_ms: Math.min(policy.busyMsAtOnce, budget.busy_ms + minutes * policy.busyMsPerMinute),
    refilled_at: new Date(Math.max(refilledAt, at)).toISOString(),
    in_flight: budget.in_flight.filter((lostAt) => isAfter(lostAt, at)),
  }
}

/**
 * A backfill must leave half of the limit to live work, in proportion to the time that is left, and never less than a twentieth.
 * What live work did not use is free for the backfill towards the end of the window.
 */
function findPointsRetry(
  { limit_points: limit, remaining, resets_at }: BudgetState,
  at: number,
  cost: number,
  workClass: WorkClass,
  { windowSeconds }: BudgetPolicy,
): number | null {
  if (limit === null || remaining === null) return null
  const windowMs = windowSeconds * 1000
  const left = remaining - cost
  const leftShare = resets_at === null ? 1 : (Date.parse(resets_at) - at) / windowMs
  const reserved = workClass === 'live' ? 0 : limit * Math.max(0.05, 0.5 * leftShare)
  if (left >= reserved) return null
  const resetsAt = resets_at === null ? at + MINUTE_MS : Date.parse(resets_at)
  if (workClass === 'live' || left < limit * 0.05) return resetsAt
  return Math.max(at + 1000, resetsAt - (windowMs * 2 * left) / limit)
}

/** After a response. They arrive in any order: within a window the lower figure is right, a window that ends earlier is the previous one. */
export function completeCall(
  budget: BudgetState,
  { cost, lostAt }: Pick<ReservationRequest, 'cost' | 'lostAt'>,
  usage: Usage,
): BudgetState {
  const released = { ...releaseCall(budget, lostAt, usage.busyMs), blocks: 0 }
  const { limit } = usage
  if (limit === 'off') return { ...released, limit_points: null, remaining: null, resets_at: null }
  const remaining = budget.remaining === null ? null : budget.remaining + cost - usage.cost
  if (limit === null) return { ...released, remaining }
  const resetsAt = limit.resetsAt.getTime()
  const known = budget.resets_at === null ? resetsAt : Date.parse(budget.resets_at)
  const isNext = resetsAt > known + SAME_WINDOW_MS
  const isPrevious = resetsAt < known - SAME_WINDOW_MS
  return {
    ...released,
    limit_points: limit.points,
    remaining: isPrevious
      ? budget.remaining
      : Math.min(limit.remaining, isNext ? Number.POSITIVE_INFINITY : (remaining ?? limit.remaining)),
    resets_at: new Date(Math.max(known, resetsAt)).toISOString(),
  }
}

/** A call that was not answered: its slot is free, its cost counts as used. One that counts as lost has no slot any more. */
export function releaseCall(budget: BudgetState, lostAt: Date, busyMs: number): BudgetState {
  const index = budget.in_flight.findIndex((one) => Date.parse(one) === lostAt.getTime())
  return {
    ...budget,
    in_flight: index === -1 ? budget.in_flight : budget.in_flight.toSpliced(index, 1),
    busy_ms: budget.busy_ms - busyMs,
  }
}

/**
 * After a refusal that counts against `refused`, no resource is called for a time, which doubles with each refusal in succession.
 * Refusals of calls that were in flight together count as one. `until` is what the provider says, if it does.
 */
export function blockCalls(
  budget: BudgetState,
  refused: BudgetState,
  now: Date,
  until: Date | null,
): BudgetState & { readonly blocked_until: string } {
  const at = now.getTime()
  const isKnown = isAfter(refused.blocked_until, at)
  const blockMs = isKnown ? 0 : Math.min(MAX_BLOCK_MS, MINUTE_MS * 2 ** Math.min(refused.blocks, 10))
  const end = until?.getTime() ?? at + blockMs
  return {
    ...budget,
    blocks: budget === refused && !isKnown ? budget.blocks + 1 : budget.blocks,
    blocked_until: isAfter(budget.blocked_until, end) ? budget.blocked_until : new Date(end).toISOString(),
  }
}

function isAfter(time: string | null, at: number): time is string {
  return time !== null && Date.parse(time) > at
}
