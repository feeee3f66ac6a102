import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { read as readAudit } from './audit-data.ts'
import {
  calendarOf,
  createEvent,
  eventually,
  type Finding,
  mergedOn,
  type PullRequest,
  store,
  windowOf,
} from './metrics-data.ts'
import { assertCountsAsMetrics } from './metrics-scope.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'

const findingsPath = '/v1/metrics/findings'
const reviewersPath = '/v1/metrics/reviewers'
const overlapPath = '/v1/metrics/reviewers/overlap'
const day = calendarOf(1986)()
const window = windowOf(day)

type FindingRecord = Record<string, unknown> & {
  id: string
  finding_id: string
  pull_request_key: string
  reviewer: string | null
  accepted: boolean | null
}
type Page<Item> = { data: Item[]; next_cursor: string | null }

function ask(path: string, query: string, key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${path}?${query}`, { key: demo.keys[key] })
}

async function read<Body>(path: string, query: string, key: KeyName = 'workspace'): Promise<Body> {
  const reply = await ask(path, query, key)
  assertPage(reply)
  return reply.body as Body
}

const sketch = (from: number) => Array.from({ length: 20 }, (_, index) => from + index)

let lastFinding = 0
function foundBy(reviewer: string, line: number, numbers = sketch(100)): Finding {
  lastFinding += 1
  return {
    id: `reviewers-${lastFinding}`,
    url: `https://github.com/meridian/booking-api/pull/1#discussion_r${lastFinding}`,
    severity: 'major',
    category: 'security_and_privacy',
    reviewer,
    file: 'src/pool.ts',
    start_line: line,
    end_line: line + 1,
    posted_at: `${day}T10:00:00.000Z`,
    posted_as: 'inline',
    sketch: numbers,
  }
}

function outcomeOf(pullRequest: PullRequest, index: number, accepted: boolean) {
  const { organization, repository, number, findings } = pullRequest
  return createEvent('finding.outcome', `${day}T13:00:00.000Z`, {
    organization,
    repository,
    number,
    finding_id: findings[index]?.id,
    accepted,
    source: 'detector',
    rule: 'suggestion',
    evidence: [{ kind: 'commit', at: `${day}T11:30:00.000Z` }],
  })
}

const both = mergedOn(day, {
  findings: [foundBy('ann', 10), foundBy('bob', 13), foundBy('bob', 90, sketch(5000))],
})
const silent = mergedOn(day, { findings: [foundBy('ann', 10)], reviewers: ['bob'] })
const alone = mergedOn(day, { findings: [foundBy('ann', 10)] })

before(async () => {
  await store(both, silent, alone)
  await store(
    outcomeOf(both, 0, true),
    outcomeOf(both, 1, true),
    outcomeOf(both, 2, false),
    outcomeOf(alone, 0, true),
  )
})

test('a finding has exactly the fields of the contract, in write order [P14-findings-2]', async () => {
  const { data, next_cursor } = await read<Page<FindingRecord>>(findingsPath, window)
  assert.equal(next_cursor, null)
  assert.deepEqual(
    data.map(({ finding_id }) => finding_id),
    [both, silent, alone].flatMap(({ findings }) => findings.map(({ id }) => id)),
  )
  const { id, pull_request_key, organization_id, repository_id, ...first } = data[0] as FindingRecord
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
  for (const value of [id, pull_request_key]) assert.match(value, uuid)
  assert.deepEqual([organization_id, repository_id], [both.organization.id, both.repository.id])
  assert.deepEqual(first, {
    finding_id: both.findings[0]?.id,
    counted_on: day,
    pr_url: both.url,
    reviewer: 'ann',
    severity: 'major',
    category: 'security_and_privacy',
    accepted: true,
    source: 'detector',
    rule: 'suggestion',
    evidence: [{ kind: 'commit', at: `${day}T11:30:00.000Z` }],
    file: 'src/pool.ts',
    start_line: 10,
    end_line: 11,
    posted_at: `${day}T10:00:00.000Z`,
    comment_url: both.findings[0]?.url,
    posted_as: 'inline',
  })
  assert.equal(new Set(data.map((finding) => finding.id)).size, data.length)
})

test('findings are filtered by reviewer and outcome, and paged by 1 to 1000 [P14-findings-1]', async () => {
  const list = async (query: string) =>
    (await read<Page<FindingRecord>>(findingsPath, `${window}&${query}`)).data
  assert.equal((await list('reviewer=bob')).length, 2)
  assert.equal((await list('outcome=accepted')).length, 3)
  assert.equal((await list('outcome=not_accepted')).length, 1)
  assert.equal((await list('outcome=unknown&reviewer=ann')).length, 1)
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page<FindingRecord> = await read(
      findingsPath,
      `${window}&limit=2${cursor && `&cursor=${cursor}`}`,
    )
    assert.ok(page.data.length <= 2)
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }
  assert.deepEqual(
    ids,
    (await list('limit=1000')).map(({ id }) => id),
  )
  for (const wrong of ['limit=0', 'limit=1001', 'outcome=open', 'reviewer=', 'cursor=x'])
    assert.equal((await ask(findingsPath, `${window}&${wrong}`)).status, 400, wrong)
})

test('a reviewer has exactly the fields of the contract, with bounds, interval and what only it found [P14-reviewers-1]', async () => {
  const { data } = await read<{ data: Record<string, unknown>[] }>(reviewersPath, window)
  assert.deepEqual(data, [
    {
      reviewer: 'ann',
      pull_requests: 3,
      findings: 3,
      accepted: 2,
      not_accepted: 0,
      unknown: 1,
      rate: 1,
      rate_low: 0.666667,
      rate_high: 1,
      interval_low: 0.34238,
      interval_high: 1,
      median_minutes_to_fix: 90,
      unique_accepted: 0,
      cost_per_accepted: null,
    },
    {
      reviewer: 'bob',
      pull_requests: 2,
      findings: 2,
      accepted: 1,
      not_accepted: 1,
      unknown: 0,
      rate: 0.5,
      rate_low: 0.5,
      rate_high: 0.5,
      interval_low: 0.094531,
      interval_high: 0.905469,
      median_minutes_to_fix: 90,
      unique_accepted: 0,
      cost_per_accepted: null,
    },
  ])
})

test('overlap is counted on pull requests that both reviewed, also without findings [P14-reviewers-2]', async () => {
  const { data } = await read<{ data: unknown[] }>(overlapPath, window)
  assert.deepEqual(data, [
    { a: 'ann', b: 'bob', common_pull_requests: 2, both: 1, only_a: 1, only_b: 1, both_accepted: 1 },
  ])
})

test('findings and reviewers refuse what review comments refuse, and legacy keys [P14-findings-1]', async () => {
  for (const path of [findingsPath, reviewersPath, overlapPath]) {
    assertError(await ask(path, window, 'legacy'), 410, 'LEGACY_API_KEY')
    assertError(await ask(path, window, 'agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
    assertError(await ask(path, window, 'lower_plan'), 403, 'ENTERPRISE_REQUIRED')
    assertError(await ask(path, window, 'metrics_off'), 403, 'METRICS_UNAVAILABLE')
    assertError(await ask(path, 'start_date=2026-02-02&end_date=2026-02-01'), 400, 'INVALID_REQUEST')
    for (const key of ['organization', 'user', 'instance'] as const) assertPage(await ask(path, window, key))
    await assertCountsAsMetrics(`${path}?${window}`)
  }
})

function changeSettings(settings: unknown): Promise<Reply> {
  return call('/v1/settings', {
    method: 'PATCH',
    key: demo.keys.user,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings }),
  })
}

interface Costs {
  readonly currency: string | null
  readonly data: readonly { readonly reviewer: string; readonly cost_per_accepted: number | null }[]
}

async function readCosts(days: string): Promise<readonly [string | null, Record<string, number | null>]> {
  const { currency, data } = await read<Costs>(reviewersPath, days, 'user')
  return [currency, Object.fromEntries(data.map((one) => [one.reviewer, one.cost_per_accepted]))]
}

test('a price gives the cost of an accepted finding: price × days ÷ 30.4, in the currency [P14-reviewers-3]', async () => {
  try {
    const reviewers = { ann: { price_per_month: 304 }, bob: { price_per_month: 30.4 } }
    assertPage(await changeSettings({ reviewers }))
    assert.deepEqual(await readCosts(window), [null, { ann: 5, bob: 1 }])
    const changed = await changeSettings({ currency: 'EUR' })
    assertPage(changed)
    const { settings } = changed.body as { settings: { currency: string; reviewers: object } }
    assert.equal(settings.currency, 'EUR')
    assert.deepEqual(settings.reviewers, {
      ann: { price_per_month: 304, since: null },
      bob: { price_per_month: 30.4, since: null },
    })
    assert.deepEqual(await readCosts(window), ['EUR', { ann: 5, bob: 1 }])
    for (const wrong of [
      { reviewers: { ann: { price_per_month: -1 } } },
      { reviewers: { ann: { price: 1 } } },
      { reviewers: { ann: { price_per_month: 1, since: 'May' } } },
      { reviewers: { ann: 1 } },
      { reviewers: { '': { price_per_month: 1 } } },
      { currency: 'euro' },
      { currency: 'ABC' },
    ])
      assertError(await changeSettings(wrong), 400, 'INVALID_REQUEST', JSON.stringify(wrong))
  } finally {
    assertPage(await changeSettings({ currency: null, reviewers: { ann: null, bob: null } }))
  }
})

test('only the days of the window within the subscription cost: from since, or from the first finding [P14-reviewers-3]', async () => {
  const [first, later] = [calendarOf(1988)(), calendarOf(1989)()]
  const found = [first, later].map((merged) => mergedOn(merged, { findings: [foundBy('dan', 5)] }))
  await store(...found)
  await store(...found.map((pullRequest) => outcomeOf(pullRequest, 0, true)))
  const shift = (from: string, days: number) =>
    new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)
  const between = (from: string, to: string) => `start_date=${from}&end_date=${to}`
  const cost = async (days: string) => (await readCosts(days))[1]['dan']
  const price = (since?: string) =>
    changeSettings({ reviewers: { dan: { price_per_month: 30.4, ...(since && { since }) } } })
  try {
    assertPage(await price())
    assert.equal(await cost(between(shift(first, -9), shift(first, 9))), 10, 'nothing was found before')
    assert.equal(await cost(between(shift(later, -9), shift(later, 9))), 19, 'it had found something before')
    assertPage(await price(shift(later, -4)))
    assert.equal(await cost(between(shift(later, -9), shift(later, 9))), 14)
    assert.equal(await cost(between(first, shift(later, 5))), 10, 'what was accepted before does not count')
    assertPage(await price(shift(later, 1)))
    assert.equal(await cost(between(first, shift(later, 9))), null, 'nothing was accepted since')
    assert.equal(await cost(between(first, later)), null, 'the subscription begins after the window')
  } finally {
    assertPage(await changeSettings({ reviewers: { dan: null } }))
  }
})

test('the price of a reviewer without findings is stored, and named in warnings [P14-reviewers-3]', async () => {
  try {
    const reply = await changeSettings({
      reviewers: { ann: { price_per_month: 1 }, anne: { price_per_month: 2, since: '1986-01-01' } },
    })
    assertPage(reply)
    const { settings, warnings } = reply.body as {
      settings: { reviewers: object }
      warnings: { reviewer: string; message: string }[]
    }
    assert.deepEqual(settings.reviewers, {
      ann: { price_per_month: 1, since: null },
      anne: { price_per_month: 2, since: '1986-01-01' },
    })
    assert.deepEqual(
      warnings.map(({ reviewer }) => reviewer),
      ['anne'],
    )
  } finally {
    assertPage(await changeSettings({ reviewers: { ann: null, anne: null } }))
  }
})

test('a person with metrics:write overrules an outcome, null withdraws it, and both are audited [P14-outcome-1]', async () => {
  const ownDay = calendarOf(1987)()
  const pullRequest = mergedOn(ownDay, { findings: [foundBy('cam', 5)] })
  const windowOfOne = windowOf(ownDay)
  const put = (id: string, body: unknown, key: KeyName = 'user') =>
    call(`${findingsPath}/${id}/outcome`, {
      method: 'PUT',
      key: demo.keys[key],
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const find = async () => {
    const { data } = await read<Page<FindingRecord>>(findingsPath, `${windowOfOne}&reviewer=cam`, 'user')
    return data.find(({ finding_id }) => finding_id === pullRequest.findings[0]?.id)
  }
  await store(pullRequest)
  await store(outcomeOf(pullRequest, 0, true))
  const { id = '', finding_id, pull_request_key } = (await find()) ?? {}
  const reply = await put(id, { accepted: false })
  assert.equal(reply.status, 202, reply.text)
  assert.deepEqual(reply.body, { id, finding_id, pull_request_key, accepted: false, source: 'person' })
  await eventually('the outcome counts', async () => (await find())?.accepted === false)
  assert.equal((await find())?.['source'], 'person')
  // A later outcome of a detector does not count before it.
  await store({ ...outcomeOf(pullRequest, 0, true), occurred_at: new Date().toISOString() })
  assert.equal((await find())?.accepted, false)
  assert.equal((await put(id, { accepted: null })).status, 202)
  await eventually('the detector counts again', async () => (await find())?.accepted === true)
  const { data } = await readAudit('resource_types=finding', 'user')
  const summaries = data
    .filter(({ resourceSummary }) => resourceSummary.includes(id))
    .map(({ action }) => action)
  assert.deepEqual(summaries, ['finding_outcome_withdrawn', 'finding_outcome_set'])
  assertError(await put(id, { accepted: 'yes' }), 400, 'INVALID_REQUEST')
  assertError(await put('0197a000-0000-7000-8000-000000000000', { accepted: true }), 404, 'NOT_FOUND')
  for (const key of ['organization', 'workspace', 'instance', 'agentic'] as const)
    assertError(await put(id, { accepted: true }, key), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await put(id, { accepted: true }, 'legacy'), 410, 'LEGACY_API_KEY')
  assertError(await put(id, { accepted: true }, 'other_tenant'), 404, 'NOT_FOUND')
})
