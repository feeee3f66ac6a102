// Rate limit windows. The service with the contract's limits has one database for all files: a test that counts uses a window
// (the window of an endpoint, with an organization or a tenant root) that no other test uses, and needs no wait.
import assert from 'node:assert/strict'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'

type Ask = () => Promise<Reply>

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

/** The reply to the first request of a window that no other test uses. */
export async function askInNewWindow(ask: Ask): Promise<Reply> {
  const reply = await ask()
  assert.equal(remainingOf(reply), quotaOf(reply) - 1, 'another test counts in this window')
  return reply
}

/** As many requests as the policy says are admitted in 60 seconds, the next is 429. */
export async function assertWindow(policy: string, ask: Ask): Promise<void> {
  let reply = await askInNewWindow(ask)
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
  const replies: Reply[] = []
  for (const ask of requests) replies.push(await ask())
  const [first = Number.NaN] = replies.map(remainingOf)
  for (const [index, reply] of replies.entries()) {
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers.get('ratelimit-policy'), policy)
    assert.equal(remainingOf(reply), first - index)
  }
}
