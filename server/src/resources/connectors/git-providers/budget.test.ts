import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plantConnector } from '../../../../test/connectors/clients.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { type BudgetPolicies, createRateBudget, githubPolicies, type RateBudget } from './budget.ts'
import type { Usage } from './budget-state.ts'
import { RateLimitedError, type WorkClass } from './provider-client.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const free: BudgetPolicies = (() => {
  const policy = {
    windowSeconds: 3600,
    callsAtOnce: 1_000_000,
    callsPerMinute: 1_000_000,
    busyMsAtOnce: 1_000_000,
    busyMsPerMinute: 1_000_000,
    maxInFlight: 1000,
  }
  return { rest: policy, graphql: policy }
})()

const { superuser, tenant } = await openTenant()

void describe('the rate budget', () => {
  /** A connector of its own, with a clock that only tests and sleeps move. */
  async function createConnector(policies: BudgetPolicies) {
    const { root, organizations } = tenant.alone
    const organization = organizations[0].id
    const connector = await plantConnector(superuser, organizations[0])
    let time = START
    const clock = {
      now: () => new Date(time),
      sleep(ms: number) {
        time += ms
        return Promise.resolve()
      },
    }
    const budgetFor = (workClass: WorkClass): RateBudget =>
      createRateBudget({ pool: tenant.pool, root, organization, connector, workClass, policies, clock })
    return {
      clock,
      live: budgetFor('live'),
      backfill: budgetFor('backfill'),
      pass: (seconds: number) => clock.sleep(seconds * 1000),
      elapsed: () => (time - START) / 1000,
    }
  }

  const report = (remaining: number, resetSeconds = 3600, points = 1000): Usage => ({
    limit: { points, remaining, resetsAt: new Date(START + resetSeconds * 1000) },
    cost: 1,
    busyMs: 0,
  })

  async function call(budget: RateBudget, usage: Usage, cost = 1) {
    await (await budget.reserve('rest', cost)).complete(usage)
  }

  async function retryAtOf(work: Promise<unknown>): Promise<number> {
    const error = await work.then(
      () => assert.fail('granted'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof RateLimitedError, String(error))
    return (error.retryAt.getTime() - START) / 1000
  }

  void it('lets live work use everything, then says when the window ends', async () => {
    const { live, pass } = await createConnector(free)
    await call(live, report(3))
    for (const remaining of [2, 1, 0]) await call(live, report(remaining))
    assert.equal(await retryAtOf(live.reserve('rest', 1)), 3600)
    await pass(3600)
    await call(live, report(999, 7200))
  })

  void it('does not take a clock that was set during a request for hours of work', async () => {
    const { live } = await createConnector(githubPolicies)
    await call(live, { ...report(900), busyMs: 17 * 3_600_000 })
    const retryAt = await retryAtOf(live.reserve('rest', 1))
    assert.ok(retryAt <= 600, String(retryAt))
  })

  void it('leaves half to live work, in proportion to the time that is left', async () => {
    const { live, backfill, pass, elapsed } = await createConnector(free)
    await call(live, report(501))
    await call(backfill, report(500))
    assert.equal(elapsed(), 0)
    // A short wait is slept.
    await call(backfill, report(500))
    assert.equal(elapsed(), 7.2)
    await call(live, report(499))
    // 250 may go once half of the window is left.
    const retryAt = await retryAtOf(backfill.reserve('rest', 248))
    assert.equal(retryAt, 1800)
    await pass(1800 - elapsed())
    await call(backfill, report(250), 248)
    await pass(1700)
    await call(backfill, report(60), 190)
    // A twentieth is never given.
    assert.equal(await retryAtOf(backfill.reserve('rest', 20)), 3600)
    await call(live, report(40))
  })

  void it('takes the resources apart', async () => {
    const { live } = await createConnector(free)
    await call(live, report(0))
    await (await live.reserve('graphql', 3)).complete(report(1))
    assert.equal(await retryAtOf(live.reserve('rest', 1)), 3600)
    assert.equal(await retryAtOf(live.reserve('graphql', 3)), 3600)
    await (await live.reserve('graphql', 1)).release(0)
  })

  void it('never grants more than there is to calls at the same time', async () => {
    const { live } = await createConnector(free)
    await call(live, report(10))
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => live.reserve('rest', 1)))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10)
  })

  void it('believes the lower figure of responses that overtake each other', async () => {
    const { live } = await createConnector(free)
    await call(live, report(10))
    const [first, second] = [await live.reserve('rest', 1), await live.reserve('rest', 1)]
    await second.complete(report(2))
    await first.complete(report(9))
    await call(live, report(1))
    await call(live, report(0))
    assert.equal(await retryAtOf(live.reserve('rest', 1)), 3600)
  })

  void it('begins a new window with its first response, whatever the last of the old one says', async () => {
    const { live } = await createConnector(free)
    await call(live, report(5))
    const late = await live.reserve('rest', 1)
    await call(live, report(900, 7200))
    await late.complete(report(0, 3600))
    await call(live, report(899, 7200))
  })

  void it('gives back what a call did not cost', async () => {
    const { live } = await createConnector(free)
    await call(live, report(10))
    await (await live.reserve('rest', 10)).complete({ ...report(9), cost: 1 })
    await (await live.reserve('rest', 9)).release(0)
    assert.equal(await retryAtOf(live.reserve('rest', 1)), 3600)
  })

  void it('does not wait where limits are off', async () => {
    const { live, backfill } = await createConnector(free)
    for (let calls = 0; calls < 20; calls++) {
      await call(backfill, { limit: 'off', cost: 1, busyMs: 0 })
      await call(live, { limit: 'off', cost: 1, busyMs: 0 })
    }
    // An operator switches them on, and off again.
    await call(live, report(0))
    assert.equal(await retryAtOf(live.reserve('rest', 1)), 3600)
  })

  void it('stays below the limits of a minute', async () => {
    const { rest } = githubPolicies
    // A tenth of everything, because each call is two transactions.
    const tenth = { ...rest, callsAtOnce: rest.callsAtOnce / 10, callsPerMinute: rest.callsPerMinute / 10 }
    const { live, clock } = await createConnector({ ...githubPolicies, rest: tenth })
    const sent: number[] = []
    while (sent.length < 150) {
      await call(live, { limit: 'off', cost: 1, busyMs: 0 })
      sent.push(clock.now().getTime())
    }
    const busiest = Math.max(
      ...sent.map((from) => sent.filter((time) => time >= from && time < from + 60_000).length),
    )
    assert.ok(busiest <= 90 && busiest > 60, String(busiest))
  })

  void it('stays below the response time of a minute', async () => {
    const { live, clock } = await createConnector(githubPolicies)
    const busy: { at: number; ms: number }[] = []
    while (busy.length < 150) {
      const reservation = await live.reserve('graphql', 1)
      await clock.sleep(900)
      await reservation.complete({ limit: 'off', cost: 1, busyMs: 900 })
      busy.push({ at: clock.now().getTime(), ms: 900 })
    }
    const sums = busy.map(({ at: from }) =>
      busy.filter(({ at }) => at >= from && at < from + 60_000).reduce((sum, { ms }) => sum + ms, 0),
    )
    assert.ok(Math.max(...sums) <= 60_000, String(Math.max(...sums)))
  })

  void it('bounds the calls in flight, and forgets those of a worker that died', async () => {
    const { live, pass, elapsed } = await createConnector({
      ...free,
      rest: { ...free.rest, maxInFlight: 2 },
    })
    const first = await live.reserve('rest', 1)
    await live.reserve('rest', 1)
    await retryAtOf(live.reserve('rest', 1))
    assert.ok(elapsed() >= 10)
    await first.release(0)
    const third = await live.reserve('rest', 1)
    await pass(120)
    await live.reserve('rest', 1)
    await live.reserve('rest', 1)
    await retryAtOf(live.reserve('rest', 1))
    // Its slot was given to another already.
    await third.complete(report(5))
    await retryAtOf(live.reserve('rest', 1))
  })

  void it('stops all calls when the forge says so, longer each time', async () => {
    const { live, pass } = await createConnector(free)
    await call(live, report(900))
    await (await live.reserve('graphql', 1)).release(0)
    const [first, second] = [await live.reserve('rest', 1), await live.reserve('rest', 1)]
    assert.equal((await first.block(null, 0)).getTime(), START + 60_000)
    // It was sent before, so it is no second refusal.
    assert.equal((await second.block(null, 0)).getTime(), START + 60_000)
    assert.equal(await retryAtOf(live.reserve('rest', 1)), 60)
    assert.equal(await retryAtOf(live.reserve('graphql', 1)), 60)
    await pass(60)
    assert.equal((await (await live.reserve('rest', 1)).block(null, 0)).getTime(), START + 180_000)
    await pass(120)
    const until = new Date(START + 1_000_000)
    assert.equal((await (await live.reserve('rest', 1)).block(until, 0)).getTime(), until.getTime())
    await pass(1000)
    await call(live, report(800))
    assert.equal((await (await live.reserve('rest', 1)).block(null, 0)).getTime(), START + 1_240_000)
  })
})
