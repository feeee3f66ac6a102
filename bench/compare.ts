// npm run bench -- compare [--base REVISION] [--quick]   compares this checkout with another revision, by default the one before.
// Each side has a database that its own code has migrated, and gets the same events through its own ingest endpoint.
// The runs of a pair follow each other, so other load affects both. Many short pairs vary less than a few long ones.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { get } from '../proofs/tools/client.ts'
import { type Measurement, report } from '../proofs/tools/report.ts'
import { withCheckout } from './compare/checkout.ts'
import { type Side, startSide } from './compare/side.ts'
import { ensureTools, runWrk } from './engine-tools.ts'

const SECONDS = 2
const GOAL = 0.95
/** The tables are analyzed after each part: plans for empty tables are slow with more rows. */
const PULL_REQUESTS = [1_000, 4_000]
const PULL_REQUESTS_PER_RUN = 2_000
const WINDOW = 'start_date=2026-03-01&end_date=2026-03-30'

/** Returns a rate per second. */
type Run = (side: Side) => Promise<number>

/** The pages to read, with the number of rows that each must have. */
const pages = [
  { name: 'page', path: `/v1/metrics/review-comments?${WINDOW}&limit=1000`, rows: 1000 },
  { name: 'reviews', path: `/v1/metrics/reviews?${WINDOW}&limit=1000`, rows: 1000 },
  { name: 'organizations', path: '/v1/organizations?limit=100', rows: 100 },
]

const repository = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string', default: 'HEAD~1' }, quick: { type: 'boolean', default: false } },
})
const PAIRS = values.quick ? 5 : 15
ensureTools()
const sides: Side[] = []
await withCheckout(values.base, async (checkout) => {
  try {
    const ours = await prepareSide('this checkout', `${repository}server`)
    const theirs = await prepareSide(values.base, `${checkout}/server`)
    const runs: [string, Run][] = [
      ...pages.map(({ name, path }): [string, Run] => [
        `${name}: requests per second`,
        ({ url, key }) => runWrk({ url: url + path, key, connections: 8, seconds: SECONDS }),
      ]),
      ['ingest: pull requests per second to the committed row', (side) => side.ingest(PULL_REQUESTS_PER_RUN)],
    ]
    const measurements: Measurement[] = []
    for (const [measure, run] of runs) measurements.push(await compare(measure, run, ours, theirs))
    report(`compare: this checkout ÷ ${values.base}, median of ${PAIRS} pairs`, measurements)
  } finally {
    await Promise.all(sides.map((side) => side.close()))
  }
})

async function prepareSide(name: string, server: string): Promise<Side> {
  const side = await startSide(server)
  sides.push(side)
  for (const count of PULL_REQUESTS) {
    console.error(`${name}: storing ${count} pull requests`)
    await side.ingest(count)
    await side.vacuum()
  }
  for (const { path, rows } of pages) {
    const { status, text } = await get(side.url + path, side.key)
    const found = Object.values(JSON.parse(text) as object).find(Array.isArray)?.length ?? 0
    if (found !== rows)
      throw new Error(`${name}: ${path} returned ${status} with ${found} rows, not ${rows}.`)
  }
  return side
}

/** The median ratio of the pairs; the order within a pair alternates. */
async function compare(measure: string, run: Run, ours: Side, theirs: Side): Promise<Measurement> {
  const ratios: number[] = []
  for (let pair = 1; pair <= PAIRS; pair++) {
    const rates = new Map<Side, number>()
    for (const side of pair % 2 === 0 ? [theirs, ours] : [ours, theirs]) rates.set(side, await run(side))
    const [our = Number.NaN, their = Number.NaN] = [rates.get(ours), rates.get(theirs)]
    ratios.push(our / their)
    console.error(
      `  ${measure}, pair ${pair} of ${PAIRS}: ${our.toFixed(0)} ÷ ${their.toFixed(0)} = ${(our / their).toFixed(3)}`,
    )
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(PAIRS / 2)] ?? Number.NaN
  return { measure, goal: `≥ ${GOAL}`, result: median.toFixed(3), met: median >= GOAL }
}
