import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Measurement, report } from '../proofs/tools/report.ts'
import { type BulkStore, dayAfter, growPullRequests } from '../server/test/bulk/pull-requests.ts'
import { createDatabase } from '../server/test/database.ts'
import {
  connectMetricsStores,
  type MetricsStores,
  type PageRequest,
  reviewCommentsSource,
  rootScope,
} from '../server/test/statements.ts'
import { ensureTools, freeGigabytes } from './engine-tools.ts'
import { measurePage, type PageCost } from './page-cost.ts'
import { drawPlot, formatCount, type Point } from './plot.ts'

const quick = process.argv.includes('--quick')
const sizes = quick ? [10_000, 100_000, 1_000_000] : [100_000, 1_000_000, 10_000_000]
const orders = ['fresh', 'backfilled'] as const
type Order = (typeof orders)[number]

const ROWS = 1_000
const FINDINGS = 2
const GOAL = 1.5
// With fewer rows, most of the cost is the index descent, which is the same at every size.
const MIN_COMPARED_ROWS = 50
const GIGABYTES_PER_MILLION = 2.5
const RESERVED_GIGABYTES = 20

// The windows lie within the stored days and begin on a Sunday: six days of their first week precede them.
const FIRST_DAY = '2025-01-01'
const DAYS = 400
const windows = {
  '1 day': { start: 165, days: 1 },
  '30 days': { start: 165, days: 30 },
  '1 year': { start: 18, days: 365 },
} as const
type WindowName = keyof typeof windows
const windowNames = Object.keys(windows) as WindowName[]

const readers = {
  'one organization': ({ root, largestOrganization }: BulkStore) => ({
    scope: { ...rootScope(root), organizations: [largestOrganization] },
    authors: null,
  }),
  'workspace of 1,000 organizations': ({ root }: BulkStore) => ({ scope: rootScope(root), authors: null }),
  'author of 0.01 %': ({ root, author }: BulkStore) => ({ scope: rootScope(root), authors: [author] }),
} as const
type Reader = keyof typeof readers
const readerNames = Object.keys(readers) as Reader[]

interface Cell extends PageCost {
  readonly order: Order
  readonly size: number
  readonly reader: Reader
  readonly window: WindowName
}

ensureTools()
const cells: Cell[] = []
for (const order of orders) for (const size of sizes) cells.push(...(await measureStore(order, size)))
const measurements = orders.flatMap((order) =>
  readerNames.flatMap((reader) => windowNames.map((window) => compare(order, reader, window))),
)
const faulty = cells.filter(({ faults }) => faults.length > 0)
for (const { order, size, reader, window, faults } of faulty)
  console.error(`  ${order}, ${formatCount(size)}, ${reader}, ${window}: ${faults.join('; ')}`)
report(
  `growth: a returned pull request of a page of ${ROWS}, of ${FINDINGS} findings each, at ${sizes.map(formatCount).join(' → ')} stored (rows, where less than a page)`,
  [
    ...measurements,
    {
      measure: 'plans that sort or read rows beyond the page',
      goal: '0',
      result: faulty.length,
      met: faulty.length === 0,
    },
  ],
)
if (!quick) writeFileSync(fileURLToPath(new URL('../docs/growth.svg', import.meta.url)), draw())

/** One data set at a time; it is dropped before the next is written. */
async function measureStore(order: Order, size: number): Promise<Cell[]> {
  const needed = (size / 1_000_000) * GIGABYTES_PER_MILLION + RESERVED_GIGABYTES
  if (freeGigabytes() < needed)
    throw new Error(`${Math.ceil(needed)} GB of disk must be free for ${formatCount(size)}.`)
  const database = await createDatabase()
  const stores = connectMetricsStores(new Map([['shared', database.urls.api]]), 'bench', 1)
  try {
    console.error(`writing ${formatCount(size)} pull requests, ${order}`)
    const step = Math.max(size / 5, 250_000)
    const store = await growPullRequests(database, {
      count: size,
      findings: FINDINGS,
      order,
      firstDay: FIRST_DAY,
      days: DAYS,
      onProgress: (written) => {
        if (written % step === 0) console.error(`  ${formatCount(written)} of ${formatCount(size)}`)
      },
    })
    const measured: Cell[] = []
    for (const reader of readerNames)
      for (const window of windowNames) {
        const cost = await measureCell(stores, store, { order, size, reader, window })
        console.error(
          `  ${reader}, ${window}: ${cost.rows} rows, ${cost.buffers} buffers, ${cost.milliseconds.toFixed(1)} ms`,
        )
        measured.push({ order, size, reader, window, ...cost })
      }
    return measured
  } finally {
    await stores.close()
    await database.drop()
  }
}

/** The worse of the first page and a page from the middle of the window, if that is as full. */
async function measureCell(
  stores: MetricsStores,
  store: BulkStore,
  { order, size, reader, window }: Pick<Cell, 'order' | 'size' | 'reader' | 'window'>,
): Promise<PageCost> {
  const { start, days } = windows[window]
  const { scope, authors } = readers[reader](store)
  const middle = order === 'fresh' ? (size * (start + days / 2)) / DAYS : size / 2
  const request: PageRequest = {
    source: reviewCommentsSource,
    scope,
    window: {
      startDate: dayAfter(FIRST_DAY, start),
      endDate: dayAfter(FIRST_DAY, start + days - 1),
      repositories: null,
      authors,
    },
    hidden: [],
    after: 0,
    rows: ROWS,
  }
  const first = await measurePage(stores, request)
  const second = await measurePage(stores, { ...request, after: Math.floor(middle) })
  const faults = [...first.faults, ...second.faults]
  const worse = second.rows >= first.rows && perRow(second) > perRow(first) ? second : first
  return { ...worse, faults }
}

function compare(order: Order, reader: Reader, window: WindowName): Measurement {
  const row = cells.filter((cell) => cell.order === order && cell.reader === reader && cell.window === window)
  const each = (render: (cell: Cell) => string) => row.map(render).join(' → ')
  const buffers = each((cell) => `${perRow(cell).toFixed(2)}${cell.rows < ROWS ? ` (${cell.rows})` : ''}`)
  const measure = `${order}, ${reader}, ${window}: ${buffers} buffers, ${each((cell) => microseconds(cell))} µs`
  const last = row.at(-1)
  const base = findBase(row)
  if (last === undefined || base === undefined)
    return { measure, goal: '–', result: `none has ${MIN_COMPARED_ROWS} rows but the largest`, met: true }
  const ratio = perRow(last) / perRow(base)
  const result = `${ratio.toFixed(2)} × ${formatCount(base.size)}`
  return { measure, goal: `≤ ${GOAL}`, result, met: ratio <= GOAL }
}

/** The size to compare the largest with: the smallest that fills a page, otherwise the smallest with enough rows. */
function findBase(row: readonly Cell[]): Cell | undefined {
  const smaller = row.slice(0, -1)
  return smaller.find(({ rows }) => rows === ROWS) ?? smaller.find(({ rows }) => rows >= MIN_COMPARED_ROWS)
}

function perRow({ buffers, rows }: PageCost): number {
  return buffers / Math.max(rows, 1)
}

function microseconds({ milliseconds, rows }: PageCost): string {
  return ((milliseconds / Math.max(rows, 1)) * 1000).toFixed(1)
}

function draw(): string {
  const panels = orders.flatMap((order) =>
    windowNames.map((window) => ({
      title: `${order}, ${window}`,
      series: Object.fromEntries(readerNames.map((reader) => [reader, toPoints(order, window, reader)])),
    })),
  )
  return drawPlot({
    title: `What a page of ${ROWS.toLocaleString('en')} pull requests costs as the store grows`,
    notes: [
      'Lower is better, flat is the goal. Hollow: the window holds less than a full page; below 50 rows nothing is drawn.',
      'Fresh: merge dates grow with the write order. Backfilled: dates in random write order. npm run bench -- growth',
    ],
    xLabel: 'stored pull requests',
    yLabel: 'buffers touched per returned pull request',
    xTicks: sizes,
    columns: windowNames.length,
    panels,
  })
}

function toPoints(order: Order, window: WindowName, reader: Reader): Point[] {
  return cells
    .filter((cell) => cell.order === order && cell.window === window && cell.reader === reader)
    .filter(({ rows }) => rows >= MIN_COMPARED_ROWS)
    .map((cell) => ({ x: cell.size, y: perRow(cell), hollow: cell.rows < ROWS }))
}
