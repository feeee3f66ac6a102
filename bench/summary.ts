import { get } from '../proofs/tools/client.ts'
import { type Measurement, report } from '../proofs/tools/report.ts'
import type { BulkStore } from '../server/test/bulk/pull-requests.ts'
import { createDatabase } from '../server/test/database.ts'
import { startApi } from '../server/test/process.ts'
import { freeGigabytes } from './engine-tools.ts'
import { formatCount } from './plot.ts'
import { growFindingsYear } from './summary/findings-year.ts'

const quick = process.argv.includes('--quick')
const sizes = quick ? [20_000, 200_000] : [100_000, 1_000_000, 10_000_000]
const GOAL_MS = 300
const GROWTH_GOAL = 2
const GIGABYTES_PER_MILLION = 6
const RESERVED_GIGABYTES = 15
const WARM_UP = 2
const TIMES = quick ? 5 : 9
// The window begins on a Saturday and ends on a Friday, so that days precede and follow its whole weeks.
const window = 'start_date=2025-01-11&end_date=2026-01-09'

const keys = ['week', 'repository', 'author', 'reviewer', 'severity', 'category']

/** A query and its name. */
interface SummaryQuery {
  readonly name: string
  readonly createParameters: (store: BulkStore) => string
}

const by = (group: string) => (group === '' ? '' : `&group_by=${group}`)
const groups = Array.from({ length: 2 ** keys.length }, (_, number) =>
  keys.filter((_key, index) => number & (2 ** index)).join(','),
)
const kinds: readonly SummaryQuery[] = groups.map((group) => ({
  name: group || 'total',
  createParameters: () => by(group),
}))
// These are reported one by one, all others by the worst of them.
const reportedKinds = new Set([
  'total',
  'severity',
  'week',
  'repository',
  'author',
  'reviewer',
  'severity,category',
  'week,author',
  'repository,author',
  'author,reviewer,severity',
  'repository,author,severity',
])
const filteredKinds: readonly SummaryQuery[] = [
  {
    name: 'of a repository',
    createParameters: ({ repository }) => `${by('week')}&repository_ids=${repository}`,
  },
  { name: 'of an author', createParameters: ({ author }) => `${by('week')}&user_ids=${author}` },
]

interface ServedStore {
  readonly around: number
  readonly store: BulkStore
  readonly url: string
  stop(): Promise<void>
}

interface Cell {
  readonly ms: number
  readonly status: number
  readonly bytes: number
}

const served: ServedStore[] = []
try {
  const fitting = sizes.filter(
    (around) => (around / 1_000_000) * GIGABYTES_PER_MILLION + RESERVED_GIGABYTES <= freeGigabytes(),
  )
  for (const around of fitting) served.push(await startStore(around))
  const all = await measureAll([...kinds, ...filteredKinds])
  const own = all.filter(
    ({ name }) => reportedKinds.has(name) || filteredKinds.some((kind) => kind.name === name),
  )
  const rest = all.filter((one) => !own.includes(one) && !one.refused)
  const slowest = rest.toSorted((a, b) => b.worst - a.worst)[0]
  const steepest = rest.toSorted((a, b) => b.growth - a.growth)[0]
  if (slowest === undefined || steepest === undefined) throw new Error('No other kind was measured.')
  const others = `the ${rest.length} other kinds: slowest ${slowest.name}, grows most ${steepest.name}`
  const measurements = [
    ...own.map(toMeasurement),
    toMeasurement({ measure: others, worst: slowest.worst, growth: steepest.growth }),
  ]
  const tooLarge = all.filter(({ refused }) => refused).length
  report(
    `summary: a year of an organization with a million findings over HTTP, median, ${served.map(({ around }) => formatCount(around)).join(' → ')} pull requests around it (${tooLarge} of ${kinds.length} kinds are refused: they would be larger than 16 MiB)`,
    measurements,
  )
} finally {
  for (const one of served) await one.stop()
}

interface Measured {
  readonly measure: string
  readonly worst: number
  readonly growth: number
}

async function measureAll(queries: readonly SummaryQuery[]) {
  const measured: (Measured & { readonly name: string; readonly refused: boolean })[] = []
  for (const kind of queries) {
    const cells = await measureAlternating(kind)
    const times = cells.map(({ ms }) => ms)
    const growth = Math.max(...times) / (times[0] ?? Number.NaN)
    const refused = cells.some(({ status }) => status === 413)
    const measure = `${kind.name}: ${times.map((ms) => ms.toFixed(0)).join(' → ')} ms, ${refused ? '413' : `${cells[0]?.bytes} bytes`}`
    console.error(`  ${measure}, ${growth.toFixed(2)} ×`)
    measured.push({ name: kind.name, measure, worst: Math.max(...times), growth, refused })
  }
  return measured
}

function toMeasurement({ measure, worst, growth }: Measured): Measurement {
  return {
    measure,
    goal: `≤ ${GOAL_MS} ms, ≤ ${GROWTH_GOAL} ×`,
    result: `${worst.toFixed(0)} ms, ${growth.toFixed(2)} ×`,
    met: worst <= GOAL_MS && growth <= GROWTH_GOAL,
  }
}

async function startStore(around: number): Promise<ServedStore> {
  const database = await createDatabase()
  try {
    console.error(`writing a million findings and ${formatCount(around)} pull requests around them`)
    const store = await growFindingsYear(database, around, (written) => {
      if (written % 1_000_000 === 0) console.error(`  ${formatCount(written)} written`)
    })
    const api = await startApi(database, { LIMIT_METRICS: 'off' })
    return {
      around,
      store,
      url: api.url,
      async stop() {
        await api.stop()
        await database.drop()
      },
    }
  } catch (error) {
    await database.drop()
    throw error
  }
}

/** Medians of warm requests. The stores are measured in alternation, so other load affects all of them. */
async function measureAlternating({ createParameters }: SummaryQuery): Promise<Cell[]> {
  const cells = served.map((): Cell[] => [])
  for (let time = 0; time < WARM_UP + TIMES; time++)
    for (const [index, { url, store }] of served.entries()) {
      const started = performance.now()
      const { status, text } = await get(
        `${url}/v1/metrics/summary?${window}&org_id=${store.largestOrgId}${createParameters(store)}`,
        store.key,
      )
      cells[index]?.push({ ms: performance.now() - started, status, bytes: text.length })
      if (status !== 200 && status !== 413)
        throw new Error(`The response was ${status}: ${text.slice(0, 200)}`)
    }
  return cells.map((all) => {
    const inOrder = all.slice(WARM_UP).toSorted((a, b) => a.ms - b.ms)
    return inOrder[Math.floor(inOrder.length / 2)] as Cell
  })
}
