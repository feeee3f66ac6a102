import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard, type Visit, waitUntilLoaded } from './open.ts'
import { withPrices } from './prices.ts'
import { screens } from './screens.ts'

/** A desk and a phone. */
const widths = [1440, 400]
const MIN_LABEL_PX = 10
const MAX_BAR_OFFSET_PX = 2
/** High ones, so that the figures are long. */
const prices = { 'house-rules': 48_000, scholiast: 480_000, 'scholiast-security': 96_000 }

/** Every screen, and the views of a screen that have controls of their own. */
const views = [
  ...screens.map((screen) => ({ screen, search: '' })),
  { screen: 'learnings', search: '?view=all' },
]

const POPUP = '[role=dialog]'

interface Opened {
  readonly screen: string
  readonly what: string
  /** A popover leaves the rest of the screen usable, a dialog does not, a row is a part of it. */
  readonly kind: 'popover' | 'dialog' | 'row'
  readonly open: (page: Page) => Promise<void>
}

/** What a person opens on a screen. */
const opened: readonly Opened[] = [
  { screen: 'overview', what: 'filter of days', kind: 'popover', open: pressButton(/ \d{4} ▾$/) },
  {
    screen: 'overview',
    what: 'filter of repositories',
    kind: 'popover',
    open: pressButton('All repositories ▾'),
  },
  { screen: 'audit', what: 'filter of actions', kind: 'popover', open: pressButton('All actions ▾') },
  { screen: 'overview', what: 'palette', kind: 'dialog', open: (page) => page.keyboard.press('Control+k') },
  { screen: 'learnings', what: 'new Learning', kind: 'dialog', open: pressButton('Write a Learning') },
  { screen: 'keys', what: 'new key', kind: 'dialog', open: pressButton('Create a key') },
  { screen: 'keys', what: 'new role', kind: 'dialog', open: pressButton('Create a role') },
  { screen: 'people', what: 'role of a person', kind: 'dialog', open: openRole },
  { screen: 'pull-requests', what: 'time line', kind: 'dialog', open: pressFirst('tbody th a') },
  ...['reviewers', 'security', 'audit'].map((screen) => ({
    screen,
    what: 'first row',
    kind: 'row' as const,
    open: pressFirst('tbody th button'),
  })),
]

function pressButton(name: string | RegExp) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).click()
}

function pressFirst(selector: string) {
  return (page: Page) => page.locator(`main ${selector}`).first().click()
}

async function openRole(page: Page): Promise<void> {
  await pressFirst('tbody th button')(page)
  await pressButton('Change role…')(page)
}

for (const width of widths)
  describe(`${width} px`, () => {
    for (const { screen, search } of views)
      test(`${screen}${search}: every control can be clicked, and nothing is cut off`, async () => {
        const visit = await openDashboard({ screen, search, width })
        assert.deepEqual(await findCovered(visit), [])
        assert.deepEqual(await findClipped(visit), [])
        assert.deepEqual(await findBadLabels(visit), [])
        assert.deepEqual(await findShiftedBars(visit), [])
        await visit.close()
      })

    for (const screen of ['overview', 'pull-requests', 'security'])
      test(`${screen}: the table in place of the chart fits`, async () => {
        const visit = await openDashboard({ screen, width })
        await visit.page.getByRole('button', { name: 'Show as table' }).click()
        await waitUntilLoaded(visit.page)
        assert.deepEqual(await findClipped(visit), [])
        await visit.close()
      })

    for (const { screen, what, kind, open } of opened)
      test(`${screen}, ${what}: nothing covers what can be clicked`, async () => {
        const visit = await openDashboard({ screen, width })
        await open(visit.page)
        await visit.page.locator(kind === 'row' ? 'main [aria-expanded=true]' : POPUP).waitFor()
        await waitUntilLoaded(visit.page)
        if (kind !== 'row') assert.deepEqual(await findCovered(visit, POPUP), [])
        if (kind !== 'dialog') assert.deepEqual(await findCovered(visit), [])
        assert.deepEqual(await findClipped(visit), [])
        await visit.close()
      })

    test('reviewers: the table with costs fits', () =>
      withPrices({ organization: 'Meridian Mobile', currency: 'CHF', prices }, async () => {
        const visit = await openDashboard({ organization: 'Meridian Mobile', screen: 'reviewers', width })
        const costs = visit.page.locator('td[data-head^=Cost]').filter({ hasText: /^CHF\s[\d,]+\.\d\d$/ })
        assert.equal(await costs.count(), Object.keys(prices).length)
        assert.deepEqual(await findCovered(visit), [])
        assert.deepEqual(await findClipped(visit), [])
        assert.deepEqual(await findShiftedBars(visit), [])
        await visit.close()
      }))
  })

test('a list takes the whole width', async () => {
  const visit = await openDashboard({ screen: 'people' })
  const [list, main] = await visit.page.evaluate(() =>
    [document.querySelector('main [role=region]'), document.querySelector('main')].map(
      (element) => element?.getBoundingClientRect().width ?? 0,
    ),
  )
  assert.equal(list, main)
  await visit.close()
})

/** Controls whose centre belongs to another element, so that a click there does something else or nothing. */
function findCovered({ page }: Visit, within = 'body'): Promise<readonly string[]> {
  return page.evaluate(
    ([part, popup]) => {
      const controls = document.querySelectorAll<HTMLElement>(
        `${part} :is(a[href], button, input, select, textarea, summary)`,
      )
      return [...controls].flatMap((control) => {
        // The link to the content is beside the page until it has the focus.
        if (!control.checkVisibility() || control.getBoundingClientRect().right <= 0) return []
        control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
        // A link in a sentence may have several lines.
        const [box] = control.getClientRects()
        if (box === undefined) return [`${control.outerHTML.slice(0, 120)} has no area`]
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        const label = control instanceof HTMLInputElement ? control.labels?.[0] : undefined
        // An open popup covers what is below it; its own controls are looked at within it.
        const isBelow = part === 'body' && hit?.closest(popup) != null
        return control.contains(hit) || label?.contains(hit) || isBelow
          ? []
          : [`${control.innerText || control.outerHTML}: ${hit?.outerHTML.slice(0, 80)}`]
      })
    },
    [within, POPUP] as const,
  )
}

/** Tables and popups that have to be scrolled sideways, and elements that make the page wider than the window. */
function findClipped({ page }: Visit): Promise<readonly string[]> {
  return page.evaluate(() => {
    const parts = document.querySelectorAll<HTMLElement>('main [role=region], [role=dialog]')
    const boxes = [document.documentElement, ...parts]
    return boxes
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((box) => `${box.ariaLabel ?? box.role ?? 'the page'}: ${box.scrollWidth} in ${box.clientWidth} px`)
  })
}

/** Labels of charts that are too small to read, or that touch. */
function findBadLabels({ page }: Visit): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const charts = [...document.querySelectorAll<SVGSVGElement>('main svg[role=img]')]
    return charts.flatMap((chart) => {
      const scale = chart.getScreenCTM()?.a ?? 0
      const labels = [...chart.querySelectorAll('text')].map((label) => ({
        text: label.textContent,
        size: scale * Number.parseFloat(getComputedStyle(label).fontSize),
        box: label.getBoundingClientRect(),
      }))
      const frame = chart.getBoundingClientRect()
      const small = labels.filter(({ size }) => size < least)
      const outside = labels.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1)
      const touching = labels.filter(({ box: one }, index) =>
        labels
          .slice(index + 1)
          .some(
            ({ box }) =>
              one.left < box.right &&
              box.left < one.right &&
              one.top < box.bottom - 2 &&
              box.top < one.bottom - 2,
          ),
      )
      return [
        ...small.map(({ text, size }) => `${text} has ${size.toFixed(1)} px`),
        ...outside.map(({ text }) => `${text} is cut off`),
        ...touching.map(({ text }) => `${text} touches another label`),
      ]
    })
  }, MIN_LABEL_PX)
}

/** Bars that do not stand on the first line of their row, beside the figures that they show. */
function findShiftedBars({ page }: Visit): Promise<readonly string[]> {
  return page.evaluate((most) => {
    const bars = [...document.querySelectorAll('main td > svg')]
    return bars.flatMap((bar) => {
      const row = bar.closest('tr')
      const figure = row?.querySelector('td[data-number]')?.firstChild ?? null
      // On a phone a bar has a line of its own.
      if (row === null || figure === null || getComputedStyle(row).display !== 'table-row') return []
      const range = document.createRange()
      range.selectNodeContents(figure)
      const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2
      const offset = middle(bar.getBoundingClientRect()) - middle(range.getBoundingClientRect())
      return Math.abs(offset) <= most ? [] : [`${row.innerText}: ${offset.toFixed(1)} px`]
    })
  }, MAX_BAR_OFFSET_PX)
}
