import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Get } from '@scholiast/sdk'
import { DEFAULT_DAYS, lastDays } from '../src/ui/period.ts'
import { press, ways } from './hands.ts'
import { findOrganization, openDashboard, url, type Visit } from './open.ts'
import { withPrices } from './prices.ts'

const ORGANIZATION = 'Meridian Platform'
/** Its prices are set here only. */
const PRICED = 'Meridian Terminals'

type Reviewers = Get<'/v1/metrics/reviewers'>
type Findings = Get<'/v1/metrics/findings'>

test('the figures of each reviewer are those of the API', async () => {
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'reviewers' })
  const query = new URLSearchParams(Object.entries(lastDays(DEFAULT_DAYS)))
  const { data } = await read<Reviewers>(visit, `/v1/metrics/reviewers?${query}`)
  assert.ok(data.length > 1, 'the demo has several reviewers')
  const rows = visit.page.getByRole('region', { name: 'Each reviewer', exact: true }).locator('tbody tr')
  assert.equal(await rows.count(), data.length)
  for (const [index, reviewer] of data.entries()) {
    const cells = await rows.nth(index).locator('th, td').allInnerTexts()
    const share = (value: number | null) => (value === null ? '–' : `${(100 * value).toFixed(0)}%`)
    const count = (value: number | null) => (value === null ? '–' : value.toLocaleString('en'))
    assert.deepEqual(
      [cells[0], cells[1], cells[2], cells[3], cells[5], cells[6]],
      [
        reviewer.reviewer ?? 'unknown',
        count(reviewer.pull_requests),
        count(reviewer.findings),
        count(reviewer.unknown),
        `${share(reviewer.rate)} (${share(reviewer.interval_low)} – ${share(reviewer.interval_high)})`,
        count(reviewer.unique_accepted),
      ],
    )
  }
  assert.deepEqual(visit.problems, [])
  await visit.close()
})

for (const { bounds, sentence } of [
  { bounds: [0.4, 0.5], sentence: 'Findings of apex are acted on more often than those of brisk:' },
  { bounds: [0.7, 0.85], sentence: 'No two reviewers differ by more than chance explains.' },
] as const)
  test(`reviewers are compared without the findings whose reviewer is unknown: ${sentence}`, async () => {
    // The demo has other figures every day, so the figures of the reviewers are replaced.
    const reviewers = [
      { reviewer: 'apex', findings: 300, rate: 0.85, interval_low: 0.8, interval_high: 0.9 },
      { reviewer: 'brisk', findings: 200, rate: 0.6, interval_low: bounds[0], interval_high: bounds[1] },
      { reviewer: null, findings: 7, rate: 0.97, interval_low: 0.95, interval_high: 0.99 },
    ]
    const visit = await openDashboard({
      organization: ORGANIZATION,
      screen: 'reviewers',
      prepare: async (page) => {
        await page.route(`${url}/v1/metrics/reviewers?*`, async (route) => {
          const response = await route.fetch()
          const body = (await response.json()) as Reviewers
          const data = reviewers.map((figures) => ({ ...body.data[0], ...figures }))
          await route.fulfill({ response, json: { ...body, data } })
        })
      },
    })
    const text = (await visit.page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
    assert.ok(text.includes(sentence), text)
    assert.ok(text.includes('Compared: 2 reviewers with 500 findings.'), text)
    assert.ok(text.includes('Left out: 7 findings whose reviewer is unknown.'), text)
    await visit.close()
  })

test('findings with evidence come newest first, and all of them can be shown', async () => {
  const search = '?outcome=unknown'
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'reviewers', search })
  const { page } = visit
  const all = await listFindings(visit, { outcome: 'unknown' })
  const more = page.getByRole('button', { name: 'Show more' })
  const rows = page.getByRole('region', { name: 'Findings with evidence' }).locator('tbody tr')
  for (let shown = 50; shown < all.length; shown += 50) {
    await page.getByText(`${shown} of ${all.length} findings shown, newest first.`).waitFor()
    await more.click()
  }
  await page.getByText(`${all.length} of ${all.length} findings shown, newest first.`).waitFor()
  assert.equal(await more.count(), 0)
  const days = await rows.locator('td:nth-child(2)').allInnerTexts()
  assert.deepEqual(
    days.map((day) => Date.parse(`${day} UTC`)),
    all.map(({ counted_on }) => Date.parse(counted_on)).sort((a, b) => b - a),
  )
  await visit.close()
})

test('the file of findings has all of them, not only those shown', async () => {
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'reviewers' })
  const { page } = visit
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).last().click()
  const text = await readFile(await (await download).path(), 'utf8')
  const all = await listFindings(visit)
  assert.ok(
    all.length > (await page.getByRole('table', { name: 'Findings with evidence' }).getByRole('row').count()),
  )
  const lines = text.trimEnd().split('\r\n').slice(1)
  assert.equal(lines.length, all.length)
  assert.deepEqual(new Set(lines.map((line) => line.split(',')[0])), new Set(all.map(({ id }) => id)))
  await visit.close()
})

for (const [currency, sign] of [
  ['EUR', '€'],
  [null, ''],
] as const)
  test(`costs ${currency === null ? 'without a currency' : `in ${currency}`}`, () =>
    withPrices({ organization: PRICED, currency, prices: { scholiast: 480 } }, async () => {
      const visit = await openDashboard({ organization: PRICED, screen: 'reviewers' })
      const query = new URLSearchParams(Object.entries(lastDays(DEFAULT_DAYS)))
      const { data } = await read<Reviewers>(visit, `/v1/metrics/reviewers?${query}`, PRICED)
      const rows = visit.page.getByRole('region', { name: 'Each reviewer', exact: true }).locator('tbody tr')
      const costs = await rows.locator('td:last-child').allInnerTexts()
      assert.deepEqual(
        costs,
        data.map(({ cost_per_accepted: cost }) => (cost === null ? '–' : `${sign}${cost.toFixed(2)}`)),
      )
      assert.equal(costs.filter((cost) => cost !== '–').length, 1)
      await visit.page.getByText('for the 90 days of this period').waitFor()
      assert.equal(await visit.page.getByText('No currency is set').count(), currency === null ? 1 : 0)
      await visit.close()
    }))

test('without prices, a note names the command, and says where a price does not apply', async () => {
  const visit = await openDashboard({ organization: PRICED, screen: 'reviewers' })
  const { page } = visit
  await page
    .getByText('scholiast settings set --currency EUR --reviewer-price coderabbit=480', { exact: true })
    .waitFor()
  await page.getByRole('button', { name: 'All repositories' }).click()
  await page.getByRole('dialog').getByRole('checkbox').first().check()
  await page.getByText('Costs are not shown here').waitFor()
  await visit.close()
})

for (const way of ways)
  describe(`by ${way}`, () => {
    test('a person overrules an outcome', async () => {
      const [before, now] = way === 'mouse' ? ['accepted', 'not_accepted'] : ['not_accepted', 'accepted']
      const search = `?outcome=${before}`
      const visit = await openDashboard({ organization: ORGANIZATION, screen: 'reviewers', search })
      const { page } = visit
      const findings = page.getByRole('region', { name: 'Findings with evidence' })
      await press(way, findings.getByRole('button').first())
      const [response] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'PUT'),
        press(
          way,
          page.getByRole('button', { name: way === 'mouse' ? 'It was not acted on' : 'It was acted on' }),
        ),
        // The row, and the message in it, leave a list of one outcome as soon as the change is read back.
        page.getByText('Your decision was recorded.').waitFor(),
      ])
      assert.equal(response.status(), 202)
      const [, overruled] = /\/v1\/metrics\/findings\/([^/]+)\/outcome$/.exec(response.url()) ?? []
      // A changed outcome is a new write, so the finding is at the end of the list.
      const list = (outcome: string) => listFindings(visit, { outcome })
      let found: Findings['data'][number] | undefined
      while (found === undefined) found = (await list(now)).find(({ id }) => id === overruled)
      assert.deepEqual([found.accepted, found.source], [now === 'accepted', 'person'])
      assert.ok((await list(before)).every(({ id }) => id !== overruled))
      assert.deepEqual(visit.problems, [])
      await visit.close()
    })
  })

/** Findings in the days that the screen shows by default. */
async function listFindings(
  visit: Visit,
  filters: Readonly<Record<string, string>> = {},
): Promise<Findings['data']> {
  const found: Findings['data'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({
      ...lastDays(DEFAULT_DAYS),
      limit: '1000',
      ...filters,
      ...(cursor && { cursor }),
    })
    const { data, next_cursor }: Findings = await read(visit, `/v1/metrics/findings?${query}`)
    found.push(...data)
    cursor = next_cursor
  }
  return found
}

async function read<Page>({ context }: Visit, path: string, organization = ORGANIZATION): Promise<Page> {
  const response = await context.request.get(`${url}${path}`, {
    headers: { 'x-scholiast-organization': findOrganization(organization) },
  })
  assert.equal(response.status(), 200, await response.text())
  return (await response.json()) as Page
}
