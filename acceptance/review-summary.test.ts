import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { calendarOf, dayAfter, mergedOn, type PullRequest, store, windowOf } from './metrics-data.ts'
import { assertCountsAsMetrics, assertRefused } from './metrics-scope.ts'
import { readAllReviews } from './reviews-data.ts'
import { assertPage, at, call, demo, home, type KeyName, organizationsOf } from './service.ts'

const path = '/v1/metrics/reviews/summary'

type Group = {
  group: { week?: string; repository?: string; repository_name?: string | null }
  pull_requests: number
  merged: number
  closed: number
  median_minutes_to_first_human_review: number | null
  median_minutes_to_merge: number | null
  p90_minutes_to_merge: number | null
  mean_review_iterations: number | null
}
type Summary = { data: Group[]; definition_id: string; approximate: boolean }

function ask(query: string, key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${path}?${query}`, { key: demo.keys[key] })
}

async function summarize(query: string, key: KeyName = 'workspace'): Promise<Summary> {
  const reply = await ask(query, key)
  assertPage(reply)
  return reply.body as Summary
}

const [first, second] = [at(home.repositories, 0), at(home.repositories, 1)]
const sunday = nextSunday(calendarOf(2010)())
const monday = dayAfter(sunday, 1)
const window = windowOf(sunday, monday)

function nextSunday(day: string): string {
  let found = day
  while (new Date(`${found}T00:00:00Z`).getUTCDay() !== 0) found = dayAfter(found, 1)
  return found
}

/** Created at midnight and merged at noon, unless it says otherwise. */
function reviewed(day: string, over: Record<string, unknown>): PullRequest {
  return mergedOn(day, { created_at: `${day}T00:00:00.000Z`, ...over })
}

before(async () => {
  await store(
    reviewed(sunday, { first_human_review_at: `${sunday}T01:00:00.000Z`, review_iterations: 1 }),
    // Its time begins when it is ready for review.
    reviewed(sunday, {
      ready_for_review_at: `${sunday}T10:00:00.000Z`,
      first_human_review_at: `${sunday}T10:30:30.000Z`,
      review_iterations: 4,
    }),
    // A review of a draft takes no time; its author is somebody else.
    reviewed(monday, {
      repository: { id: second.repository_id },
      author: { id: '92001' },
      ready_for_review_at: `${monday}T11:00:00.000Z`,
      first_human_review_at: `${monday}T09:00:00.000Z`,
    }),
    reviewed(monday, { created_at: null }),
    reviewed(monday, { status: 'closed', merged_at: null, closed_at: `${monday}T12:00:00.000Z` }),
  )
})

test('a summary of reviews has exactly the fields of the contract; without group_by it is one total [P12-reviews-2]', async () => {
  assert.deepEqual(await summarize(`${window}&status=all`), {
    data: [
      {
        group: {},
        pull_requests: 5,
        merged: 4,
        closed: 1,
        median_minutes_to_first_human_review: 30.5,
        median_minutes_to_merge: 120,
        p90_minutes_to_merge: 600,
        mean_review_iterations: 2.5,
      },
    ],
    definition_id: 'review_times.v1',
    approximate: false,
  })
})

test('pull requests are grouped by week and repository, with the name of the repository [P12-reviews-1]', async () => {
  const { data } = await summarize(`${window}&status=all&group_by=repository,week`)
  assert.deepEqual(
    data.map(({ group, pull_requests, closed }) => [group, pull_requests, closed]),
    [
      [{ week: dayAfter(sunday, -6), ...named(first) }, 2, 0],
      ...[
        [{ week: monday, ...named(first) }, 2, 1],
        [{ week: monday, ...named(second) }, 1, 0],
      ].sort(([one], [other]) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    ],
  )
  const weeks = await summarize(`${window}&group_by=week`)
  assert.deepEqual(
    weeks.data.map((row) => [row.group, row.median_minutes_to_merge, row.p90_minutes_to_merge]),
    [
      [{ week: dayAfter(sunday, -6) }, 420, 660],
      [{ week: monday }, 60, 60],
    ],
  )
})

function named({ repository_id, name }: typeof first) {
  return { repository: repository_id, repository_name: name }
}

test('where nothing is known, the times and the mean are null; a summary of nothing is one total [P12-reviews-2]', async () => {
  const unknown = await summarize(`${windowOf(monday)}&status=closed`)
  const empty = await summarize(windowOf(dayAfter(monday, 30)))
  for (const [{ data }, count] of [
    [unknown, 1],
    [empty, 0],
  ] as const) {
    const { group, pull_requests, merged, closed, ...figures } = at(data, 0)
    assert.deepEqual([data.length, group, pull_requests, merged, closed], [1, {}, count, 0, count])
    assert.deepEqual(new Set(Object.values(figures)), new Set([null]))
  }
  assert.deepEqual((await summarize(`${windowOf(dayAfter(monday, 30))}&group_by=week`)).data, [])
})

test('a summary of reviews counts what the list returns, for its filters, its status and every key [P12-reviews-1]', async () => {
  const year = windowOf('2026-01-05', '2026-10-20')
  const queries: [string, KeyName][] = [
    [window, 'workspace'],
    [`${window}&status=all&user_ids=92001`, 'user'],
    [`${window}&repository_ids=${second.repository_id},none`, 'organization'],
    [`${year}&status=all`, 'workspace'],
    [`${year}&status=closed&org_id=${home.org_id}`, 'workspace'],
    [`${year}&repository_ids=${first.repository_id}`, 'legacy'],
    [year, 'instance'],
    [`${year}&organization_ids=${at(organizationsOf('instance'), 0).org_id}`, 'instance'],
  ]
  for (const [query, key] of queries) {
    const reviews = await readAllReviews(query, key)
    const merged = reviews.filter(({ status }) => status === 'merged').length
    const { pull_requests, ...total } = at((await summarize(query, key)).data, 0)
    assert.deepEqual(
      [pull_requests, total.merged, total.closed],
      [reviews.length, merged, reviews.length - merged],
    )
    const { data } = await summarize(`${query}&group_by=repository,week`, key)
    assert.equal(
      data.reduce((sum, row) => sum + row.pull_requests, 0),
      reviews.length,
      query,
    )
  }
})

test('a summary of reviews refuses other keys to group by, and what the list refuses [P12-reviews-1]', async () => {
  for (const more of [
    'group_by=author',
    'group_by=week,week',
    'group_by=',
    'limit=10',
    'cursor=x',
    'format=csv',
    'status=open',
  ])
    assertError(await ask(`${window}&${more}`), 400, 'INVALID_REQUEST', more)
  assertError(await ask(windowOf(monday, sunday)), 400, 'INVALID_REQUEST')
  assertError(await ask(`${window}&org_id=none`), 404, 'ORGANIZATION_NOT_FOUND')
  await assertRefused(ask, window)
  assert.equal(at((await summarize(window, 'other_tenant')).data, 0).pull_requests, 0)
})

test('a summary of reviews counts as a page of metrics [P12-reviews-1]', async () => {
  await assertCountsAsMetrics(`${path}?${window}`)
})
