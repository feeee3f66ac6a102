// Rate limit windows. The service with the contract's limits has one database for all files, so a window can have requests of
// another file that ran less than a minute ago.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'

type Ask = () => Promise<Reply>

const WINDOW_MS = 61_000
const MAX_ATTEMPTS = 4

/** Where the contract's limits hold. */
export function strict(): string {
  const base = process.env['SCHOLIAST_DEFAULT_LIMITS_URL']
  assert.ok(
    base,
    'SCHOLIAST_DEFAULT_LIMITS_URL must name a service with the default limits: npm run acceptance',
  )
  return base
}

/** What remains of the window that the policy names. */
export function remainingOf({ headers }: Reply): number {
  const [policy] = (headers.get('ratelimit-policy') ?? '').split(';')
  const [, name, remaining] = /^("[a-z-]+");r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? []
  return name === policy ? Number(remaining) : Number.NaN
}

function quotaOf({ headers }: Reply): number {
  return Number(/;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1])
}

/** The reply to the first request of a window. What was asked in the last minute leaves it before. */
export async function askInQuietWindow(ask: Ask): Promise<Reply> {
  const [reply] = await askInQuietWindows([ask])
  return reply ?? assert.fail('one request has one reply')
}

/** The same for several windows: each reply is to the first request of its window. */
export async function askInQuietWindows(requests: readonly Ask[]): Promise<Reply[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const replies = await askInOrder(requests)
    if (replies.every((reply) => reply.status !== 429 && remainingOf(reply) === quotaOf(reply) - 1))
      return replies
    await sleep(WINDOW_MS)
  }
  return assert.fail('the windows never become quiet: run this file beside no other')
}

/** As many requests as the policy says are admitted in 60 seconds, the next is 429. */
export async function assertWindow(policy: string, ask: Ask): Promise<void> {
  let reply = await askInQuietWindow(ask)
  for (let left = quotaOf(reply) - 1; ; left -= 1) {
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers.get('ratelimit-policy'), policy)
    assert.equal(remainingOf(reply), left)
    if (left === 0) break
    reply = await ask()
  }
  const refused = await ask()
  assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

/** Requests of several endpoints count in one window. */
export async function assertSharedWindow(policy: string, requests: readonly Ask[]): Promise<void> {
  const countDown = async () => {
    const replies = await askInOrder(requests)
    for (const reply of replies) assert.equal(reply.headers.get('ratelimit-policy'), policy)
    const [first = 0, ...others] = replies.map(remainingOf)
    const isAdmitted = replies.every(({ status }) => status === 200)
    return isAdmitted && others.every((remaining, index) => remaining === first - 1 - index)
  }
  if (await countDown()) return
  // Requests of another file filled the window, or left it in between.
  await sleep(WINDOW_MS)
  assert.ok(await countDown(), `the requests do not count in one window: ${policy}`)
}

async function askInOrder(requests: readonly Ask[]): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const ask of requests) replies.push(await ask())
  return replies
}
