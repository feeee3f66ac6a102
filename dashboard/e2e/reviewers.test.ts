import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Get } from '@scholiast/sdk'
import { DEFAULT_WEEKS, lastWeeks } from '../src/ui/period.ts'
import { press, ways } from './hands.ts'
import { findOrganization, openDashboard, url, type Visit } from './open.ts'

const ORGANIZATION = 'Meridian Platform'

type Reviewers = Get<'/v1/metrics/reviewers'>
type Findings = Get<'/v1/metrics/findings'>

test('the figures of each reviewer are those of the API', async () => {
  const visit = await openDashboard({ organization: ORGANIZATION, screen: 'reviewers' })
  const query = new URLSearchParams(Object.entries(lastWeeks(DEFAULT_WEEKS)))
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
      ])
      assert.equal(response.status(), 202)
      const [, overruled] = /\/v1\/metrics\/findings\/([^/]+)\/outcome$/.exec(response.url()) ?? []
      await page.getByText('Your verdict is recorded.').waitFor()
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

/** Of the days that the screen shows by default. */
async function listFindings(
  visit: Visit,
  filters: Readonly<Record<string, string>> = {},
): Promise<Findings['data']> {
  const found: Findings['data'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({
      ...lastWeeks(DEFAULT_WEEKS),
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

async function read<Page>({ context }: Visit, path: string): Promise<Page> {
  const response = await context.request.get(`${url}${path}`, {
    headers: { 'x-scholiast-organization': findOrganization(ORGANIZATION) },
  })
  assert.equal(response.status(), 200, await response.text())
  return (await response.json()) as Page
}
