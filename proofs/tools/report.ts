import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { basename, dirname } from 'node:path'

/** One line of a proof or benchmark: the measure, its goal and its result. */
export interface Measurement {
  readonly measure: string
  readonly goal: string
  readonly result: string | number
  readonly met: boolean
}

/** A printed table with its circumstances, as docs/results.jsonl has them. */
export interface RunRecord {
  readonly command: string
  readonly form: 'quick' | 'whole'
  readonly date: string
  /** The revision that was measured. */
  readonly commit?: string
  readonly machine: string
  readonly title: string
  readonly measures: readonly Measurement[]
  /** What a reader must know to judge the figures, such as why a goal was missed; written by hand. */
  readonly note?: string
}

/** Prints the table and sets the exit code to 1 if a goal was missed. */
export function report(title: string, measurements: readonly Measurement[]): void {
  print(title, measurements)
  if (measurements.some(({ met }) => !met)) process.exitCode = 1
}

/** One measurement for each missing cure: the proof fails, as it must, only if each of them was noticed. */
export function reportWithoutCures(title: string, measurements: readonly Measurement[]): void {
  print(title, measurements)
  const unnoticed = measurements.filter(({ met }) => met)
  for (const { measure } of unnoticed) console.log(`The missing cure was not noticed: ${measure}`)
  if (unnoticed.length === 0) process.exitCode = 1
}

function print(title: string, measurements: readonly Measurement[]): void {
  const file = process.env['RESULTS_FILE']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(toRecord(title, measurements))}\n`)
  const rows = measurements.map(({ measure, goal, result, met }) => [
    measure,
    goal,
    String(result),
    met ? 'yes' : 'NO',
  ])
  const table = [['measure', 'goal', 'result', 'met'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const row of table)
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`)
}

function toRecord(title: string, measurements: readonly Measurement[]): RunRecord {
  const [, entry = '', ...words] = process.argv
  const script = basename(dirname(entry)) === 'bench' ? 'bench' : 'prove'
  const { stdout: commit } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' })
  return {
    // An address or the path of a file is nobody else's business.
    command: `npm run ${script} -- ${words.map((word) => (word.includes('/') ? '…' : word)).join(' ')}`,
    form: words.includes('--quick') ? 'quick' : 'whole',
    date: new Date().toISOString().slice(0, 10),
    commit: commit.trim(),
    machine: `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    title,
    measures: measurements,
  }
}
