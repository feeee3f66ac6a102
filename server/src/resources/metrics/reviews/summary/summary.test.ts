import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../../test/call.ts'
import { openTenant } from '../../../../../test/fixture.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../../../../test/pull-requests.ts'
import { Durations, MAX_EXACT_PULL_REQUESTS } from './durations.ts'
import type { ReviewSummaryRow } from './schema.ts'

const { database, superuser, tenant, use } = await openTenant()
const writer = use(createTestWriter(database))
const service = use(startService(database, { LIMIT_METRICS: 'off' }))
const key = (await tenant.createKey('workspace')).value

async function summarize(query: string): Promise<{ data: ReviewSummaryRow[]; approximate: boolean }> {
  const { status, text } = await service.call(`/v1/metrics/reviews/summary?${query}`, { key })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

test('a percentile lies between the two closest ranks, as in docs/metrics.md', () => {
  const durations = new Durations()
  assert.equal(durations.percentile(0.5), null)
  for (const minutes of [40, 10, 30, 20]) durations.add(minutes)
  assert.equal(durations.percentile(0.5), 25)
  assert.equal(Math.round(1e6 * (durations.percentile(0.9) ?? 0)), 37e6)
  durations.add(0)
  assert.deepEqual([durations.percentile(0), durations.percentile(0.5), durations.percentile(1)], [0, 20, 40])
})

test('an approximate percentile is within 2 % of the exact one, from a millisecond to ten thousand years [P12-reviews-3]', () => {
  for (const largest of [1, 60, 1e3, 6e4, 1e9, 3.2e14]) {
    const [exact, approximate] = [new Durations(), new Durations()]
    for (let index = 0; index < 2_000; index++) {
      const value = Math.floor(largest ** (index / 1_999))
      exact.add(value)
      approximate.add(value)
      if (index === 1_000) approximate.approximate()
    }
    for (let percent = 0; percent <= 100; percent++) {
      const [right, found] = [exact.percentile(percent / 100), approximate.percentile(percent / 100)]
      assert.ok(right !== null && found !== null)
      assert.ok(
        Math.abs(found - right) <= 0.02 * right,
        `${percent} % of up to ${largest}: ${found}, not ${right}`,
      )
    }
  }
})

test('times are read from entries with any name and any year, and unknown times are left out', async () => {
  const { root, organizations } = tenant.workspace
  const target = toReviewTarget(organizations[0])
  const reviewer = createEventGenerator({ seed: 3 })
  const hostile = `x,"status":"closed","created_at":null,\\",ä€😀`
  const write = (number: number, fields: Partial<Parameters<typeof reviewer.finalized>[1]>) =>
    reviewer.finalized(target, {
      number,
      repository: { id: 'hostile', name: hostile },
      author: { id: '1', username: hostile },
      occurred_at: '2031-03-05T00:00:00.000Z',
      ready_for_review_at: null,
      first_human_review_at: null,
      last_commit_at: null,
      closed_at: null,
      review_iterations: null,
      ...fields,
    })
  const day = '2031-03-04'
  assert.deepEqual(
    await storeEvents(writer, root, [
      write(1, {
        created_at: `${day}T00:00:00.000Z`,
        merged_at: `${day}T01:00:00.500Z`,
        review_iterations: 2,
      }),
      // Without a start, or reviewed before it was ready.
      write(2, {
        created_at: null,
        merged_at: `${day}T02:00:00.000Z`,
        first_human_review_at: `${day}T02:00:00.000Z`,
      }),
      write(3, {
        created_at: `${day}T00:00:00.000Z`,
        ready_for_review_at: `${day}T03:00:00.000Z`,
        first_human_review_at: `${day}T01:00:00.000Z`,
        merged_at: `${day}T06:00:00.000Z`,
        review_iterations: 1_000_000_000_000,
      }),
      write(4, { created_at: '0042-01-01T00:00:00.000Z', merged_at: `${day}T00:00:00.000Z` }),
      write(5, {
        created_at: '+010000-01-01T00:00:00.000Z',
        first_human_review_at: '+010000-01-01T01:00:00.000Z',
        merged_at: `${day}T00:00:00.000Z`,
      }),
      write(6, {
        status: 'closed',
        created_at: `${day}T00:00:00.000Z`,
        merged_at: null,
        closed_at: `${day}T09:00:00.000Z`,
      }),
    ]),
    [],
  )
  const years = Date.parse(`${day}T00:00:00.000Z`) - Date.parse('0042-01-01T00:00:00.000Z')
  const { data } = await summarize(`start_date=${day}&end_date=${day}&status=all&group_by=repository`)
  assert.deepEqual(data, [
    {
      group: { repository: 'hostile', repository_name: null },
      pull_requests: 6,
      merged: 5,
      closed: 1,
      // 0 and 60 minutes.
      median_minutes_to_first_human_review: 30,
      // 0, 60.01, 180 minutes and 1989 years.
      median_minutes_to_merge: 120,
      p90_minutes_to_merge: Math.round((180 + (years / 60_000 - 180) * 0.7) * 100) / 100,
      mean_review_iterations: 500_000_000_001,
    },
  ])
})

test('a group is exact up to 50,000 pull requests; with one more its percentiles are within 2 % [P12-reviews-3]', async () => {
  const { root, organizations } = tenant.workspace
  const [organization] = organizations
  const entry = `{"pr_url":"x","status":"merged","created_at":"2032-01-01T00:00:00.000Z","ready_for_review_at":null,"first_human_review_at":null,"last_commit_at":null,"merged_at":"`
  const insert = (from: number, to: number) =>
    superuser.query(
      `insert into review (root_id, provider, host, repository_id, number, organization_id, status, day, week, position, entry)
       select $1, 'github', 'github.com', 'large', n, $2, 'merged', '2032-01-05', 626, 1000000 + n,
         $3 || to_char(timestamp '2032-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           || '","closed_at":null,"review_iterations":' || n % 3 || ',"estimated_complexity":null}'
       from generate_series($4::int, $5::int) n`,
      [root, organization.id, entry, from, to],
    )
  await insert(1, MAX_EXACT_PULL_REQUESTS)
  const query = 'start_date=2032-01-05&end_date=2032-01-05'
  const exact = await summarize(query)
  assert.deepEqual(exact, {
    data: [
      {
        group: {},
        pull_requests: 50_000,
        merged: 50_000,
        closed: 0,
        median_minutes_to_first_human_review: null,
        median_minutes_to_merge: 25_000.5,
        p90_minutes_to_merge: 45_000.1,
        mean_review_iterations: 1,
      },
    ],
    definition_id: 'review_times.v1',
    approximate: false,
  })
  await insert(MAX_EXACT_PULL_REQUESTS + 1, MAX_EXACT_PULL_REQUESTS + 1)
  const { data, approximate } = await summarize(`${query}&group_by=week`)
  const [row] = data
  assert.ok(row?.median_minutes_to_merge && row.p90_minutes_to_merge)
  assert.equal(approximate, true)
  assert.deepEqual(
    [row.group, row.pull_requests, row.mean_review_iterations],
    [{ week: '2032-01-05' }, 50_001, 1],
  )
  assert.notEqual(row.median_minutes_to_merge, 25_001)
  assert.ok(Math.abs(row.median_minutes_to_merge - 25_001) <= 0.02 * 25_001)
  assert.ok(Math.abs(row.p90_minutes_to_merge - 45_001) <= 0.02 * 45_001)
})
