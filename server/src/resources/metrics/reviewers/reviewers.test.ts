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
import { createSketch } from '../../../text/sketch.ts'
import type { FindingRecord } from '../findings/schema.ts'
import type { NormalizedFinding } from '../write/review-payload.ts'
import { MAX_REVIEWERS } from './reviewer-sink.ts'
import type { OverlapRecord, ReviewerRecord } from './schema.ts'

const { database, tenant, use } = await openTenant()
const writer = use(createTestWriter(database))
const service = use(startService(database, { LIMIT_METRICS: 'off', LIMIT_SETTINGS: 'off' }))
const workspace = (await tenant.createKey('workspace')).value
const user = (await tenant.createKey('user')).value

const generator = createEventGenerator({ seed: 19 })
const leak = 'the connection is not closed when the query throws'
const bounds = 'the loop reads one element beyond the end of the rows'
let lastNumber = 0

interface PlantedFinding {
  readonly reviewer: string | null
  readonly text?: string
  readonly line?: number
  readonly accepted?: boolean | null
  readonly fixedAt?: string
}

/** Stores a pull request merged on `day`; `reviewers` may have no findings. Returns its number. */
async function plant(
  day: string,
  findings: readonly PlantedFinding[],
  reviewers: readonly string[] = [],
): Promise<number> {
  const { root, organizations } = tenant.workspace
  lastNumber += 1
  const event = generator.finalized(toReviewTarget(organizations[0]), {
    number: lastNumber,
    merged_at: `${day}T12:00:00.000Z`,
    occurred_at: `${day}T12:30:00.000Z`,
    findings: findings.map(
      ({ reviewer, text = leak, line = 10 }, index): NormalizedFinding => ({
        id: `f-${index}`,
        url: `https://git.example.com/${lastNumber}#${index}`,
        severity: 'major',
        category: null,
        reviewer,
        details: {
          file: 'src/pool.ts',
          start_line: line,
          end_line: line,
          posted_at: `${day}T10:00:00.000Z`,
          posted_as: 'inline',
          sketch: createSketch(text.split(' ')),
        },
      }),
    ),
    ...(reviewers.length > 0 && { reviewers }),
  })
  const outcomes = findings.flatMap(({ accepted, fixedAt }, index) =>
    accepted === undefined
      ? []
      : [
          generator.outcome(event, {
            finding_id: `f-${index}`,
            accepted,
            source: 'detector',
            occurred_at: `${day}T13:00:00.000Z`,
            rule: accepted === null ? 'undecided' : 'suggestion',
            ...(fixedAt !== undefined && { evidence: [{ kind: 'commit', at: `${day}T${fixedAt}:00.000Z` }] }),
          }),
        ],
  )
  assert.deepEqual(await storeEvents(writer, root, [event, ...outcomes]), [])
  return lastNumber
}

async function read<Body>(path: string, day: string, query = '', key = workspace): Promise<Body> {
  const window = `start_date=${day}&end_date=${day}`
  const { status, text } = await service.call(`/v1/metrics/${path}?${window}${query}`, { key })
  assert.equal(status, 200, text)
  return JSON.parse(text) as Body
}

const readReviewers = async (day: string, query = '', key = workspace) =>
  (await read<{ data: ReviewerRecord[] }>('reviewers', day, query, key)).data
const readOverlap = async (day: string) =>
  (await read<{ data: OverlapRecord[] }>('reviewers/overlap', day)).data

test('reviewers are counted with bounds, an interval, the time to fix and what only they found [P14-reviewers-1]', async () => {
  const day = '2031-01-01'
  await plant(day, [
    { reviewer: 'ann', accepted: true, fixedAt: '10:30' },
    { reviewer: 'ann', text: bounds, line: 50, accepted: true, fixedAt: '11:30' },
    { reviewer: 'bob', accepted: true, line: 12 },
    { reviewer: 'bob', text: bounds, line: 90, accepted: false },
  ])
  await plant(
    day,
    [
      { reviewer: 'ann', accepted: null },
      { reviewer: null, accepted: true },
    ],
    ['bob'],
  )
  await plant(day, [{ reviewer: 'ann', accepted: true }])
  const [ann, bob, unknown] = await readReviewers(day)
  assert.deepEqual(ann, {
    reviewer: 'ann',
    pull_requests: 3,
    findings: 4,
    accepted: 3,
    not_accepted: 0,
    unknown: 1,
    rate: 1,
    rate_low: 0.75,
    rate_high: 1,
    interval_low: 0.438503,
    interval_high: 1,
    median_minutes_to_fix: 60,
    // The one beyond the end of the rows. Nobody else reviewed the last pull request.
    unique_accepted: 1,
    cost_per_accepted: null,
  })
  assert.deepEqual(
    [bob?.reviewer, bob?.pull_requests, bob?.findings, bob?.unique_accepted, bob?.median_minutes_to_fix],
    ['bob', 2, 2, 0, null],
  )
  assert.deepEqual([unknown?.reviewer, unknown?.pull_requests, unknown?.unique_accepted], [null, 1, null])
})

test('overlap counts pull requests that both reviewed, and each finding once [P14-reviewers-2]', async () => {
  const day = '2031-01-02'
  await plant(day, [
    { reviewer: 'ann', accepted: true },
    { reviewer: 'ann', line: 11, accepted: true },
    { reviewer: 'bob', line: 10, accepted: true },
    { reviewer: 'bob', text: bounds, line: 10 },
  ])
  await plant(day, [{ reviewer: 'ann' }], ['bob'])
  await plant(day, [], ['ann', 'bob', 'cam'])
  await plant(day, [{ reviewer: 'ann' }])
  assert.deepEqual(await readOverlap(day), [
    { a: 'ann', b: 'bob', common_pull_requests: 3, both: 1, only_a: 2, only_b: 1, both_accepted: 1 },
    { a: 'ann', b: 'cam', common_pull_requests: 1, both: 0, only_a: 0, only_b: 0, both_accepted: 0 },
    { a: 'bob', b: 'cam', common_pull_requests: 1, both: 0, only_a: 0, only_b: 0, both_accepted: 0 },
  ])
})

test('the cost is price × days ÷ 30.4 ÷ accepted, of one whole organization [P14-reviewers-3]', async () => {
  const day = '2031-01-03'
  await plant(day, [
    { reviewer: 'ann', accepted: true },
    { reviewer: 'ann', line: 40, accepted: true },
    { reviewer: 'bob', accepted: false },
  ])
  const reviewers = { ann: { price_per_month: 608 }, bob: { price_per_month: 10 } }
  const change = (body: object) => service.call('/v1/settings', { key: user, method: 'PATCH', body })
  const { status, text } = await change({ settings: { reviewers } })
  assert.equal(status, 200, text)
  const costs = async (query: string, key: string) =>
    (await readReviewers(day, query, key)).map(({ cost_per_accepted }) => cost_per_accepted)
  assert.deepEqual(await costs('', user), [10, null], '608 × 1 ÷ 30.4 ÷ 2, and nothing was accepted of bob')
  assert.deepEqual(await costs('', workspace), [null, null], 'several organizations')
  const orgId = tenant.workspace.organizations[0].orgId
  assert.deepEqual(await costs(`&org_id=${orgId}`, workspace), [10, null])
  assert.deepEqual(await costs('&repository_ids=1,2', user), [], 'no such repository')
  const removed = await change({ settings: { reviewers: { ann: null } } })
  const { settings, inherited } = removed.body as unknown as {
    settings: { reviewers: object }
    inherited: string[]
  }
  assert.deepEqual(settings.reviewers, { bob: { price_per_month: 10, since: null } })
  assert.ok(!inherited.includes('reviewers'))
  const [repository] = tenant.workspace.organizations[0].repositories
  const ofRepository = await change({ repository_id: repository?.repositoryId, settings: { reviewers } })
  assert.equal(ofRepository.status, 400)
})

test('more reviewers than can be compared are 413 [P14-reviewers-1]', async () => {
  const day = '2031-01-04'
  const names = Array.from({ length: MAX_REVIEWERS + 1 }, (_, index) => `reviewer-${index}`)
  await plant(
    day,
    names.map((reviewer) => ({ reviewer })),
  )
  for (const path of ['reviewers', 'reviewers/overlap']) {
    const reply = await service.call(`/v1/metrics/${path}?start_date=${day}&end_date=${day}`, {
      key: workspace,
    })
    assert.equal(reply.status, 413, reply.text)
  }
})

interface FindingsBody {
  readonly data: FindingRecord[]
  readonly next_cursor: string | null
}

test('findings are listed with location, source and evidence, in write order [P14-findings-2]', async () => {
  const day = '2031-02-01'
  const number = await plant(day, [
    { reviewer: 'ann', accepted: true, fixedAt: '10:30' },
    { reviewer: 'bob', line: 7 },
  ])
  const { data, next_cursor } = await read<FindingsBody>('findings', day)
  const [organization] = tenant.workspace.organizations
  assert.equal(next_cursor, null)
  assert.equal(data.length, 2)
  const [first, second] = data
  assert.ok(first && second)
  const { id, pull_request_key, pr_url, repository_id, ...rest } = first
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(id.slice(0, 13), pull_request_key.slice(0, 13))
  assert.notEqual(id, second.id)
  assert.ok(pr_url !== '' && repository_id !== '')
  assert.deepEqual(rest, {
    finding_id: 'f-0',
    counted_on: day,
    organization_id: organization.orgId,
    reviewer: 'ann',
    severity: 'major',
    category: null,
    accepted: true,
    source: 'detector',
    rule: 'suggestion',
    evidence: [{ kind: 'commit', at: `${day}T10:30:00.000Z` }],
    file: 'src/pool.ts',
    start_line: 10,
    end_line: 10,
    posted_at: `${day}T10:00:00.000Z`,
    comment_url: `https://git.example.com/${number}#0`,
    posted_as: 'inline',
  })
  assert.deepEqual([second.accepted, second.source, second.rule, second.evidence], [null, null, null, []])
})

test('pages of findings split pull requests, and filters apply to findings [P14-findings-1]', async () => {
  const day = '2031-02-02'
  for (let index = 0; index < 5; index++) {
    await plant(day, [
      { reviewer: 'ann', accepted: true },
      { reviewer: 'ann', accepted: false },
      { reviewer: 'bob', accepted: null },
      { reviewer: 'bob' },
    ])
  }
  const collect = async (query: string) => {
    const sizes: number[] = []
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: FindingsBody = await read('findings', day, `${query}${cursor && `&cursor=${cursor}`}`)
      sizes.push(page.data.length)
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    assert.equal(new Set(ids).size, ids.length)
    return sizes
  }
  assert.deepEqual(await collect('&limit=3'), [3, 3, 3, 3, 3, 3, 2])
  assert.deepEqual(await collect('&limit=20'), [20])
  assert.deepEqual(await collect('&limit=4&outcome=accepted'), [4, 1])
  assert.deepEqual(await collect('&outcome=not_accepted&reviewer=bob'), [0])
  assert.deepEqual(await collect('&limit=6&outcome=unknown&reviewer=bob'), [6, 4])
})
