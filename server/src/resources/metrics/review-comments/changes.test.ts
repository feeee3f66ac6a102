import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../test/call.ts'
import { openTenant } from '../../../../test/fixture.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../../../test/pull-requests.ts'
import { toPullRequestKey } from '../../../metrics-store/write/pull-request-sql.ts'
import type { FinalizedEvent, FinalizedPullRequest } from '../write/review-payload.ts'

interface Change {
  readonly pull_request_key: string
  readonly position: number
  readonly kind: 'written' | 'outcome' | 'removed'
  readonly pr_url: string
  readonly number?: number
  readonly counted_on?: string
}

const generator = createEventGenerator({ end: new Date('2026-06-01T00:00:00Z') })

const { database, tenant, use } = await openTenant()
const writer = use(createTestWriter(database))
const service = use(startService(database, { LIMIT_METRICS: 'off' }))
const [one, other] = tenant.workspace.organizations
assert.ok(other)
const [first, second] = [one, other]

async function store(...events: Parameters<typeof storeEvents>[2]): Promise<void> {
  for (const event of events) assert.deepEqual(await storeEvents(writer, first.root, [event]), [])
}

async function readFeed(query = ''): Promise<Change[]> {
  const key = await tenant.createKey('workspace')
  const { status, text } = await service.call(`/v1/metrics/review-comments/changes?limit=1000${query}`, {
    key: key.value,
  })
  assert.equal(status, 200, text)
  return (JSON.parse(text) as { data: Change[] }).data
}

function rewrite(
  event: FinalizedEvent,
  minutes: number,
  fields: Partial<FinalizedPullRequest>,
): FinalizedEvent {
  const occurred_at = new Date(Date.parse(event.occurred_at) + minutes * 60_000).toISOString()
  return generator.finalized(toReviewTarget(first), { ...event.payload, ...fields, occurred_at })
}

const judge = (event: FinalizedEvent, accepted: boolean) => {
  const finding_id = event.payload.findings[0]?.id ?? assert.fail()
  return generator.outcome(event, { accepted, finding_id, occurred_at: '2026-06-02T00:00:00.000Z' })
}

test('every change has the key of its pull request, also a removal [P11-feed-2]', async () => {
  const [judged, gone] = [
    generator.finalized(toReviewTarget(first)),
    generator.finalized(toReviewTarget(first)),
  ]
  await store(judged, gone, judge(judged, true), rewrite(gone, 5, { status: 'closed' }))
  const keys = new Map(
    [judged, gone].map(({ payload }) => [payload.url, toPullRequestKey(first.root, payload)]),
  )
  const feed = await readFeed()
  assert.deepEqual(
    feed.map(({ kind }) => kind),
    ['written', 'outcome', 'removed'],
  )
  for (const { pr_url, pull_request_key } of feed) assert.equal(pull_request_key, keys.get(pr_url))
})

test('counted_from filters written records by their day, and no other record', async () => {
  const target = toReviewTarget(first)
  const merged = (day: string, repository: string) =>
    generator.finalized(target, {
      merged_at: `${day}T00:00:00.000Z`,
      occurred_at: `${day}T01:00:00.000Z`,
      repository: { id: repository, name: repository },
    })
  const late = merged('2027-03-02', 'late')
  const early = merged('2027-03-01', 'early')
  const moving = merged('2027-03-03', 'moving')
  await store(late, early, moving, rewrite(moving, 5, { merged_at: '2027-03-01T00:00:00.000Z' }))
  const feed = await readFeed('&counted_from=2027-03-02')
  assert.deepEqual(
    feed.filter(({ kind }) => kind === 'written').map(({ pr_url, counted_on }) => [pr_url, counted_on]),
    [[late.payload.url, '2027-03-02']],
  )
  assert.equal(feed.at(-1)?.kind, 'removed', 'a follower drops what moved to an earlier day')
  assert.equal(feed.at(-1)?.pr_url, moving.payload.url)
  assert.deepEqual(await readFeed('&counted_from=0001-01-01'), await readFeed())
  assert.deepEqual(
    (await readFeed('&counted_from=9999-12-31')).filter(({ kind }) => kind === 'written'),
    [],
  )
})

test('a stream of the feed has several parts, and its cursor continues it', async () => {
  const { findings } = generator.finalized(toReviewTarget(second)).payload
  const events = Array.from({ length: 1100 }, () =>
    generator.finalized(toReviewTarget(second), { findings: findings.slice(0, 1) }),
  )
  for (let from = 0; from < events.length; from += 500)
    await storeEvents(writer, first.root, events.slice(from, from + 500))
  const key = await tenant.createKey('organization', { organization: second.id })
  const read = async (query: string) => {
    const { text } = await service.call(`/v1/metrics/review-comments/changes?${query}`, {
      key: key.value,
      headers: { accept: 'application/x-ndjson' },
    })
    const lines = text.trimEnd().split('\n')
    const end = JSON.parse(lines.pop() ?? '') as { next_cursor: string; has_more: boolean }
    return { changes: lines.map((line) => JSON.parse(line) as Change), ...end }
  }
  const whole = await read('limit=100000')
  assert.ok(whole.changes.length >= 1100)
  assert.equal(whole.has_more, false)
  const start = await read('limit=1050')
  assert.deepEqual([start.changes.length, start.has_more], [1050, true])
  const rest = await read(`limit=100000&cursor=${start.next_cursor}`)
  assert.deepEqual([...start.changes, ...rest.changes], whole.changes)
  assert.deepEqual(rest.next_cursor, whole.next_cursor)
})
