import type { Page } from 'playwright-core'

interface Times {
  readonly samples: readonly number[]
  readonly median: number
  readonly p95: number
}

const LOADS = 5
const WEEKS = 26

/** Loads the page again with an empty cache and a slower processor. */
export async function measureLargestPaint(page: Page, slowdown: number): Promise<Times> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const samples: number[] = []
  for (let load = 0; load < LOADS; load++) {
    await page.reload()
    await page.getByText(/of what reviewers found was acted on/).waitFor()
    await page.waitForLoadState('networkidle')
    samples.push(await page.evaluate<number>(readLargestPaint))
  }
  return summarize(samples)
}

// Text, because benchmarks have no types of a browser.
const readLargestPaint = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
    type: 'largest-contentful-paint',
    buffered: true,
  }),
)`

/** Opens Overview for other days, as the filter does, and waits for the sentence of these days. */
export async function measureFilters(
  page: Page,
  firstWeek = Date.now() - 2 * WEEKS * 7 * 86_400_000,
): Promise<Times> {
  const samples: number[] = []
  for (let week = 0; week < WEEKS; week++) {
    const start = firstWeek + week * 7 * 86_400_000
    const [from, to] = [start, start + 90 * 86_400_000].map((time) =>
      new Date(time).toISOString().slice(0, 10),
    )
    await page.getByRole('button', { name: /▾/ }).first().click()
    await page.getByLabel('From').fill(from ?? '')
    await page.getByLabel('To').fill(to ?? '')
    const answered = page.waitForResponse(
      (response) => response.url().includes(`start_date=${from}`) && response.url().includes('group_by=week'),
    )
    const started = performance.now()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await answered
    await page.locator('[data-loading], [aria-busy=true]').first().waitFor({ state: 'detached' })
    samples.push(performance.now() - started)
  }
  return summarize(samples)
}

function summarize(samples: readonly number[]): Times {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { samples, median: at(0.5), p95: at(0.95) }
}
