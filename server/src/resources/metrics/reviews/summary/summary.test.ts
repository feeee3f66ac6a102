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

test('a percentile lies between the two closest ranks, as in docs/metrics.md [P12-reviews-3]', async () => {
  const { root, organizations } = tenant.workspace
  const reviewer = createEventGenerator({ seed: 4 })
  const percentiles = async (day: string, ...minutes: number[]) => {
    const created_at = `${day}T00:00:00.000Z`
    const events = minutes.map((after) =>
      reviewer.finalized(toReviewTarget(organizations[0]), {
        created_at,
        ready_for_review_at: null,
        first_human_review_at: null,
        merged_at: new Date(Date.parse(created_at) + after * 60_000).toISOString(),
        occurred_at: `${day}T12:00:00.000Z`,
      }),
    )
    assert.deepEqual(await storeEvents(writer, root, events), [])
    const [row] = (await summarize(`start_date=${day}&end_date=${day}`)).data
    return [row?.median_minutes_to_merge, row?.p90_minutes_to_merge]
  }
  assert.deepEqual(await percentiles('2030-06-01'), [null, null])
  assert.deepEqual(await percentiles('2030-06-02', 7), [7, 7])
  assert.deepEqual(await percentiles('2030-06-03', 40, 10, 30, 20), [25, 37])
  assert.deepEqual(await percentiles('2030-06-04', 40, 10, 30, 20, 0), [20, 36])
})

test('pull requests have any name and any year, and unknown times are left out', async () => {
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
      write(4, { created_at: '0001-01-01T00:00:00.000Z', merged_at: `${day}T00:00:00.000Z` }),
      write(5, {
        created_at: '9999-12-31T22:00:00.000Z',
        first_human_review_at: '9999-12-31T23:00:00.000Z',
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
  const years = Date.parse(`${day}T00:00:00.000Z`) - Date.parse('0001-01-01T00:00:00.000Z')
  const { data } = await summarize(`start_date=${day}&end_date=${day}&status=all&group_by=repository`)
  assert.deepEqual(data, [
    {
      group: { repository: 'hostile', repository_name: null },
      pull_requests: 6,
      merged: 5,
      closed: 1,
      // 0 and 60 minutes.
      median_minutes_to_first_human_review: 30,
      // 0, 60.01, 180 minutes and 2030 years.
      median_minutes_to_merge: 120,
      p90_minutes_to_merge: Math.round((180 + (years / 60_000 - 180) * 0.7) * 100) / 100,
      mean_review_iterations: 500_000_000_001,
    },
  ])
})

test('percentiles of a large group are exact [P12-reviews-3]', async () => {
  const { root, organizations } = tenant.workspace
  const [organization] = organizations
  await superuser.query(
    `insert into pull_request (root_id, pull_request_key, provider, host, repository_id, number, organization_id,
       provider_organization_id, organization_name, url, status, created_at, merged_at, review_iterations, reviewers, day, position,
       event_id, event_at, counted, review)
     select $1, gen_random_uuid(), 'github', 'github.com', 'large', n, $2, '1', 'o', 'u', 'merged', timestamptz '2032-01-01Z',
       timestamptz '2032-01-01Z' + n * interval '1 minute', n % 3, '{}', '2032-01-05', 1000000 + n, n, now(), false, '{}'
     from generate_series(1, 60000) n`,
    [root, organization.id],
  )
  const query = 'start_date=2032-01-05&end_date=2032-01-05'
  const figures = {
    pull_requests: 60_000,
    merged: 60_000,
    closed: 0,
    median_minutes_to_first_human_review: null,
    median_minutes_to_merge: 30_000.5,
    p90_minutes_to_merge: 54_000.1,
    mean_review_iterations: 1,
  }
  assert.deepEqual(await summarize(query), {
    data: [{ group: {}, ...figures }],
    definition_id: 'review_times.v1',
    approximate: false,
  })
  assert.deepEqual((await summarize(`${query}&group_by=week`)).data, [
    { group: { week: '2032-01-05' }, ...figures },
  ])
})
