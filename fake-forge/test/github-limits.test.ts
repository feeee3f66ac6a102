import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FaultPlan } from '../faults.ts'
import { githubLimits } from '../github/limits.ts'
import { startFixture } from './github-fixture.ts'

const path = '/repos/acme/booking-api/pulls/1'

test('the hourly limit refuses, names its reset and ends with it', async (t) => {
  const { get, clock, github, installation } = await startFixture(t, { limits: { ...githubLimits, core: 2 } })
  const first = await get(path)
  assert.equal(first.headers.get('x-ratelimit-remaining'), '1')
  const etag = first.headers.get('etag') ?? ''
  assert.equal((await get(path, { 'if-none-match': etag })).headers.get('x-ratelimit-remaining'), '1')
  await get(path)
  const refused = await get(path)
  assert.match(String(refused.status), /^(?:403|429)$/)
  assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
  const reset = Number(refused.headers.get('x-ratelimit-reset')) * 1000
  assert.equal((await get('/rate_limit')).status, 200)
  clock.advance(reset - clock.now())
  const { token } = github.apps.issueToken(installation)
  assert.equal((await get(path, { authorization: `Bearer ${token}` })).status, 200)
  assert.equal(github.limiter.primaryLimitHits, 1)
})

test('points a minute are a secondary limit with Retry-After', async (t) => {
  const { get, clock, github } = await startFixture(t, {
    limits: { ...githubLimits, restPointsPerMinute: 2 },
  })
  assert.equal((await get(path)).status, 200)
  assert.equal((await get(path)).status, 200)
  const refused = await get(path)
  assert.match(String(refused.status), /^(?:403|429)$/)
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.notEqual(refused.headers.get('x-ratelimit-remaining'), '0')
  clock.advance(30_000)
  assert.notEqual((await get(path)).status, 200, 'it goes on for clients that do not wait')
  clock.advance(60_000)
  assert.equal((await get(path)).status, 200)
  assert.equal(github.limiter.secondaryLimitHits, 2)
})

test('the response time in a minute is a secondary limit', async (t) => {
  const { query, github, clock } = await startFixture(t, {
    async waitForResponse() {
      clock.advance(35_000)
    },
  })
  const run = () => query('{ rateLimit { remaining } }')
  await run()
  await run()
  assert.equal(github.limiter.secondaryLimitHits, 0)
  await run()
  assert.equal(github.limiter.secondaryLimitHits, 1)
  clock.advance(60_000)
  assert.equal((await run()).errors, undefined)
  assert.equal(github.limiter.secondaryLimitHits, 1)
})

test('a spent GraphQL budget is a 200 with an error', async (t) => {
  const { query, github, installation } = await startFixture(t)
  github.limiter.exhaust(installation.id, 'graphql')
  assert.equal((await query('{ rateLimit { remaining } }')).errors?.[0]?.type, 'RATE_LIMIT')
})

test('an Enterprise Server without limits has no headers of them', async (t) => {
  const { get, github } = await startFixture(t, { isEnterprise: true, limits: null })
  assert.match(github.apiUrl, /\/api\/v3$/)
  const { headers, body } = await get(path)
  assert.equal(headers.get('x-ratelimit-limit'), null)
  assert.match((body as { url: string }).url, /\/api\/v3\/repos\//)
  assert.equal((await get('/rate_limit')).status, 404)
})

test('faults happen as queued', async (t) => {
  const { get, query, github } = await startFixture(t)
  github.faults.queue(
    'badGateway',
    'serverTimeout',
    'secondaryLimit',
    'primaryLimit',
    'disconnect',
    'truncated',
  )
  const raw = async () => {
    const response = await fetch(`${github.apiUrl}${path}`)
    await response.text()
    return response.status
  }
  assert.equal(await raw(), 502)
  assert.equal(await raw(), 502)
  assert.equal((await get(path)).headers.get('retry-after'), '60')
  assert.equal((await get(path)).headers.get('x-ratelimit-remaining'), '0')
  await assert.rejects(raw())
  await assert.rejects(raw())
  github.faults.queue('graphqlLimit', 'graphqlSecondaryLimit', 'partialResult')
  assert.equal((await get(path)).status, 200, 'faults of GraphQL wait for a query')
  assert.equal((await query('{ rateLimit { cost } }')).errors?.[0]?.type, 'RATE_LIMITED')
  assert.match((await query('{ rateLimit { cost } }')).errors?.[0]?.message ?? '', /secondary rate limit/)
  const threads = 'pullRequests(first: 5) { nodes { number reviewThreads(first: 5) { totalCount } } }'
  const partial = await query(`{ repository(owner: "acme", name: "booking-api") { ${threads} } }`)
  assert.deepEqual(partial.data, { repository: { pullRequests: { nodes: [null] } } })
  assert.equal(partial.errors?.length, 1)
  github.faults.queue('expiredTokens')
  assert.equal((await get(path)).status, 401)
})

test('a seed gives the same faults again', () => {
  const draw = () => {
    const plan = new FaultPlan(7, { requests: { badGateway: 0.2, hang: 0.1 }, hooks: { unsent: 0.3 } })
    return Array.from({ length: 200 }, () => plan.takeRequestFault(false) ?? plan.takeHookFault())
  }
  assert.deepEqual(draw(), draw())
  assert.ok(draw().includes('badGateway') && draw().includes('unsent') && draw().includes(null))
})
