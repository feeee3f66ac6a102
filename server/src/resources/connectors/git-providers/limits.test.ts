// A backfill and live reads of several workers on a fake GitHub with limits and faults, under a simulated clock.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { githubLimits, type Limits } from '../../../../../fake-forge/github/limits.ts'
import { openPullRequest } from '../../../../../fake-forge/pull-request.ts'
import { submitReview } from '../../../../../fake-forge/review.ts'
import { startFixture } from '../../../../../fake-forge/test/github-fixture.ts'
import { createGithubClients, plantConnector, toClientClock } from '../../../../test/connectors/clients.ts'
import { openTenant } from '../../../../test/fixture.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import { createRateBudget, githubPolicies } from './budget.ts'
import {
  type CreatedPageRequest,
  type ProviderClient,
  ProviderUnavailableError,
  type PullRequestPage,
  RateLimitedError,
  type WorkClass,
} from './provider-client.ts'

const PULL_REQUESTS = 60
const SINCE = '2020-01-01T00:00:00Z'

const { superuser, tenant } = await openTenant()

void describe('calls to a forge with limits', () => {
  async function start(t: TestContext, limits: Limits | null) {
    const fixture = await startFixture(t, { isEnterprise: true, limits })
    const { clock: time, repository, forge, bob, bot } = fixture
    for (let index = 1; index < PULL_REQUESTS; index++) {
      const commits = [{ message: 'x', changes: { 'README.md': `${index}\n` } }]
      const pullRequest = openPullRequest(forge, repository, { title: 'x', author: bob, commits })
      submitReview(forge, pullRequest, { author: bot, threads: [{ path: 'README.md', line: 1, body: 'x' }] })
    }
    const { root, organizations } = tenant.alone
    const organization = organizations[0].id
    const connector = await plantConnector(superuser, organizations[0])
    const clock = toClientClock(time)
    const createClient = createGithubClients(fixture)
    const policies = githubPolicies
    const createShared = (workClass: WorkClass) =>
      createClient(
        createRateBudget({ pool: tenant.pool, root, organization, connector, workClass, policies, clock }),
      )
    return {
      ...fixture,
      ref: { id: String(repository.id), fullName: 'acme/booking-api', isPrivate: true },
      createShared,
      createUnlimited: () => createClient(),
      waitUntil: (at: Date) => time.advance(Math.max(1000, at.getTime() - time.now())),
    }
  }

  type Started = Awaited<ReturnType<typeof start>>

  /** Tries again as the engine does: at the time of the error, or a little later. */
  async function persist<Result>(
    { waitUntil, clock }: Started,
    work: () => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 0; ; tries++) {
      try {
        return await work()
      } catch (error) {
        assert.ok(tries < 200, String(error))
        if (error instanceof RateLimitedError) waitUntil(error.retryAt)
        else if (error instanceof ProviderUnavailableError) clock.advance(1000)
        else throw error
      }
    }
  }

  async function backfill(
    started: Started,
    client: ProviderClient,
  ): Promise<Map<number, PullRequestSnapshot>> {
    const found = new Map<number, PullRequestSnapshot>()
    for (let cursor: string | null = null; ; ) {
      const request: CreatedPageRequest = { after: cursor, since: SINCE }
      const page: PullRequestPage = await persist(started, () => client.listCreated(started.ref, request))
      for (const one of page.pullRequests) found.set(one.number, one)
      for (const number of page.failed) {
        const one = await persist(started, () => client.readPullRequest(started.ref, number))
        if (one !== null) found.set(number, one)
      }
      if (page.after === null) return found
      cursor = page.after
    }
  }

  function assertComplete(found: ReadonlyMap<number, PullRequestSnapshot>): void {
    assert.equal(found.size, PULL_REQUESTS)
    for (const { threads } of found.values()) assert.equal(threads.length, 1)
  }

  const few: Limits = { ...githubLimits, core: 40, graphql: 40 }

  void it('never hit a limit, and leave live work its share', async (t) => {
    const started = await start(t, few)
    const { github, ref, clock, createShared } = started
    const [slow, live] = [createShared('backfill'), createShared('live')]
    const begun = clock.now()
    const readPages = async () => {
      for (let pages = 0; pages < PULL_REQUESTS; pages++)
        await slow.listCreated(ref, { after: null, since: SINCE })
    }
    await assert.rejects(readPages(), RateLimitedError)
    assert.equal(clock.now(), begun)
    // What the backfill had to leave is enough for 9 reads, at once.
    for (let number = 1; number <= 9; number++) assert.ok(await live.readPullRequest(ref, number))
    assert.equal(clock.now(), begun)
    const found = await backfill(started, slow)
    assertComplete(found)
    assert.equal(github.limiter.primaryLimitHits, 0)
    assert.equal(github.limiter.secondaryLimitHits, 0)
    t.diagnostic(`${(clock.now() - begun) / 60_000} minutes, ${github.limiter.points.graphql} points`)
  })

  void it('do not read a page again because its last call does not fit', async (t) => {
    // One point becomes free every 72 s, longer than a call waits.
    const started = await start(t, { ...githubLimits, graphql: 100 })
    const { github, createShared } = started
    github.limiter.charge(started.installation.id, 'graphql', 46)
    assertComplete(await backfill(started, createShared('backfill')))
    // The heads, twice because the limit is not known before, and 6 pages of 3 points with their reactions.
    assert.equal(github.limiter.points.graphql - 46, 2 + 6 * 4)
  })

  void it('hit limits without the budget', async (t) => {
    const started = await start(t, few)
    const { github, createUnlimited } = started
    assertComplete(await backfill(started, createUnlimited()))
    for (let number = 1; number <= 30; number++)
      await persist(started, () => createUnlimited().readPullRequest(started.ref, number))
    assert.ok(github.limiter.primaryLimitHits > 0)
  })

  void it('do not wait where limits are off', async (t) => {
    const started = await start(t, null)
    const begun = started.clock.now()
    assertComplete(await backfill(started, started.createShared('backfill')))
    assert.ok(started.clock.now() - begun < 60_000)
  })

  void it('arrive at the same result through every fault', async (t) => {
    const started = await start(t, githubLimits)
    const { github, createShared, ref } = started
    const requests = {
      primaryLimit: 0.03,
      secondaryLimit: 0.03,
      graphqlLimit: 0.04,
      graphqlSecondaryLimit: 0.04,
      partialResult: 0.05,
      badGateway: 0.05,
      serverTimeout: 0.05,
      disconnect: 0.04,
      truncated: 0.04,
      expiredTokens: 0.05,
    }
    const clean = await backfill(started, createShared('backfill'))
    github.faults.setRates({ requests })
    const found = await backfill(started, createShared('backfill'))
    const single = await persist(started, () => createShared('live').readPullRequest(ref, 1))
    github.faults.setRates({})
    assertComplete(found)
    const withoutTime = (one: PullRequestSnapshot | null | undefined) => ({
      ...one,
      readAt: null,
      checkRuns: null,
    })
    for (const [number, snapshot] of clean)
      assert.deepEqual(withoutTime(found.get(number)), withoutTime(snapshot), String(number))
    assert.deepEqual(withoutTime(single), withoutTime(clean.get(1)))
    t.diagnostic(JSON.stringify(github.faults.counts))
  })
})
