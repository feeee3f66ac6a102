import type { Limit, LimitPolicy, Limits } from '../config.ts'
import type { Tx } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import type { KeyId, OrganizationId, PersonId, RootId, ScimCredentialId } from '../ids.ts'
import { readWindow, takeFromWindow, takeSlot } from './sql.ts'

/**
 * The owner of a window: a SCIM or ingest credential, the person who reads in a session, else the selected or bound organization,
 * else the tenant root.
 */
export interface WindowOwner {
  readonly root: RootId
  readonly organization: OrganizationId | null
  readonly person?: PersonId
  readonly credential?: ScimCredentialId | KeyId
}

export interface Limiter {
  /** Refuses from memory while this node knows that the window is full, so a flood costs only key reads. */
  refuseIfKnownFull(policy: LimitPolicy, owner: WindowOwner): void
  /** Admits one request or refuses it; returns the rate limit headers. */
  admit(tx: Tx, policy: LimitPolicy, owner: WindowOwner): Promise<Record<string, string>>
}

const MAX_CACHED_WINDOWS = 100_000

export function createLimiter(limits: Limits, monotonicNow: () => number = () => performance.now()): Limiter {
  const fullUntil = new Map<string, number>()

  function refuseIfKnownFull(policy: LimitPolicy, owner: WindowOwner): void {
    const until = fullUntil.get(getWindowKey(policy, owner))
    if (until === undefined) return
    const limit = limits[policy]
    const secondsLeft = (until - monotonicNow()) / 1000
    if (limit !== null && secondsLeft > 0) refuseOverLimit(policy, limit, secondsLeft)
    fullUntil.delete(getWindowKey(policy, owner))
  }

  async function admit(tx: Tx, policy: LimitPolicy, owner: WindowOwner): Promise<Record<string, string>> {
    const limit = limits[policy]
    if (limit === null) return {}
    const values = [owner.root, policy, getOwnerId(owner), limit.requests, limit.seconds]
    const taken = await tx.first<{ used: number; reset_seconds: number }>(takeFromWindow, values)
    if (taken !== null) return limitHeaders(policy, limit, limit.requests - taken.used, taken.reset_seconds)
    const window = await tx.first<{ seconds_left: number }>(readWindow, values)
    const secondsLeft = Math.max(window?.seconds_left ?? 0, 0)
    if (fullUntil.size >= MAX_CACHED_WINDOWS) fullUntil.clear()
    fullUntil.set(getWindowKey(policy, owner), monotonicNow() + secondsLeft * 1000)
    return refuseOverLimit(policy, limit, secondsLeft)
  }

  return { refuseIfKnownFull, admit }
}

/** Limits concurrent requests across all nodes. The slot is released at the end of the transaction. */
export async function takeConcurrencySlot(
  tx: Tx,
  slots: number,
  policy: LimitPolicy,
  owner: WindowOwner,
): Promise<void> {
  for (let slot = 0; slot < slots; slot++) {
    const values = [owner.root, owner.organization ?? '', policy, slot]
    const row = await tx.first<{ taken: boolean }>(takeSlot, values)
    if (row?.taken) return
  }
  refuse(
    'RATE_LIMIT_EXCEEDED',
    `At most ${slots} of these requests may run concurrently. Retry when one has finished.`,
    {
      'retry-after': '1',
    },
  )
}

// Rounded up to more than the remaining time, so that a caller who sleeps exactly that long is admitted.
function refuseOverLimit(policy: LimitPolicy, limit: Limit, secondsLeft: number): never {
  const wait = Math.floor(secondsLeft) + 1
  return refuse(
    'RATE_LIMIT_EXCEEDED',
    `The rate limit of ${limit.requests} requests per ${limit.seconds} seconds is reached. Retry in ${wait} seconds.`,
    { ...limitHeaders(policy, limit, 0, wait), 'retry-after': String(wait) },
  )
}

function limitHeaders(
  policy: LimitPolicy,
  limit: Limit,
  remaining: number,
  reset: number,
): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${limit.requests};w=${limit.seconds}`,
    ratelimit: `"${policy}";r=${Math.max(remaining, 0)};t=${Math.max(reset, 1)}`,
  }
}

function getWindowKey(policy: LimitPolicy, owner: WindowOwner): string {
  return `${policy} ${getOwnerId(owner)}`
}

function getOwnerId({ root, organization, person, credential }: WindowOwner): string {
  return credential ?? person ?? organization ?? root
}
