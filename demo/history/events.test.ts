import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Data, loadData } from '../data.ts'
import { daysBefore } from './calendar.ts'
import { type History, historyOf } from './events.ts'

interface Finding {
  readonly id: string
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly reviewer: string | null
  readonly file: string
  readonly start_line: number
  readonly end_line: number
}

interface Payload {
  readonly organization: { readonly id: string }
  readonly repository: { readonly id: string; readonly name: string }
  readonly number: number
  readonly url: string
  readonly status: string
  readonly author: { readonly id: string } | null
  readonly created_at: string
  readonly ready_for_review_at: string
  readonly first_human_review_at: string | null
  readonly last_commit_at: string | null
  readonly merged_at: string | null
  readonly closed_at: string | null
  readonly estimated_complexity: number | null
  readonly findings: readonly Finding[]
}

const period = daysBefore('2026-06-10', 365)
let data: Data
let histories: History[]
/** The last event of each pull request. */
let pullRequests: Payload[]

const eventsOf = (type: string) =>
  histories.flatMap(({ events }) => events.filter((event) => event.type === type))

before(() => {
  data = loadData(fileURLToPath(new URL('../data', import.meta.url)))
  histories = data.tenants.map((tenant) => historyOf(data, tenant, period, 'demo-2026-06-10'))
  const finalized = eventsOf('pull_request.finalized').map(({ payload }) => payload as Payload)
  pullRequests = [...new Map(finalized.map((one) => [`${one.repository.id} ${one.number}`, one])).values()]
})

const dayOf = ({ merged_at, closed_at, last_commit_at }: Payload) =>
  (merged_at ?? closed_at ?? last_commit_at ?? '').slice(0, 10)
const share = <Item>(items: readonly Item[], matches: (item: Item) => boolean) =>
  items.filter(matches).length / items.length

function within(value: number, min: number, max: number, what = ''): void {
  assert.ok(value >= min && value <= max, `${what} ${value} is not in ${min}–${max}`)
}

test('events are sorted by time, have distinct ids and are reproducible', () => {
  for (const [index, { events }] of histories.entries()) {
    const times = events.map(({ occurred_at }) => occurred_at)
    assert.deepEqual(times, times.toSorted())
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
    const tenant = data.tenants[index]
    assert.ok(tenant)
    assert.deepEqual(historyOf(data, tenant, period, 'demo-2026-06-10').events, events)
  }
})

test('a year has the expected size, weeks, seasons and growth', () => {
  within(pullRequests.length, 6000, 10_000)
  assert.equal(
    pullRequests.length,
    histories.reduce((sum, history) => sum + history.pullRequests, 0),
  )
  const days = pullRequests.map(dayOf).toSorted()
  assert.deepEqual([days[0], days.at(-1)], ['2025-06-10', '2026-06-09'])
  within(
    share(days, (day) => [0, 6].includes(new Date(day).getUTCDay())),
    0.02,
    0.1,
    'weekends',
  )
  within(
    share(days, (day) => day >= '2025-12-21' && day <= '2026-01-03'),
    0.001,
    0.015,
    'end of the year',
  )
  const count = (matches: (day: string) => boolean) => days.filter(matches).length
  within(count((day) => day >= '2026-04-10') / count((day) => day < '2025-08-10'), 1.15, 2, 'growth')
  const lastDay = pullRequests.filter((one) => dayOf(one) === '2026-06-09')
  const active = data.tenants.flatMap(({ organizations }) => organizations.filter((one) => !one.inactive))
  assert.equal(new Set(lastDay.map(({ organization }) => organization.id)).size, active.length)
})

test('pull requests have every kind of ending, and their times are in order', () => {
  within(
    share(pullRequests, ({ status }) => status === 'closed'),
    0.05,
    0.12,
    'closed',
  )
  within(
    share(pullRequests, ({ status, merged_at }) => status === 'merged' && merged_at === null),
    0.002,
    0.015,
    'merged at an unknown time',
  )
  within(
    share(pullRequests, ({ author }) => author === null),
    0.005,
    0.02,
    'without an author',
  )
  within(
    share(pullRequests, ({ findings }) => findings.length === 0),
    0.1,
    0.35,
    'without findings',
  )
  within(eventsOf('pull_request.finalized').length / pullRequests.length, 1.005, 1.025, 'reopened')
  within(new Set(pullRequests.flatMap(({ author }) => author?.id ?? [])).size, 40, 70, 'authors')
  assert.equal(Math.max(...pullRequests.map(({ findings }) => findings.length)), 25)
  for (const one of pullRequests) {
    const end = one.closed_at ?? one.last_commit_at ?? ''
    const times = [
      one.created_at,
      one.ready_for_review_at,
      one.first_human_review_at,
      one.last_commit_at,
      end,
    ]
    const known = times.filter((time) => time !== null)
    assert.deepEqual(known, known.toSorted(), one.url)
  }
})

test('findings depend on the kind of repository, and addresses on the provider', () => {
  const findingsIn = (name: string) =>
    pullRequests.filter(({ repository }) => repository.name === name).flatMap(({ findings }) => findings)
  const severe = (name: string) =>
    share(findingsIn(name), ({ severity }) => severity === 'critical' || severity === 'major')
  const security = (name: string) =>
    share(findingsIn(name), ({ category }) => category === 'security_and_privacy')
  within(severe('bootloader'), 0.25, 0.5)
  within(severe('portfolio-site'), 0.01, 0.12)
  within(security('patient-portal'), 0.15, 0.4)
  within(security('design-tokens'), 0, 0.08)
  const withFindings = (id: string) =>
    pullRequests.find(({ organization, findings }) => organization.id === id && findings.length > 0)
  const github = withFindings('41207731')
  assert.match(github?.url ?? '', /^https:\/\/github\.com\/meridian-platform\/[a-z-]+\/pull\/\d+$/)
  assert.match(github?.findings[0]?.url ?? '', /\/pull\/\d+#discussion_r\d{10}$/)
  const gitlab = withFindings('7730452')
  assert.match(gitlab?.url ?? '', /^https:\/\/gitlab\.com\/meridian-mobile\/[a-z-]+\/-\/merge_requests\/\d+$/)
  assert.match(
    withFindings('12')?.findings[0]?.url ?? '',
    /^https:\/\/git\.halden\.example\.com\/.*#note_\d+$/,
  )
})

test('outcomes have every source, and every tenant uses MCP servers', () => {
  const outcomes = eventsOf('finding.outcome').map(
    ({ payload }) => payload as { source: string; accepted: boolean | null },
  )
  for (const source of ['detector', 'person', 'provider']) {
    const accepted = new Set(outcomes.filter((one) => one.source === source).map((one) => one.accepted))
    assert.ok(accepted.has(true) && accepted.has(false), source)
  }
  within(
    share(outcomes, ({ accepted }) => accepted === true),
    0.35,
    0.65,
    'accepted',
  )
  for (const { events } of histories) {
    const used = events.filter(({ type }) => type === 'mcp.used').map(({ payload }) => payload)
    const servers = used.flatMap((payload) => (payload as { servers: { name: string }[] }).servers)
    assert.ok(used.length > 20 && new Set(servers.map(({ name }) => name)).size >= 2)
  }
})

test('findings have a location, and reviewers of a pull request have findings in common', () => {
  const located = pullRequests.flatMap(({ findings }) => findings)
  assert.ok(located.every(({ file, start_line, end_line }) => file !== '' && start_line <= end_line))
  const places = pullRequests.map(({ findings }) =>
    Map.groupBy(findings, ({ file, start_line }) => `${file} ${start_line}`),
  )
  const common = places
    .flatMap((byPlace) => [...byPlace.values()])
    .filter((same) => new Set(same.map(({ reviewer }) => reviewer)).size > 1)
  within(common.length / located.length, 0.01, 0.2, 'findings at one place')
})
