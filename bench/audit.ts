import { type Measurement, report } from '../proofs/tools/report.ts'
import { measureAlternating, queryNames, type ServedLog, serveLog } from './audit/measure.ts'
import { freeGigabytes } from './engine-tools.ts'
import { formatCount } from './plot.ts'

const quick = process.argv.includes('--quick')
const GOAL = 2
const GIGABYTES_PER_MILLION = 0.65
const RESERVED_GIGABYTES = 15
const TARGET_ROWS = 100_000_000

// Writing 10 million rows takes some minutes.
const maxRows = Number(process.argv.find((word) => word.startsWith('--most='))?.slice(7) ?? TARGET_ROWS)

const fits = (rows: number) =>
  rows <= maxRows &&
  ((rows + 11_000_000) / 1_000_000) * GIGABYTES_PER_MILLION + RESERVED_GIGABYTES <= freeGigabytes()
const largest = [TARGET_ROWS, 70_000_000, 50_000_000, 30_000_000, 20_000_000].find(fits) ?? 10_000_000
const sizes = quick ? [200_000, 1_000_000] : [...new Set([1_000_000, 10_000_000, largest])]

const logs: ServedLog[] = []
try {
  for (const rows of sizes) logs.push(await serveLog(rows))
  const measurements: Measurement[] = []
  for (const name of queryNames) {
    const times = await measureAlternating(logs, name)
    const ratio = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN)
    const measure = `${name}: ${times.map((ms) => ms.toFixed(1)).join(' → ')} ms`
    console.error(`  ${measure}`)
    measurements.push({ measure, goal: `≤ ${GOAL} ×`, result: `${ratio.toFixed(2)} ×`, met: ratio <= GOAL })
  }
  report(
    `audit: a page with its counts over HTTP, median, at ${sizes.map(formatCount).join(' → ')} rows in one workspace`,
    measurements,
  )
} finally {
  for (const log of logs) await log.stop()
}
if (!quick && largest < TARGET_ROWS)
  console.log(
    `\nThere was no room, or no time, for ${formatCount(TARGET_ROWS)} rows; ${formatCount(largest)} is the largest that was written.`,
  )
