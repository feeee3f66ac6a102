import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Get } from '@scholiast/sdk'
import { DEFAULT_DAYS, lastDays } from '../src/ui/period.ts'
import { press, ways } from './hands.ts'
import { findOrganization, openDashboard, url, type Visit } from './open.ts'

const ORGANIZATION = 'Meridian Platform'

for (const way of ways)
  describe(`by ${way}`, () => {
    test('from Overview to Findings to a comment on the Git provider', async () => {
      const visit = await openDashboard({ organization: ORGANIZATION, screen: 'overview' })
      const { page } = visit
      const forge = await interceptForge(visit)
      await press(way, page.locator('main dl').getByRole('link').first())
      await page.getByRole('heading', { level: 1, name: 'Findings' }).waitFor()
      const comments = page.getByRole('region', { name: 'Findings', exact: true })
      const comment = comments.getByRole('link', { name: /^Comment on/ }).first()
      await comment.waitFor()
      const [expected] = (await readMerged(visit)).flatMap(({ coderabbit_comments }) =>
        coderabbit_comments.map((one) => one.url),
      )
      assert.equal(await comment.getAttribute('href'), expected)
      const [tab] = await Promise.all([visit.context.waitForEvent('page'), press(way, comment)])
      await tab.waitForURL(expected ?? '')
      assert.deepEqual(
        forge.map(({ address, referrer }) => [address, referrer]),
        // The part after # is not sent.
        [[expected?.replace(/#.*/, ''), undefined]],
      )
      assert.deepEqual(visit.external, [])
      assert.deepEqual(visit.problems, [])
      await visit.close()
    })

    test('a finding leads to the time line of its pull request', async () => {
      const visit = await openDashboard({ organization: ORGANIZATION, screen: 'findings' })
      const { page } = visit
      const rows = page.getByRole('region', { name: 'Findings', exact: true })
      const link = rows.getByRole('link', { name: /#\d+$/ }).first()
      const name = await link.innerText()
      await press(way, link)
      const dialog = page.getByRole('dialog', { name })
      await dialog.getByRole('row', { name: /^Merged/ }).waitFor()
      await dialog
        .getByRole('link', { name: /^Comment/ })
        .first()
        .waitFor()
      await dialog.getByRole('heading', { name: 'MCP calls' }).waitFor()
      const pullRequest = await dialog
        .getByRole('link', { name: 'Open on the Git provider' })
        .getAttribute('href')
      assert.equal(new URL(page.url()).searchParams.get('pr'), pullRequest)
      // The address shows it again.
      await page.reload()
      await dialog.getByRole('row', { name: /^Merged/ }).waitFor()
      if (way === 'mouse') await dialog.getByRole('button', { name: 'Close' }).click()
      else await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(new URL(page.url()).search, '')
      assert.deepEqual(visit.external, [])
      await visit.close()
    })
  })

test('a figure of the grid shows its findings, and the filters stay in the address', async () => {
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'findings' })
  const { page } = visit
  const grid = page.getByRole('table', { name: /^Findings and acceptance/ })
  const figure = grid
    .getByRole('row', { name: /^Security/ })
    .getByRole('link')
    .first()
  const posted = /[\d,]+ findings?/.exec((await figure.textContent()) ?? '')?.[0]
  await figure.click()
  const state = page.getByText(`of ${posted} shown`)
  await state.waitFor()
  await page.reload()
  await state.waitFor()
  assert.equal(await page.getByLabel('Category').inputValue(), 'security_and_privacy')
  const cells = page.getByRole('region', { name: 'Findings', exact: true }).locator('tbody td:nth-child(4)')
  assert.deepEqual([...new Set(await cells.allInnerTexts())], ['Security and privacy'])
  await visit.close()
})

test('every finding of the window can be reached', async () => {
  const visit = await openDashboard({
    organization: ORGANIZATION,
    screen: 'findings',
    search: '?severity=critical',
  })
  const { page } = visit
  const more = page.getByRole('button', { name: 'Show more' })
  const rows = page.getByRole('region', { name: 'Findings', exact: true }).locator('tbody tr')
  for (let presses = 0; (await more.count()) > 0 && presses < 50; presses++) {
    const before = await page.getByText(/findings? shown, newest first/).innerText()
    await more.click()
    await page.waitForFunction((text) => !document.body.innerText.includes(text), before)
    await page.waitForLoadState('networkidle')
  }
  const shown = await rows.count()
  assert.equal(shown, (await readSeverities(visit)).get('critical'))
  await visit.close()
})

for (const screen of ['findings', 'pull-requests'])
  test(`${screen}: days without data lead to the nearest days with data`, async () => {
    const visit = await openDashboard({
      organization: ORGANIZATION,
      screen,
      search: '?from=2024-01-01&to=2024-01-31',
    })
    const { page } = visit
    await page.getByText('The nearest period that has some').waitFor()
    await page.locator('main').getByRole('link').first().click()
    await page.getByRole('heading', { level: 2, name: /^The (findings|pull requests)$/ }).waitFor()
    assert.notEqual(new URL(page.url()).searchParams.get('from'), '2024-01-01')
    await visit.close()
  })

test('findings come newest first', async () => {
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'findings' })
  const days = await visit.page
    .getByRole('region', { name: 'Findings', exact: true })
    .locator('tbody td:nth-child(2)')
    .allInnerTexts()
  const merged = await readMerged(visit)
  assert.deepEqual(
    days.map(toDay),
    merged
      .flatMap(({ merged_at, coderabbit_comments }) => coderabbit_comments.map(() => merged_at?.slice(0, 10)))
      .slice(0, days.length),
  )
  const findings = merged.reduce((sum, { coderabbit_comments }) => sum + coderabbit_comments.length, 0)
  await visit.page.getByText(`50 of ${findings.toLocaleString('en')} findings shown, newest first.`).waitFor()
  await visit.close()
})

test('pull requests come newest first, and a search finds the oldest of them', async () => {
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'pull-requests' })
  const { page } = visit
  const { data } = await read<Get<'/v1/metrics/reviews'>>(visit, 'reviews', 'limit=1000')
  const reviews = data.sort((a, b) => (b.merged_at ?? '').localeCompare(a.merged_at ?? ''))
  const rows = page.getByRole('region', { name: 'Pull requests', exact: true }).locator('tbody tr')
  const days = await rows.locator('td:nth-child(3)').allInnerTexts()
  assert.deepEqual(
    days.map(toDay),
    reviews.slice(0, 50).map(({ counted_on }) => counted_on),
  )
  const oldest = reviews.at(-1)?.pr_url ?? ''
  const name = `${oldest.split('/').at(-3)} #${oldest.split('/').at(-1)}`
  const matching = reviews.filter(({ pr_url }) => pr_url.startsWith(oldest)).length
  await page.getByRole('searchbox', { name: 'Search pull requests' }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByText(new RegExp(`^${matching} pull requests? match(es)? “${name}”\\.`)).waitFor()
  assert.equal(await rows.count(), matching)
  await rows.getByRole('link').last().click()
  const dialog = page.getByRole('dialog')
  assert.equal(
    await dialog.getByRole('link', { name: 'Open on the Git provider' }).getAttribute('href'),
    oldest,
  )
  // It is still searched for when the dialog closes.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).searchParams.get('search'), name)
  await visit.close()
})

test('pull requests: the status and the weeks', async () => {
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'pull-requests' })
  const { page } = visit
  await page.getByRole('img', { name: /^Median times/ }).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('columnheader', { name: 'Median to merge' }).waitFor()
  await page.getByLabel('Status').selectOption('closed')
  await page.getByText(/ended without a merge/).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), 'closed')
  await visit.close()
})

/** `7 Sept 2026` → `2026-09-07`. */
function toDay(text: string): string {
  return new Date(`${text} UTC`).toISOString().slice(0, 10)
}

interface ProviderRequest {
  readonly address: string
  readonly referrer: string | undefined
}

/** Answers in place of the forge: nothing is loaded from elsewhere. */
async function interceptForge({ context }: Visit): Promise<readonly ProviderRequest[]> {
  const requests: ProviderRequest[] = []
  await context.route(
    (address) => address.origin !== url,
    async (route) => {
      const { referer } = await route.request().allHeaders()
      requests.push({ address: route.request().url().replace(/#.*/, ''), referrer: referer })
      await route.fulfill({ contentType: 'text/html', body: '<title>The forge</title>' })
    },
  )
  return requests
}

/** Merged pull requests with their findings, the last one first. */
async function readMerged(visit: Visit) {
  const { data, next_cursor } = await read<Get<'/v1/metrics/review-comments'>>(
    visit,
    'review-comments',
    'limit=1000',
  )
  assert.equal(next_cursor, null)
  return data.sort((a, b) => (b.merged_at ?? '').localeCompare(a.merged_at ?? ''))
}

async function readSeverities(visit: Visit): Promise<ReadonlyMap<string | null | undefined, number>> {
  const { data } = await read<Get<'/v1/metrics/summary'>>(visit, 'summary', 'group_by=severity')
  return new Map(data.map(({ group, posted }) => [group.severity, posted]))
}

/** The API in the same session, for the days that the screens show by themselves. */
async function read<Body>({ context }: Visit, name: string, query: string): Promise<Body> {
  const { start_date, end_date } = lastDays(DEFAULT_DAYS)
  const address = `${url}/v1/metrics/${name}?start_date=${start_date}&end_date=${end_date}&${query}`
  const headers = { 'x-scholiast-organization': findOrganization(ORGANIZATION) }
  const response = await context.request.get(address, { headers })
  assert.equal(response.status(), 200)
  return (await response.json()) as Body
}
