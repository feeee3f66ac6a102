import { type Finding, report } from '../proofs/tools/report.ts'
import { measureInTurn, questionNames, type ServedLog, serveLog } from './audit/measure.ts'
import { freeGigabytes } from './engine-tools.ts'
import { short } from './plot.ts'

const quick = process.argv.includes('--quick')
const GOAL = 2
const GIGABYTES_PER_MILLION = 0.65
const GIGABYTES_LEFT = 15
const PROMISED = 100_000_000

// What there is time for: 10 million rows are written in some minutes.
const most = Number(process.argv.find((word) => word.startsWith('--most='))?.slice(7) ?? PROMISED)

const fits = (rows: number) =>
  rows <= most &&
  ((rows + 11_000_000) / 1_000_000) * GIGABYTES_PER_MILLION + GIGABYTES_LEFT <= freeGigabytes()
const largest = [PROMISED, 70_000_000, 50_000_000, 30_000_000, 20_000_000].find(fits) ?? 10_000_000
const sizes = quick ? [200_000, 1_000_000] : [...new Set([1_000_000, 10_000_000, largest])]

const logs: ServedLog[] = []
try {
  for (const rows of sizes) logs.push(await serveLog(rows))
  const findings: Finding[] = []
  for (const name of questionNames) {
    const times = await measureInTurn(logs, name)
    const ratio = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN)
    const measure = `${name}: ${times.map((ms) => ms.toFixed(1)).join(' → ')} ms`
    console.error(`  ${measure}`)
    findings.push({ measure, goal: `≤ ${GOAL} ×`, result: `${ratio.toFixed(2)} ×`, met: ratio <= GOAL })
  }
  report(
    `audit: a page with its counts over HTTP, median, at ${sizes.map(short).join(' → ')} rows in one workspace`,
    findings,
  )
} finally {
  for (const log of logs) await log.end()
}
if (!quick && largest < PROMISED)
  console.log(
    `\nThere was no room, or no time, for ${short(PROMISED)} rows; ${short(largest)} is the largest that was written.`,
  )
