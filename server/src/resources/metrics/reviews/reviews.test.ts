import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openTenant } from '../../../../test/fixture.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../../../test/pull-requests.ts'
import type { ReviewEvent } from '../write/review-payload.ts'

const reviewer = createEventGenerator()

const { database, superuser, tenant, use } = await openTenant()
const writer = use(createTestWriter(database))
const root = tenant.workspace.root
const workplace = toReviewTarget(tenant.workspace.organizations[0])
beforeEach(() =>
  superuser.query('truncate pull_request, finding, finding_week, metrics_day, outcome, metrics_head'),
)

const store = (...events: readonly ReviewEvent[]) => storeEvents(writer, root, events)

async function read<Row extends object>(text: string): Promise<Row[]> {
  return (await superuser.query<Row>(text)).rows
}

async function counted(): Promise<unknown> {
  const [row] = await read<{ review: { coderabbit_comments: unknown } }>(
    'select review::json as review from pull_request',
  )
  return row?.review.coderabbit_comments
}

const none = { posted: 0, accepted: 0 }

test('findings are counted by severity and category; unknown values count only in the total [P5-reviews-3]', async () => {
  const finding = (id: string, severity: string | null, category: string | null) =>
    ({ id, url: `https://a/${id}`, severity, category, reviewer: null }) as const
  const findings = [
    finding('1', 'major', 'security_and_privacy'),
    finding('2', 'major', null),
    finding('3', null, 'security_and_privacy'),
    finding('4', null, null),
  ] as ReturnType<typeof reviewer.finalized>['payload']['findings']
  const event = reviewer.finalized(workplace, { findings })
  const at = (minutes: number) => new Date(Date.parse(event.occurred_at) + minutes * 60_000).toISOString()
  const outcome = (finding_id: string, accepted: boolean | null, minutes: number) =>
    reviewer.outcome(event, { finding_id, accepted, source: 'provider', occurred_at: at(minutes) })
  await store(
    event,
    outcome('1', true, 1),
    outcome('2', false, 1),
    outcome('3', null, 1),
    outcome('4', true, 1),
  )
  const expected = (major: number, security: number, total: number) => ({
    total: { posted: 4, accepted: total },
    severity: {
      critical: none,
      major: { posted: 2, accepted: major },
      minor: none,
      trivial: none,
      info: none,
    },
    category: {
      data_integrity_and_integration: none,
      functional_correctness: none,
      maintainability_and_code_quality: none,
      performance_and_scalability: none,
      security_and_privacy: { posted: 2, accepted: security },
      stability_and_availability: none,
    },
  })
  assert.deepEqual(await counted(), expected(1, 1, 2))
  await store(outcome('2', true, 2))
  assert.deepEqual(await counted(), expected(2, 1, 3))
  await store(outcome('1', null, 3), outcome('3', true, 3))
  assert.deepEqual(await counted(), expected(1, 1, 3))
})

test('an outcome keeps the position, a rewrite moves to the end; also for closed pull requests', async () => {
  const [first, second] = [
    reviewer.finalized(workplace, { status: 'closed', merged_at: null }),
    reviewer.finalized(workplace),
  ]
  await store(first, second)
  const positions = () =>
    read('select number::int, position::int, status, day::text from pull_request order by position')
  const earlier = await positions()
  await store(reviewer.outcome(first, { accepted: true }))
  assert.deepEqual(await positions(), earlier)
  const changed = await read(
    `select 1 from pull_request where review like '%"total":{"posted":%,"accepted":1}%'`,
  )
  assert.equal(changed.length, 1)
  const occurred_at = new Date(Date.parse(first.occurred_at) + 60_000).toISOString()
  const merged_at = '2026-02-03T04:05:06.789Z'
  await store(reviewer.finalized(workplace, { ...first.payload, status: 'merged', merged_at, occurred_at }))
  const [unmoved, moved] = (await positions()) as { number: number; position: number }[]
  assert.equal(unmoved?.number, second.payload.number)
  assert.deepEqual(
    { ...moved, position: 0 },
    { number: first.payload.number, position: 0, status: 'merged', day: '2026-02-03' },
  )
  assert.ok((moved?.position ?? 0) > (unmoved?.position ?? 0))
})

test('days and largest entry cover every pull request, including those without a review-comments entry', async () => {
  const closed_at = '2026-03-04T05:06:07.000Z'
  const closed = reviewer.finalized(workplace, {
    status: 'closed',
    merged_at: null,
    closed_at,
    findings: [],
    author: { id: 'ü'.repeat(150), username: '"'.repeat(200) },
  })
  await store(reviewer.finalized(workplace))
  await store(closed)
  const [day] = await read(
    `select first_position::int, last_position::int from metrics_day where day = '2026-03-04'`,
  )
  const [row] = await read<{ position: number; bytes: number }>(
    `select position::int, octet_length(review) as bytes from pull_request where status = 'closed'`,
  )
  assert.deepEqual(day, { first_position: row?.position, last_position: row?.position })
  const [head] = await read('select largest_review from metrics_head')
  assert.deepEqual(head, { largest_review: row?.bytes })
})
