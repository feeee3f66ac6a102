import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { readAllUsage, storeUse, usedBy } from './mcp-usage-data.ts'
import { calendarOf, dayAfter, finalized, mergedOn, windowOf } from './metrics-data.ts'
import { assertCountsAsMetrics, assertRefused } from './metrics-scope.ts'
import { assertPage, at, call, demo, home, type KeyName } from './service.ts'

const path = '/v1/metrics/mcp/summary'

type Group = { group: Record<string, string>; pull_requests: number; calls: number; errors: number }

function ask(query: string, key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${path}?${query}`, { key: demo.keys[key] })
}

async function summarize(query: string, key: KeyName = 'workspace'): Promise<Group[]> {
  const reply = await ask(query, key)
  assertPage(reply)
  const { data, completeness, ...rest } = reply.body as { data: Group[]; completeness: string }
  assert.deepEqual([completeness, rest], ['best_effort', {}])
  return data
}

const monday = dayAfter(calendarOf(2009)(), 1)
const later = dayAfter(monday, 7)
const window = windowOf(monday, later)
const both = mergedOn(monday)
const one = mergedOn(later, { author: { id: '93001' } })

before(async () => {
  assert.equal(new Date(`${monday}T00:00:00Z`).getUTCDay(), 1)
  await storeUse(
    finalized(both),
    finalized(one),
    usedBy(both, 'linear', [
      { name: 'search', calls: 5, errors: 2 },
      { name: 'get_issue', calls: 1 },
    ]),
    usedBy(both, 'sentry', [{ name: 'search', calls: 3 }]),
    usedBy(one, 'linear', [{ name: 'search', calls: 4, errors: 1 }]),
  )
})

const rowsOf = (groups: readonly Group[]) =>
  groups.map(({ group, pull_requests, calls, errors }) => [
    ...Object.values(group),
    pull_requests,
    calls,
    errors,
  ])

test('a summary of MCP usage has group, pull_requests, calls and errors; without group_by it is one total [P12-mcp-2]', async () => {
  assert.deepEqual(await summarize(window), [{ group: {}, pull_requests: 2, calls: 13, errors: 3 }])
  const empty = windowOf(dayAfter(later, 30))
  assert.deepEqual(await summarize(empty), [{ group: {}, pull_requests: 0, calls: 0, errors: 0 }])
  assert.deepEqual(await summarize(`${empty}&group_by=server`), [])
})

test('usage is grouped by server, tool and week; a pull request counts once in a group [P12-mcp-1]', async () => {
  const by = async (keys: string) => rowsOf(await summarize(`${window}&group_by=${keys}`))
  assert.deepEqual(await by('server'), [
    ['linear', 2, 10, 3],
    ['sentry', 1, 3, 0],
  ])
  assert.deepEqual(await by('tool'), [
    ['get_issue', 1, 1, 0],
    ['search', 2, 12, 3],
  ])
  assert.deepEqual(await by('week'), [
    [monday, 1, 9, 2],
    [later, 1, 4, 1],
  ])
  assert.deepEqual(await by('tool,server,week'), [
    [monday, 'linear', 'get_issue', 1, 1, 0],
    [monday, 'linear', 'search', 1, 5, 2],
    [monday, 'sentry', 'search', 1, 3, 0],
    [later, 'linear', 'search', 1, 4, 1],
  ])
})

test('a summary of MCP usage counts what the list returns, for its filters and every key [P12-mcp-1]', async () => {
  const year = windowOf('2026-01-05', '2026-10-20')
  for (const [query, key] of [
    [`${window}&user_ids=93001`, 'workspace'],
    [`${window}&repository_ids=${both.repository.id},none`, 'user'],
    [year, 'workspace'],
    [`${year}&org_id=${home.org_id}`, 'workspace'],
    [year, 'instance'],
  ] as const) {
    const tools = (await readAllUsage(query, key)).flatMap(({ servers, pr_url }) =>
      servers.flatMap((server) => server.tools.map((tool) => ({ ...tool, pr_url }))),
    )
    const sum = (field: 'calls' | 'errors') => tools.reduce((total, tool) => total + tool[field], 0)
    const pullRequests = new Set(tools.map(({ pr_url }) => pr_url)).size
    assert.deepEqual(
      rowsOf(await summarize(query, key)),
      [[pullRequests, sum('calls'), sum('errors')]],
      query,
    )
  }
})

test('a summary of MCP usage refuses other keys to group by, and what the list refuses [P12-mcp-1]', async () => {
  for (const more of [
    'group_by=repository',
    'group_by=tool,tool',
    'group_by=',
    'limit=10',
    'cursor=x',
    'format=csv',
  ])
    assertError(await ask(`${window}&${more}`), 400, 'INVALID_REQUEST', more)
  assertError(await ask(windowOf(later, monday)), 400, 'INVALID_REQUEST')
  assertError(await ask(`${window}&org_id=none`), 404, 'ORGANIZATION_NOT_FOUND')
  await assertRefused(ask, window)
  assert.equal(at(await summarize(window, 'other_tenant'), 0).calls, 0)
})

test('a summary of MCP usage counts as a page of metrics [P12-mcp-1]', async () => {
  await assertCountsAsMetrics(`${path}?${window}`)
})
