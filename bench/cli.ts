import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Measurement, report } from '../proofs/tools/report.ts'
import { growPullRequests } from '../server/test/bulk/pull-requests.ts'
import { createDatabase } from '../server/test/database.ts'
import { limitsOff } from '../server/test/limits-off.ts'
import { startApi } from '../server/test/process.ts'
import { downloadPages, type ExportTarget, exportLines, hashFile } from './cli/export.ts'
import { formatCount } from './plot.ts'

// npm run bench -- cli [--quick] [--rows 1000000] [--rounds 3]
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
})
const rows = Number(values.rows ?? (values.quick ? 50_000 : 1_000_000))
const ROUNDS = Number(values.rounds)
const FINDINGS = 10
const RATIO_GOAL = 0.8
const MEMORY_GOAL_MB = 150

const database = await createDatabase()
const folder = await mkdtemp(join(tmpdir(), 'scholiast-bench-'))
try {
  console.error(`writing ${formatCount(rows)} pull requests of ${FINDINGS} findings`)
  const { key } = await growPullRequests(database, {
    count: rows,
    findings: FINDINGS,
    order: 'fresh',
    firstDay: '2025-06-01',
    days: 365,
  })
  // Rate limits are off: the contract allows only ten requests per minute.
  const api = await startApi(database, limitsOff)
  const target: ExportTarget = { baseUrl: api.url, key, from: '2025-06-01', to: '2026-05-31', folder }
  report(`cli: ${formatCount(rows)} pull requests of ${FINDINGS} findings, gzip`, await measureExport(target))
  await api.stop()
} finally {
  await rm(folder, { recursive: true })
  await database.drop()
}

/** Both sides alternate, so that other load affects both. */
async function measureExport(target: ExportTarget): Promise<Measurement[]> {
  const rounds: { ratio: number; cli: number; curl: number }[] = []
  let peakMb = 0
  let overTime: readonly number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const curl = await downloadPages(target)
    const cli = await exportLines(target)
    if (round === 1 && (await hashFile(curl.file)) !== (await hashFile(cli.file)))
      throw new Error('The file of the command line differs from the lines that curl received.')
    await Promise.all([rm(curl.file), rm(cli.file)])
    if (cli.peakMb > peakMb) overTime = cli.memoryMb
    peakMb = Math.max(peakMb, cli.peakMb)
    rounds.push({ ratio: curl.seconds / cli.seconds, cli: cli.seconds, curl: curl.seconds })
    console.error(
      `  round ${round} of ${ROUNDS}: curl ${curl.seconds.toFixed(1)} s, command line ${cli.seconds.toFixed(1)} s, ${Math.round(cli.peakMb)} MB`,
    )
  }
  const middle = rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)]
  if (middle === undefined) throw new Error('No round was measured.')
  return [
    {
      measure: `metrics export comments ÷ curl of the same pages (${middle.curl.toFixed(1)} s ÷ ${middle.cli.toFixed(1)} s, median of ${ROUNDS})`,
      goal: `≥ ${RATIO_GOAL}`,
      result: middle.ratio.toFixed(2),
      met: middle.ratio >= RATIO_GOAL,
    },
    {
      measure: `peak memory of the export, MB (over time: ${overTime.map(Math.round).join(', ')})`,
      goal: `≤ ${MEMORY_GOAL_MB}`,
      result: Math.round(peakMb),
      met: peakMb <= MEMORY_GOAL_MB,
    },
  ]
}
