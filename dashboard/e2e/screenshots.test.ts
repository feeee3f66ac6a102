import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { lastWeeks } from '../src/ui/period.ts'
import { openDashboard } from './open.ts'
import { withPrices } from './prices.ts'
import { screens } from './screens.ts'

const folder = process.env['SCHOLIAST_SCREENSHOTS'] ?? ''
const widths = [1440, 1024, 768, 400]

interface Picture {
  readonly screen: string
  /** Of the file, if it is not the screen. */
  readonly name?: string
  readonly search?: string
  /** How much of the page there is to see, on a desk and on a phone. */
  readonly heights?: readonly [number, number]
  readonly prepare?: (page: Page) => Promise<unknown>
}

const year = lastWeeks(52)
const demoPrices = {
  organization: 'Meridian Platform',
  currency: 'EUR',
  prices: { scholiast: 480, 'scholiast-security': 120 },
}

// For the documentation, docs/dashboard.md: as much of each screen as shows what it has.
const pictures: readonly Picture[] = [
  { screen: 'overview' },
  { screen: 'overview', name: 'overview-year', search: `?from=${year.start_date}&to=${year.end_date}` },
  {
    screen: 'overview',
    name: 'palette',
    heights: [900, 900],
    prepare: (page) => page.keyboard.press('Control+k'),
  },
  { screen: 'findings', heights: [1400, 3100] },
  { screen: 'reviewers', heights: [1400, 2800] },
  { screen: 'pull-requests', heights: [1200, 2000], prepare: searchFirstAuthor },
  { screen: 'learnings' },
  { screen: 'learnings', name: 'learnings-all', search: '?view=all' },
  { screen: 'security' },
  { screen: 'people' },
  { screen: 'keys' },
  { screen: 'audit', prepare: (page) => page.getByText('of the log below are intact').waitFor() },
]

for (const picture of pictures)
  test(`pictures of ${picture.name ?? picture.screen}`, () =>
    picture.screen === 'reviewers'
      ? withPrices(demoPrices, () => takePictures(picture))
      : takePictures(picture))

async function takePictures({ screen, name = screen, search = '', heights = [900, 1600], prepare }: Picture) {
  for (const [width, height, file] of [
    [1440, heights[0], name],
    [400, heights[1], `${name}-400`],
  ] as const) {
    const visit = await openDashboard({ screen, search, width })
    const { page } = visit
    await prepare?.(page)
    const clip = { x: 0, y: 0, width, height }
    await page.screenshot({ path: `${folder}/${file}.png`, fullPage: true, clip })
    await visit.close()
  }
}

async function searchFirstAuthor(page: Page): Promise<void> {
  const author = await page.locator('main tbody td').first().innerText()
  await page.getByRole('searchbox', { name: 'Search pull requests' }).fill(author)
  await page.keyboard.press('Enter')
  await page.getByText(`match “${author}”`).waitFor()
  // Earlier days are read until there are enough.
  await page.waitForLoadState('networkidle')
}

// Every screen in both themes and four widths, for people to look at: .dev/screenshots. Nothing may be wider than the window.
for (const screen of screens)
  test(`${screen} fits into ${widths.join(', ')} px`, async () => {
    const visit = await openDashboard({ screen })
    for (const theme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme: theme })
      for (const width of widths) {
        await visit.page.setViewportSize({ width, height: 900 })
        await visit.page.screenshot({ path: `${folder}/${screen}-${theme}-${width}.png`, fullPage: true })
        const overflow = await visit.page.evaluate(
          () => document.documentElement.scrollWidth - window.innerWidth,
        )
        assert.ok(overflow <= 0, `${screen} is ${overflow} px wider than ${width} px`)
      }
    }
    await visit.close()
  })
