import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import {
  calendarOf,
  createEvent,
  dayAfter,
  eventually,
  findingOf,
  mergedOn,
  outcomeOf,
  ownOrganization,
  type PullRequest,
  readWhole,
  send,
  store,
  storeSequentially,
  windowOf,
} from './metrics-data.ts'
import { assertCountsAsMetrics, assertRefused } from './metrics-scope.ts'
import { assertPage, at, call, demo, home, type KeyName, organizationsOf } from './service.ts'

const path = '/v1/metrics/summary'
const figures = [
  'posted',
  'accepted',
  'not_accepted',
  'unknown',
  'rate',
  'rate_low',
  'rate_high',
  'interval_low',
  'interval_high',
]

type Figures = {
  posted: number
  accepted: number
  not_accepted: number
  unknown: number
  rate: number | null
  rate_low: number | null
  rate_high: number | null
  interval_low: number | null
  interval_high: number | null
}
type Group = Figures & { group: Record<string, string | null> }
type Summary = { data: Group[]; definition_id: string }

function ask(query: string, key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${path}?${query}`, { key: demo.keys[key] })
}

async function summarize(query: string, key: KeyName = 'workspace'): Promise<Summary> {
  const reply = await ask(query, key)
  assertPage(reply)
  return reply.body as Summary
}

async function totalOf(query: string, key: KeyName = 'workspace'): Promise<Group> {
  const { data } = await summarize(query, key)
  assert.equal(data.length, 1)
  return at(data, 0)
}

const countsOf = ({ posted, accepted, not_accepted, unknown }: Figures) => [
  posted,
  accepted,
  not_accepted,
  unknown,
]

// A Monday and the two days before it, so that the window holds parts of two weeks.
const monday = nextMonday(calendarOf(2016)())
const saturday = dayAfter(monday, -2)
const window = windowOf(saturday, monday)
const repositories = home.repositories.slice(0, 2).map(({ repository_id }) => repository_id)
const [first, second] = [at(repositories, 0), at(repositories, 1)]

function nameOf(repository: string): string | null {
  return home.repositories.find(({ repository_id }) => repository_id === repository)?.name ?? null
}

function nextMonday(day: string): string {
  let found = day
  while (new Date(`${found}T00:00:00Z`).getUTCDay() !== 1) found = dayAfter(found, 1)
  return dayAfter(found, 7)
}

/** One with four findings of two reviewers, of which two are judged; another of nobody known with one. */
const one = reviewed(saturday, first, { id: '91001' }, [
  { severity: 'critical', category: 'security_and_privacy', reviewer: 'security' },
  { severity: 'critical', category: 'security_and_privacy', reviewer: 'security' },
  { severity: 'minor', category: 'functional_correctness', reviewer: 'style' },
  { severity: 'of no kind', category: null, reviewer: null },
])
const other = reviewed(monday, second, null, [
  { severity: 'minor', category: 'security_and_privacy', reviewer: 'security' },
])
const closed = {
  ...reviewed(monday, second, null, [{ severity: 'minor', category: null, reviewer: 'security' }]),
  status: 'closed',
}

function reviewed(
  day: string,
  repository: string,
  author: { id: string } | null,
  findings: Record<string, unknown>[],
): PullRequest {
  const pullRequest = mergedOn(day, { repository: { id: repository }, author })
  pullRequest.findings = findings.map((finding, place) => findingOf(pullRequest.url, place, finding))
  return pullRequest
}

before(async () => {
  await store(one, other, closed, outcomeOf(one, 0, true), outcomeOf(one, 1, false))
})

test('without group_by a summary is one total with its counts, rates, bounds, interval and definition_id [P5-summary-2]', async () => {
  const summary = await summarize(window)
  assert.deepEqual(Object.keys(summary), ['data', 'definition_id'])
  assert.match(summary.definition_id, /^[a-z_]+\.v\d+$/)
  const total = at(summary.data, 0)
  assert.deepEqual(Object.keys(total), ['group', ...figures])
  assert.deepEqual(total, {
    group: {},
    posted: 5,
    accepted: 1,
    not_accepted: 1,
    unknown: 3,
    rate: 0.5,
    rate_low: 0.2,
    rate_high: 0.8,
    interval_low: 0.094531,
    interval_high: 0.905469,
  })
})

test('an empty summary is one total with null rates; empty groups are left out [P5-summary-2]', async () => {
  const empty = windowOf(dayAfter(monday, 30))
  const total = await totalOf(empty)
  assert.deepEqual(countsOf(total), [0, 0, 0, 0])
  for (const field of figures.slice(4)) assert.equal(total[field as keyof Figures], null, field)
  assert.deepEqual((await summarize(`${empty}&group_by=severity`)).data, [])
})

test('a rate is null where nothing is known, and its bounds say what it could be [P5-summary-2]', async () => {
  const { rate, rate_low, rate_high, interval_low, interval_high } = await totalOf(windowOf(monday))
  assert.deepEqual([rate, rate_low, rate_high, interval_low, interval_high], [null, 0, 1, null, null])
})

const expected: Record<string, [Record<string, string | null>, number[]][]> = {
  severity: [
    [{ severity: 'critical' }, [2, 1, 1, 0]],
    [{ severity: 'minor' }, [2, 0, 0, 2]],
    [{ severity: null }, [1, 0, 0, 1]],
  ],
  category: [
    [{ category: 'functional_correctness' }, [1, 0, 0, 1]],
    [{ category: 'security_and_privacy' }, [3, 1, 1, 1]],
    [{ category: null }, [1, 0, 0, 1]],
  ],
  repository: [first, second]
    .sort()
    .map((repository) => [
      { repository, repository_name: nameOf(repository) },
      repository === first ? [4, 1, 1, 2] : [1, 0, 0, 1],
    ]),
  author: [
    [{ author: '91001', author_username: null }, [4, 1, 1, 2]],
    [{ author: null, author_username: null }, [1, 0, 0, 1]],
  ],
  reviewer: [
    [{ reviewer: 'security' }, [3, 1, 1, 1]],
    [{ reviewer: 'style' }, [1, 0, 0, 1]],
    [{ reviewer: null }, [1, 0, 0, 1]],
  ],
  organization: [[{ organization: home.org_id }, [5, 1, 1, 3]]],
  week: [
    [{ week: dayAfter(monday, -7) }, [4, 1, 1, 2]],
    [{ week: monday }, [1, 0, 0, 1]],
  ],
}

test('group_by groups findings by severity, category, organization, repository, author, reviewer and week [P5-summary-1 P11-day-3 P12-summary-1]', async () => {
  for (const [key, groups] of Object.entries(expected)) {
    const { data } = await summarize(`${window}&group_by=${key}`)
    assert.deepEqual(
      data.map((group) => [group.group, countsOf(group)]),
      groups,
      key,
    )
  }
})

test('several group keys are combined, in one order whatever order they are requested in [P5-summary-1]', async () => {
  const by = (keys: string) => ask(`${window}&group_by=${keys}`)
  const [all, turned] = [await by('severity,week,author'), await by('author,severity,week')]
  assert.equal(all.text, turned.text)
  assert.deepEqual(
    (all.body as Summary).data.map(({ group, posted }) => [...Object.values(group), posted]),
    [
      [dayAfter(monday, -7), '91001', 'critical', null, 2],
      [dayAfter(monday, -7), '91001', 'minor', null, 1],
      [dayAfter(monday, -7), '91001', null, null, 1],
      [monday, null, 'minor', null, 1],
    ],
  )
})

test('a summary counts what review comments show, for every filter and over the demo’s year [P5-summary-1]', async () => {
  const year = windowOf('2026-01-05', '2026-10-20')
  for (const query of [
    window,
    `${window}&repository_ids=${first}`,
    `${window}&user_ids=91001,none`,
    `${window}&repository_ids=${second}&user_ids=91001`,
    year,
    `${year}&org_id=${home.org_id}`,
    `${year}&repository_ids=${first}`,
  ]) {
    const comments = (await readWhole(query)).flatMap(({ coderabbit_comments }) => coderabbit_comments)
    const of = (accepted: boolean | null) =>
      comments.filter((comment) => comment.accepted === accepted).length
    const shown = [comments.length, of(true), of(false), of(null)]
    assert.deepEqual(countsOf(await totalOf(query)), shown, query)
    const { data } = await summarize(`${query}&group_by=author,category,week`)
    assert.equal(
      data.reduce((sum, { posted }) => sum + posted, 0),
      comments.length,
      query,
    )
  }
})

test('a summary groups by organization what the key can see, with the ids of review comments [P11-day-3]', async () => {
  const year = windowOf('2026-01-05', '2026-10-20')
  for (const key of ['workspace', 'instance', 'organization'] as const) {
    const entries = await readWhole(year, key)
    const comments = Map.groupBy(entries, ({ organization_id }) => organization_id)
    const counted = [...comments]
      .map(([organization, some]) => [
        { organization },
        some.flatMap(({ coderabbit_comments }) => coderabbit_comments).length,
      ])
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    const { data } = await summarize(`${year}&group_by=organization`, key)
    assert.deepEqual(
      data.map(({ group, posted }) => [group, posted]),
      counted,
      key,
    )
  }
})

test('an outcome that changes and a pull request that is written again change the summary [P5-summary-2]', async () => {
  const day = dayAfter(monday, 100)
  const changed = reviewed(day, first, { id: '91002' }, [{ severity: 'info' }, { severity: 'info' }])
  await storeSequentially(changed, outcomeOf(changed, 0, true, `${dayAfter(day, 1)}T00:00:00.000Z`))
  assert.deepEqual(countsOf(await totalOf(windowOf(day))), [2, 1, 0, 1])
  await store(outcomeOf(changed, 0, false, `${dayAfter(day, 2)}T00:00:00.000Z`))
  assert.deepEqual(countsOf(await totalOf(windowOf(day))), [2, 0, 1, 1])
  const moved = { ...changed, merged_at: `${dayAfter(day, 1)}T12:00:00.000Z`, author: { id: '91003' } }
  await store({ ...moved, findings: moved.findings.slice(0, 1) })
  assert.deepEqual(countsOf(await totalOf(windowOf(day))), [0, 0, 0, 0])
  const { data } = await summarize(`${windowOf(dayAfter(day, 1))}&group_by=author`)
  assert.deepEqual(
    data.map((group) => [group.group, countsOf(group)]),
    [[{ author: '91003', author_username: null }, [1, 0, 1, 0]]],
  )
})

test('a summary as CSV has the chosen keys, the figures and the definition, equal to the JSON [P5-summary-1]', async () => {
  const query = `${window}&group_by=week,reviewer`
  const reply = await ask(`${query}&format=csv`)
  assert.equal(reply.status, 200, reply.text)
  assert.match(reply.headers.get('content-type') ?? '', /^text\/csv\b/)
  const { data, definition_id } = await summarize(query)
  const lines = data.map((group) =>
    [...Object.values(group.group), ...figures.map((field) => group[field as keyof Figures]), definition_id]
      .map((cell) => cell ?? '')
      .join(','),
  )
  const head = ['week', 'reviewer', ...figures, 'definition_id'].join(',')
  assert.equal(reply.text, `${[head, ...lines].join('\r\n')}\r\n`)
})

test('a group has the current names of its repository and author in the inventory, beside its ids and last in CSV [P12-summary-1]', async () => {
  const day = dayAfter(monday, 200)
  const renamed = { id: `renamed-${randomUUID()}` }
  const author = { id: `named-${randomUUID()}`, username: 'name-at-the-time' }
  // Not active, so that no list of repositories changes.
  const rename = (name: string, occurredAt: string) => {
    const repository = { organization: ownOrganization, ...renamed, name, private: true, active: false }
    const email = `${author.id}@example.com`
    const account = {
      provider: 'github',
      id: author.id,
      username: `${name}-of-a-person`,
      email,
      name: 'Somebody',
    }
    return createEvent('inventory.changed', occurredAt, { repositories: [repository], accounts: [account] })
  }
  await send([rename('second', '2026-02-01T00:00:00.000Z'), rename('first', '2026-01-01T00:00:00.000Z')])
  await store(mergedOn(day, { repository: renamed, author }), mergedOn(day, { author: null }))
  const query = `${windowOf(day)}&group_by=author,repository`
  const named = [
    {
      repository: renamed.id,
      author: author.id,
      repository_name: 'second',
      author_username: 'second-of-a-person',
    },
    { repository: first, author: null, repository_name: nameOf(first), author_username: null },
  ].sort((a, b) => (a.repository < b.repository ? -1 : 1))
  await eventually('the names are those of the inventory', async () =>
    isDeepStrictEqual(
      (await summarize(query)).data.map(({ group }) => group),
      named,
    ),
  )
  const { text } = await ask(`${query}&format=csv`)
  const lines = text.trimEnd().split('\r\n')
  assert.match(at(lines, 0), /^repository,author,posted,.*,definition_id,repository_name,author_username$/)
  for (const line of lines.slice(1))
    assert.match(line, /,acceptance\.v1,(?:second,second-of-a-person|[\w-]+,)$/)
})

test('group_by refuses what it does not know, what is given twice and what is empty [P5-summary-1]', async () => {
  for (const keys of ['organization_id', 'severity,severity', 'severity,', '', 'Severity'])
    assertError(await ask(`${window}&group_by=${keys}`), 400, 'INVALID_REQUEST', keys)
  for (const more of ['limit=10', 'cursor=x', 'format=xml', 'status=all'])
    assertError(await ask(`${window}&${more}`), 400, 'INVALID_REQUEST', more)
  assertError(await ask(windowOf(monday, saturday)), 400, 'INVALID_REQUEST')
  assertError(await ask(`start_date=${monday}`), 400, 'INVALID_REQUEST')
})

test('a summary refuses what review comments refuse: keys, plan, metrics that are off [S-what-3 P2-kinds-2 P5-place-8]', async () => {
  await assertRefused(ask, window)
  for (const key of ['organization', 'user', 'legacy'] as const)
    assert.deepEqual(countsOf(await totalOf(window, key)), [5, 1, 1, 3], key)
  assert.deepEqual(countsOf(await totalOf(window, 'other_tenant')), [0, 0, 0, 0])
})

test('org_id narrows the summary of a workspace token; organization_ids that of an instance key [S-what-12 S-what-13 S-named-5]', async () => {
  assert.deepEqual(countsOf(await totalOf(`${window}&org_id=${home.org_id}`)), [5, 1, 1, 3])
  const another = at(organizationsOf('workspace'), 1)
  assert.deepEqual(countsOf(await totalOf(`${window}&org_id=${another.org_id}`)), [0, 0, 0, 0])
  assertError(await ask(`${window}&org_id=none`), 404, 'ORGANIZATION_NOT_FOUND')
  assertError(await ask(`${window}&organization_ids=${home.org_id}`), 400, 'INVALID_REQUEST')
  const year = windowOf('2026-01-05', '2026-10-20')
  const ids = organizationsOf('instance').map(({ org_id }) => org_id)
  const whole = await totalOf(year, 'instance')
  const parts = await Promise.all(ids.map((id) => totalOf(`${year}&organization_ids=${id}`, 'instance')))
  assert.ok(whole.posted > 0)
  assert.equal(
    parts.reduce((sum, { posted }) => sum + posted, 0),
    whole.posted,
  )
})

test('a summary counts as a page of metrics [P1-limit-12]', async () => {
  await assertCountsAsMetrics(`${path}?${window}`)
})
