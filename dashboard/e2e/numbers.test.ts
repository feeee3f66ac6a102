import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Get } from '@scholiast/sdk'
import type { Page, Request } from 'playwright-core'
import { lastWeeks } from '../src/ui/period.ts'
import { findOrganization, openDashboard, url, type Visit } from './open.ts'

// Figures on Overview and Findings are those of the API, digit for digit, whatever the filters are. The API is read in the same
// session, with other groups than the screens read.
//   SCHOLIAST_FILTERS=50 SCHOLIAST_SEED=… npm run test:dashboard -- dashboard/e2e/numbers.test.ts

const filterCount = Number(process.env['SCHOLIAST_FILTERS'] ?? 15)
const seed = Number(process.env['SCHOLIAST_SEED'] ?? Date.now() % 1e9)
const organizations = ['Meridian Platform', 'Meridian Mobile']
const DAY_MS = 86_400_000
const DEMO_DAYS = 380
const SMALL_SAMPLE = 20

type Summary = Get<'/v1/metrics/summary'>['data']
type Rate = Omit<Summary[number], 'group'>

interface Filter {
  readonly organization: string
  readonly from: string
  readonly to: string
  readonly repositories: readonly string[]
}

/** What is on the screen, as text. */
interface Shown {
  readonly text: string
  readonly figures: readonly string[]
  /** By caption: rows of cells. */
  readonly tables: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly chart: Chart | null
}

interface Chart {
  /** The paths of bounds, interval and rate. */
  readonly paths: readonly string[]
  readonly dots: readonly (readonly [number, number])[]
  /** Rate and height of each line of the grid. */
  readonly ticks: readonly (readonly [number, number])[]
}

const visits = new Map<string, Visit & { pending: number }>()
const repositories = new Map<string, readonly string[]>()

before(async () => {
  for (const screen of ['overview', 'findings']) {
    const visit = { ...(await openDashboard({ screen })), pending: 0 }
    visits.set(screen, visit)
    visit.page.on('request', (request) => (visit.pending += isRead(request) ? 1 : 0))
    for (const event of ['requestfinished', 'requestfailed'] as const)
      visit.page.on(event as 'requestfinished', (request) => (visit.pending -= isRead(request) ? 1 : 0))
  }
  for (const organization of organizations) {
    const id = findOrganization(organization)
    const path = `/v1/organizations/${id}/repositories?limit=100`
    const list = await read<Get<'/v1/organizations/{organization_id}/repositories'>>(organization, path)
    repositories.set(
      organization,
      list.repositories.map((one) => one.provider_repository_id),
    )
  }
})

test(`figures on ${filterCount} random filters equal those of the API`, async (t) => {
  t.diagnostic(`seed ${seed}`)
  const random = createRandom(seed)
  let withData = 0
  for (let index = 0; index < filterCount; index++) {
    const filter = chooseFilter(random)
    const total = await readTotal(filter)
    if (total.posted > 0) withData += 1
    await t.test(describeFilter(filter), async () => {
      await Promise.all([checkOverview(filter, total), checkFindings(filter, total)])
    })
  }
  t.diagnostic(`${withData} of ${filterCount} filters have findings`)
  assert.ok(withData > filterCount / 2)
  for (const { problems } of visits.values()) assert.deepEqual(problems, [])
})

test('a year that begins in another one shows both, and an earlier year with few outcomes is called small', async () => {
  const { start_date: from, end_date: to } = lastWeeks(52)
  const filter = { organization: 'Meridian Platform', from, to, repositories: [] }
  const page = await open(filter, 'overview')
  const label = await page.getByRole('button', { name: /▾/ }).first().innerText()
  assert.match(label, new RegExp(`${from.slice(0, 4)} – .* ${to.slice(0, 4)} ▾$`))
  const years = await page.locator('main svg[role=img] tspan').allTextContents()
  assert.deepEqual(years, [from.slice(0, 4), to.slice(0, 4)])
  const [now, earlier] = await Promise.all([readTotal(filter), readTotal(toDaysBefore(filter))])
  assert.ok(earlier.rate !== null && 10 * (earlier.posted - earlier.unknown) < now.posted - now.unknown)
  const { text } = await collect(page)
  includes(text, 'Small sample')
  checkTrend(text, now, earlier)
})

async function checkOverview(filter: Filter, total: Rate): Promise<void> {
  const page = await open(filter, 'overview')
  if (total.posted === 0) {
    await page.getByRole('heading', { name: 'No findings in this period' }).waitFor()
    return
  }
  const [byWeek, bySeverity, byReviewer, [pullRequests], earlier] = await Promise.all([
    readSummary(filter, 'week'),
    readSummary(filter, 'severity'),
    readSummary(filter, 'reviewer'),
    readPullRequests(filter),
    readTotal(toDaysBefore(filter)),
  ])
  // The chart and its table: whichever is open, and then the other one.
  const first = await collect(page)
  await page.getByRole('button', { name: /^Show as/ }).click()
  const second = await collect(page)
  const tables = { ...first.tables, ...second.tables }
  checkBounds(first.text, total)
  const known = total.posted - total.unknown
  const outcomes =
    known === 0
      ? 'No outcome is known yet.'
      : `${percent(total.rate, 1)} of the ${plural(known, 'finding')} with a known outcome.`
  includes(first.text, outcomes)
  includes(first.text, `${count(total.unknown)} of ${count(total.posted)} are still unknown.`)
  assert.deepEqual(first.figures.slice(0, 2), [count(total.posted), count(pullRequests?.merged ?? 0)])
  checkTrend(first.text, total, earlier)
  checkChart(first.chart ?? second.chart, byWeek)
  assert.deepEqual(tables['Accepted findings by week']?.map(dropFirst), byWeek.map(toWeekCells))
  const rates = (name: string) =>
    new Map((tables[name] ?? []).map(([head = '', posted, , rate]) => [head, [posted, rate]]))
  assert.deepEqual(
    rates('Acceptance by severity'),
    toRates(bySeverity, (group) => group.severity),
  )
  assert.deepEqual(sortMap(rates('Acceptance by reviewer')), sortMap(toRates(byReviewer, (g) => g.reviewer)))
}

async function checkFindings(filter: Filter, total: Rate): Promise<void> {
  const page = await open(filter, 'findings')
  if (total.posted === 0) {
    await page.getByRole('heading', { name: /^No findings/ }).waitFor()
    return
  }
  const [cells, bySeverity, byCategory, byReviewer] = await Promise.all([
    readSummary(filter, 'severity,category'),
    readSummary(filter, 'severity'),
    readSummary(filter, 'category'),
    readSummary(filter, 'reviewer'),
  ])
  const { text, tables } = await collect(page)
  includes(text, `${count(total.unknown)} of ${plural(total.posted, 'outcome')} are unknown.`)
  const noise = cells.filter((cell) => isNoise(cell, total))
  const [worst] = noise.sort((a, b) => b.not_accepted - a.not_accepted || b.posted - a.posted)
  if (worst === undefined) includes(text, 'No combination of severity and category stands out')
  else {
    includes(text, `Most noise: ${worst.group.severity ?? 'unknown'} findings`)
    includes(text, `of ${count(worst.posted)} were acted on.`)
    const known = plural(worst.posted - worst.unknown, 'such finding')
    includes(text, `${percent(worst.rate, 1)} of the ${known} with a known outcome, against`)
    includes(text, `against ${percent(total.rate, 1)} of all ${count(total.posted - total.unknown)}.`)
  }
  const ofGroups = (groups: readonly Rate[]) => groups.map(toGridText).sort()
  assert.deepEqual(
    (tables['Findings and acceptance by category and severity'] ?? [])
      .flatMap(dropFirst)
      .filter((cell) => cell !== '')
      .sort(),
    ofGroups([...cells, ...bySeverity, ...byCategory, total]),
  )
  assert.deepEqual(
    (tables['Acceptance by reviewer'] ?? []).map((row) => row.filter((_, index) => index !== 4)),
    byReviewer.map(({ group, ...rate }) => [
      group.reviewer ?? 'unknown',
      count(rate.posted),
      count(rate.not_accepted),
      count(rate.unknown),
      `${percent(rate.interval_low)} – ${percent(rate.interval_high)}`,
      percent(rate.rate),
    ]),
  )
}

/** Every point of the chart, read back through the lines of its grid. */
function checkChart(chart: Chart | null, weeks: Summary): void {
  const known = weeks.filter(({ rate }) => rate !== null)
  if (known.length === 0 || chart === null) return
  const [first, last] = [chart.ticks[0], chart.ticks.at(-1)]
  assert.ok(first !== undefined && last !== undefined && first[0] !== last[0])
  const slope = (last[1] - first[1]) / (last[0] - first[0])
  const toHeight = (rate: number | null) => first[1] + ((rate ?? Number.NaN) - first[0]) * slope
  const [bounds = '', interval = '', line = ''] = chart.paths
  // A line ends before a week of which nothing is known.
  const runs = splitRuns(known)
  const heights = (run: Summary, key: 'rate' | 'rate_low' | 'rate_high' | 'interval_low' | 'interval_high') =>
    run.map((week) => toHeight(week[key]))
  const areas = (high: 'rate_high' | 'interval_high', low: 'rate_low' | 'interval_low') =>
    runs.flatMap((run) => [...heights(run, high), ...heights(run, low).toReversed()])
  near(readHeights(bounds), areas('rate_high', 'rate_low'))
  near(readHeights(interval), areas('interval_high', 'interval_low'))
  near(readHeights(line), heights(known, 'rate'))
  near(
    chart.dots.map(([, y]) => y),
    heights(known, 'rate'),
  )
}

function splitRuns(weeks: Summary): Summary[] {
  const runs: Summary[number][][] = []
  for (const [index, week] of weeks.entries()) {
    const last = weeks[index - 1]?.group.week ?? ''
    if (Date.parse(week.group.week ?? '') - Date.parse(last) === 7 * DAY_MS) runs.at(-1)?.push(week)
    else runs.push([week])
  }
  return runs
}

function readHeights(path: string): number[] {
  return [...path.matchAll(/[ML]?(-?[\d.]+),(-?[\d.]+)/g)].map(([, , y]) => Number(y))
}

function near(shown: readonly number[], expected: readonly number[]): void {
  assert.equal(shown.length, expected.length)
  for (const [index, value] of expected.entries())
    assert.ok(
      Math.abs((shown[index] ?? Number.NaN) - value) < 0.01,
      `${shown.join(' ')} ≠ ${expected.join(' ')}`,
    )
}

function checkBounds(text: string, total: Rate): void {
  const range =
    total.unknown > 0
      ? `Between ${percent(total.rate_low)} and ${percent(total.rate_high)} of what`
      : `${percent(total.rate)} of what`
  includes(text, range)
}

function checkTrend(text: string, now: Rate, earlier: Rate): void {
  if (now.rate === null || earlier.rate === null) return
  const points = 100 * (now.rate - earlier.rate)
  const change = `${points >= 0 ? 'Up' : 'Down'} ${Math.abs(points).toFixed(1)} points`
  const [known, knownBefore] = [now.posted - now.unknown, earlier.posted - earlier.unknown]
  if (knownBefore < Math.max(SMALL_SAMPLE, known / 10))
    assert.match(
      text,
      new RegExp(
        `Small sample: ${count(knownBefore)} outcomes? (is|are) known for the [\\d,]+ days? before, against ${count(known)} now. ${change}`,
      ),
    )
  else {
    includes(text, `${change} on the`)
    includes(text, `: ${count(known)} known outcomes now, ${count(knownBefore)} then.`)
  }
  const overlap =
    (now.interval_low ?? 0) <= (earlier.interval_high ?? 1) &&
    (earlier.interval_low ?? 0) <= (now.interval_high ?? 1)
  assert.equal(text.includes('within the margin of error'), overlap)
}

function toDaysBefore(filter: Filter): Filter {
  const [start, end] = [Date.parse(filter.from), Date.parse(filter.to)]
  return { ...filter, from: toDay(start - (end - start) - DAY_MS), to: toDay(start - DAY_MS) }
}

function toWeekCells(week: Rate): string[] {
  return [
    count(week.posted),
    count(week.unknown),
    percent(week.rate, 1),
    `${percent(week.interval_low, 1)} – ${percent(week.interval_high, 1)}`,
    `${percent(week.rate_low, 1)} – ${percent(week.rate_high, 1)}`,
  ]
}

function toRates(groups: Summary, nameOf: (group: Summary[number]['group']) => string | null | undefined) {
  return new Map(
    groups.map((one) => [nameOf(one.group) ?? 'unknown', [count(one.posted), percent(one.rate)]]),
  )
}

function toGridText({ rate, posted }: Rate): string {
  return `${percent(rate)} ${count(posted)}`
}

function isNoise({ posted, interval_high }: Rate, total: Rate): boolean {
  return posted >= SMALL_SAMPLE && interval_high !== null && total.rate !== null && interval_high < total.rate
}

function dropFirst<Item>(items: readonly Item[]): Item[] {
  return items.slice(1)
}

function sortMap<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => a.localeCompare(b))
}

function includes(text: string, part: string): void {
  assert.ok(text.includes(part), `“${part}” is not in “${text.slice(0, 900)}”`)
}

function percent(share: number | null, digits = 0): string {
  return share === null ? '–' : `${(100 * share).toFixed(digits)}%`
}

function count(value: number): string {
  return value.toLocaleString('en')
}

function plural(value: number, one: string): string {
  return `${count(value)} ${one}${value === 1 ? '' : 's'}`
}

/** Goes to other filters as the buttons Back and Forward do, and waits for the figures. */
async function open(filter: Filter, screen: string): Promise<Page> {
  const visit = getVisit(screen)
  const query = new URLSearchParams({ from: filter.from, to: filter.to })
  if (filter.repositories.length > 0) query.set('repository_ids', filter.repositories.join(','))
  const address = `${url}/app/${findOrganization(filter.organization)}/${screen}?${query}`
  await visit.page.evaluate((next) => {
    history.pushState(null, '', next)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
  await visit.page.locator(`nav a[href$="${new URL(address).pathname}?${query}"]`).waitFor()
  do {
    await visit.page.waitForFunction(
      () =>
        document.querySelector('main [aria-busy=true]') === null &&
        !/Loading|…$/m.test(document.body.innerText),
    )
  } while (visit.pending > 0)
  return visit.page
}

function getVisit(screen: string) {
  const visit = visits.get(screen)
  assert.ok(visit !== undefined)
  return visit
}

function isRead(request: Request): boolean {
  return request.url().startsWith(`${url}/v1/metrics/`)
}

async function readTotal(filter: Filter): Promise<Rate> {
  const [total] = await readSummary(filter, null)
  assert.ok(total !== undefined)
  return total
}

async function readSummary(filter: Filter, groups: string | null): Promise<Summary> {
  const query = toQuery(filter)
  if (groups !== null) query.set('group_by', groups)
  return (await read<Get<'/v1/metrics/summary'>>(filter.organization, `/v1/metrics/summary?${query}`)).data
}

async function readPullRequests(filter: Filter) {
  const path = `/v1/metrics/reviews/summary?${toQuery(filter)}`
  return (await read<Get<'/v1/metrics/reviews/summary'>>(filter.organization, path)).data
}

function toQuery({ from, to, repositories: list }: Filter): URLSearchParams {
  const query = new URLSearchParams({ start_date: from, end_date: to })
  if (list.length > 0) query.set('repository_ids', list.join(','))
  return query
}

async function read<Body>(organization: string, path: string): Promise<Body> {
  const headers = { 'x-scholiast-organization': findOrganization(organization) }
  const response = await getVisit('overview').context.request.get(`${url}${path}`, { headers })
  assert.equal(response.status(), 200, `${path}: ${await response.text()}`)
  return (await response.json()) as Body
}

function collect(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    const clean = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
    const main = document.querySelector<HTMLElement>('main')
    const readCell = (cell: Element) => {
      const link = cell.querySelector('a:has(.visually-hidden)')
      // The grid: the rate without its mark, and the number of findings.
      if (link === null || link.children.length < 3) return clean(cell.textContent)
      const [share, posted] = [...link.children].map((part) => clean(part.textContent))
      return `${share?.replace('▼', '')} ${posted}`
    }
    const tables = [...document.querySelectorAll('main table')].map((table) => [
      clean(table.querySelector('caption')?.textContent),
      [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map(readCell)),
    ])
    const svg = document.querySelector('main svg[role=img]')
    const number = (element: Element, name: string) => Number(element.getAttribute(name))
    const chart =
      svg === null
        ? null
        : {
            paths: [...svg.querySelectorAll('path')].map((path) => path.getAttribute('d') ?? ''),
            dots: [...svg.querySelectorAll('circle')].map(
              (dot) => [number(dot, 'cx'), number(dot, 'cy')] as const,
            ),
            ticks: [...svg.querySelectorAll('g:has(line)')].map((tick) => {
              const line = tick.querySelector('line')
              const rate = Number.parseFloat(tick.querySelector('text')?.textContent ?? '') / 100
              return [rate, line === null ? Number.NaN : number(line, 'y1')] as const
            }),
          }
    return {
      text: clean(main?.innerText),
      figures: [...document.querySelectorAll('main dl dd')].map((figure) => clean(figure.textContent)),
      tables: Object.fromEntries(tables) as Record<string, string[][]>,
      chart,
    }
  })
}

function chooseFilter(random: () => number): Filter {
  const choose = (limit: number) => Math.floor(random() * limit)
  const organization = organizations[choose(organizations.length)] ?? ''
  const today = Date.now()
  const start = today - choose(DEMO_DAYS) * DAY_MS
  const end = Math.min(today, start + choose(200) * DAY_MS)
  const known = repositories.get(organization) ?? []
  const chosen = known.filter(() => random() < 0.3).slice(0, 10)
  return {
    organization,
    from: toDay(start),
    to: toDay(end),
    repositories: random() < 0.5 ? chosen : [],
  }
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function describeFilter({ organization, from, to, repositories: list }: Filter): string {
  return `${organization}, ${from} to ${to}, ${list.length === 0 ? 'all' : list.length} repositories`
}

/** Mulberry32: the same numbers for the same seed. */
function createRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
