import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import {
  askUsage,
  mcpPath,
  readAllUsage,
  readUsage,
  storeUse,
  type UsedTool,
  usageOf,
  usedBy,
} from './mcp-usage-data.ts'
import {
  calendarOf,
  dayAfter,
  finalized,
  mergedOn,
  outcomeOf,
  type PullRequest,
  read,
  reviewCommentsPath,
  store,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { assertNarrowed, assertRefused, assertShownByScope, spreadOver } from './metrics-scope.ts'
import { readAllReviews, reviewsPath } from './reviews-data.ts'
import { at, call, demo, home, type KeyName } from './service.ts'
import { assertSharedWindow, strict } from './windows.ts'

const nextDay = calendarOf(2013)
const day = nextDay()
const spread = spreadOver(day)
const { window, five, urls, ofSibling, ofFirmware, ofFleet } = spread
let cursor = ''

before(async () => {
  await storeUsed(...five)
  await storeUsed(ofSibling)
  await storeUsed(ofFirmware, ofFleet)
  cursor = (await readUsage(`${window}&limit=2`, 'organization')).next_cursor ?? ''
  assert.notEqual(cursor, '')
})

function storeUsed(...pullRequests: PullRequest[]): Promise<void> {
  return storeUse(...pullRequests.map((one) => finalized(one)), ...pullRequests.map((one) => usedBy(one)))
}

async function told(query: string, key: KeyName = 'workspace'): Promise<string[]> {
  return urlsOf(await readAllUsage(query, key))
}

test('a page of MCP usage has exactly data and next_cursor, also when it is empty [P1-lists-1]', async () => {
  assert.deepEqual(await readUsage(windowOf(nextDay())), { data: [], next_cursor: null })
  assert.deepEqual(Object.keys(await readUsage(window)), ['data', 'next_cursor'])
})

test('a record of MCP usage has exactly the fields of the contract, servers with tools, and is best effort [S-what-9 S-named-7 P5-mcp-2]', async () => {
  const on = nextDay()
  const pullRequest = mergedOn(on)
  const { organization, repository, number } = pullRequest
  const servers = [
    {
      name: 'sentry',
      tools: [{ name: 'get_issue', calls: 4, errors: 1 }, { name: 'find_releases' }],
    },
    { name: 'linear', tools: [{ name: 'search', calls: 2 }] },
  ]
  const event = { ...usedBy(pullRequest), payload: { organization, repository, number, servers } }
  await storeUse(finalized(pullRequest), event)
  const usage = await usageOf(windowOf(on))
  assert.deepEqual(usage, {
    pr_url: pullRequest.url,
    organization_id: home.org_id,
    repository_id: pullRequest.repository.id,
    author_id: '90001',
    merged_at: `${on}T12:00:00.000Z`,
    servers: [
      { name: 'linear', calls: 2, tools: [{ name: 'search', calls: 2, errors: 0 }] },
      {
        name: 'sentry',
        calls: 5,
        tools: [
          { name: 'find_releases', calls: 1, errors: 0 },
          { name: 'get_issue', calls: 4, errors: 1 },
        ],
      },
    ],
    completeness: 'best_effort',
  })
  assert.deepEqual(Object.keys(usage), [
    'pr_url',
    'organization_id',
    'repository_id',
    'author_id',
    'merged_at',
    'servers',
    'completeness',
  ])
})

test('MCP usage is returned for merged pull requests only, and joins the other metrics on pr_url [S-named-6 P5-mcp-2]', async () => {
  const on = nextDay()
  const [clean, unused] = [mergedOn(on, { findings: [] }), mergedOn(on)]
  const closed = mergedOn(on, { status: 'closed', merged_at: null, closed_at: `${on}T12:00:00.000Z` })
  await storeUse(...[clean, unused, closed].map((one) => finalized(one)), usedBy(clean), usedBy(closed))
  assert.deepEqual(await told(windowOf(on)), [clean.url])
  const reviews = await readAllReviews(windowOf(on))
  assert.ok(urlsOf(reviews).includes(clean.url))
  assert.deepEqual(urlsOf((await read(window, 'organization')).data), await told(window, 'organization'))
})

test('usage may be sent before, with and after its pull request, and every event counts once [P10-9]', async () => {
  const on = nextDay()
  const pullRequest = mergedOn(on)
  const [early, same, late] = ['early', 'same', 'late'].map((name) =>
    usedBy(pullRequest, 'linear', [{ name }]),
  )
  assert.ok(early && same && late)
  await storeUse(early)
  assert.deepEqual(await told(windowOf(on)), [])
  await storeUse(same, early, finalized(pullRequest))
  await storeUse(late, same)
  const one = (name: string): UsedTool => ({ name, calls: 1, errors: 0 })
  assert.deepEqual((await usageOf(windowOf(on))).servers, [
    { name: 'linear', calls: 3, tools: [one('early'), one('late'), one('same')] },
  ])
})

test('a pull request whose usage grows, or that is written again, moves to the end; a change of accepted moves nothing [P1-lists-4 P5-mcp-2]', async () => {
  const on = nextDay()
  const [first, second, third] = [mergedOn(on), mergedOn(on), mergedOn(on)]
  await storeUsed(first, second, third)
  const query = windowOf(on)
  const kept = (await readUsage(`${query}&limit=2`)).next_cursor ?? ''
  await store(outcomeOf(second, 0, true))
  assert.deepEqual(await told(query), [first.url, second.url, third.url])
  await storeUse(usedBy(second))
  assert.deepEqual(await told(query), [first.url, third.url, second.url])
  const [, again] = await readAllUsage(`${query}&cursor=${kept}`)
  assert.deepEqual([again?.pr_url, again?.servers[0]?.calls], [second.url, 2])
  await storeUse(finalized({ ...first, merged_at: `${on}T15:00:00.000Z` }, `${on}T15:01:00.000Z`))
  assert.deepEqual(await told(query), [third.url, second.url, first.url])
})

test('a key gets the MCP usage of every organization that it is authorized for, and of no other [P2-kinds-2 P5-mcp-1]', async () => {
  await assertShownByScope(told, spread)
})

test('org_id is optional on MCP usage and narrows a workspace token; organization_ids narrow an instance key [S-what-12 S-what-13 S-named-6 S-auth-23]', async () => {
  await assertNarrowed(askUsage, told, spread)
})

test('MCP usage refuses what review comments refuse: keys, plan, metrics that are off [S-what-3 P1-code-8 P2-kinds-2]', async () => {
  assertError(await call(`${mcpPath}?${window}`), 401, 'UNAUTHORIZED')
  await assertRefused(askUsage, window)
})

test('MCP usage takes the parameters of review comments and no other: it is JSON only [P5-mcp-1]', async () => {
  for (const query of [
    '',
    'start_date=2014-01-01',
    windowOf('2014-02-30'),
    windowOf(day, dayAfter(day, -1)),
    `${window}&format=json`,
    `${window}&format=csv`,
    `${window}&status=all`,
    `${window}&limit=0`,
    `${window}&limit=1001`,
    `${window}&limit=1e1`,
    `${window}&unknown=1`,
    `${window}&repository_ids=1,,2`,
    `${window}&user_ids=1,2,3,4,5,6,7,8,9,10,11`,
  ]) {
    assertError(await askUsage(query), 400, 'INVALID_REQUEST', query)
  }
  const many = await readUsage(`${window}&user_ids=1,2,3,4,5,6,7,8,9,90001&limit=1000`)
  assert.equal(many.data.length, 6)
  assert.deepEqual(await told(`${window}&user_ids=90002`), [])
  const repository = at(home.repositories, 0).repository_id
  assert.deepEqual(await told(`${window}&org_id=${home.org_id}&repository_ids=${repository}`), urls)
  assert.deepEqual(await told(`${window}&repository_ids=another`), [])
})

test('paging gives every record of MCP usage once, whatever the limit, and its cursor is bound to the filters [P1-cursor-8 P5-mcp-1]', async () => {
  for (const limit of [1, 2, 5, 1000]) {
    assert.deepEqual(await told(`${window}&limit=${limit}`, 'organization'), urls)
  }
  const page = `${window}&cursor=${cursor}`
  for (const key of ['organization', 'user', 'legacy'] as const) {
    assert.deepEqual(await told(`${page}&limit=1`, key), urls.slice(2))
  }
  for (const query of [`${page}&user_ids=90001`, `${window}&cursor=`, `${window}&cursor=${cursor}A`]) {
    assertError(await askUsage(query, 'organization'), 400, 'INVALID_CURSOR', query)
  }
  assertError(await askUsage(page), 400, 'INVALID_CURSOR')
  for (const path of [reviewsPath, reviewCommentsPath]) {
    assertError(await call(`${path}?${page}`, { key: demo.keys.organization }), 400, 'INVALID_CURSOR')
  }
})

test('usage of a wrong shape is rejected, and credentials in names are redacted [P10-9]', async () => {
  const on = nextDay()
  const pullRequest = mergedOn(on)
  const wrong = [{}, { name: 'x', calls: 0 }, { name: 'x', errors: 2 }, { name: 'two\nlines' }]
  const reply = await call('/ingest/v1/events', {
    key: demo.keys.ingest,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wrong.map((tool) => usedBy(pullRequest, 'linear', [tool]))),
  })
  assert.equal(reply.status, 202, reply.text)
  const { accepted, rejected } = reply.body as { accepted: number; rejected: { index: number }[] }
  assert.deepEqual([accepted, rejected.map(({ index }) => index)], [0, [0, 1, 2, 3]])
  const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
  await storeUse(finalized(pullRequest), usedBy(pullRequest, `https://mcp.example.com/?token=${secret}`))
  const usage = await usageOf(windowOf(on))
  assert.ok(!JSON.stringify(usage).includes(secret))
  assert.match(at(usage.servers, 0).name, /REDACTED/)
})

test('MCP usage counts in the window of the metrics, every page of it [P1-limit-12]', async () => {
  const ask = (path: string) => () =>
    call(`${path}?${window}&limit=1`, { base: strict(), key: demo.keys.workspace })
  await assertSharedWindow('"metrics";q=10;w=60', [ask(mcpPath), ask(reviewCommentsPath), ask(mcpPath)])
})

test('the demo has MCP usage of every tenant, of pull requests that its reviews show [P5-mcp-2]', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const year = windowOf(dayAfter(today, -366), today)
  for (const key of ['workspace', 'instance', 'other_tenant'] as const) {
    const usage = await readAllUsage(year, key)
    assert.ok(usage.length > 5, `${key}: ${usage.length}`)
    const reviews = new Set(urlsOf(await readAllReviews(year, key)))
    for (const { pr_url, servers } of usage) {
      assert.ok(reviews.has(pr_url), pr_url)
      for (const { calls, tools } of servers) {
        assert.equal(
          calls,
          tools.reduce((sum, tool) => sum + tool.calls, 0),
        )
      }
    }
  }
})
