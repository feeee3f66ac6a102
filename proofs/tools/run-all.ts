import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

interface Result {
  readonly name: string
  readonly seconds: number
  /** Why it failed: its missed rows, or the end of its output. Empty = ok. */
  readonly failures: readonly string[]
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs each name in a process of its own, one after another, with the other arguments of this process. Prints one table
 * and writes it to a file beside the logs. The exit code is 1 if one failed.
 */
export async function runAll(command: 'prove' | 'bench', names: readonly string[]): Promise<void> {
  const words = process.argv.slice(2).map((word) => word.replaceAll(/^--|[^\w-]/g, ''))
  const folder = `${repository}.dev/${[command, ...words].join('-')}`
  const file = `${folder}/table.txt`
  mkdirSync(folder, { recursive: true })
  const results: Result[] = []
  for (const name of names) {
    const log = `${folder}/${name}.log`
    console.log(`${results.length + 1} of ${names.length}: ${name} (${log})`)
    const result = await runOne(name, log)
    console.log(`  ${render(result).join('\n')}`)
    results.push(result)
    // After each one, so that a run that is interrupted leaves what it has.
    writeFileSync(file, renderTable(results))
  }
  console.log(`\n${renderTable(results)}\nThe table: ${file}`)
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1
}

async function runOne(name: string, log: string): Promise<Result> {
  const [, entry = '', ...words] = process.argv
  const args = words.map((word) => (word === 'all' ? name : word))
  const started = performance.now()
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', output, output] })
  const stop = () => child.kill()
  process.once('exit', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  process.off('exit', stop)
  closeSync(output)
  const text = readFileSync(log, 'utf8')
  const failures = args.includes('--without-cure') ? judgeWithoutCure(code, text) : judge(code, text)
  return { name, seconds: Math.round((performance.now() - started) / 1000), failures }
}

function judge(code: number | null, output: string): readonly string[] {
  if (code === 0) return []
  const missed = findMissedRows(output)
  return missed.length > 0 ? missed : [`It stopped: ${findError(output)}`]
}

/** Without its cure, a proof must measure a miss, not just stop. */
function judgeWithoutCure(code: number | null, output: string): readonly string[] {
  if (code === 0) return ['It still passes without its cure.']
  if (output.includes('The cure to remove was not found in')) return [findError(output)]
  if (findMissedRows(output).length === 0)
    return [`It stopped before it measured that its cure is missing: ${findError(output)}`]
  return []
}

/** Rows of the tables of report.ts. */
function findMissedRows(output: string): string[] {
  return output.split('\n').flatMap((line) => (/ NO *$/.test(line) ? [line.trim()] : []))
}

function findError(output: string): string {
  const lines = output.trimEnd().split('\n')
  return lines.findLast((line) => /^\w*(?:Error|Failed)\b.*: /.test(line)) ?? lines.at(-1) ?? ''
}

function renderTable(results: readonly Result[]): string {
  const ok = results.filter(({ failures }) => failures.length === 0).length
  const lines = [`name             result   seconds`, ...results.flatMap(render)]
  return `${lines.join('\n')}\n${ok} ok, ${results.length - ok} FAILED\n`
}

function render({ name, seconds, failures }: Result): string[] {
  const result = failures.length === 0 ? 'ok' : 'FAILED'
  return [
    `${name.padEnd(16)} ${result.padEnd(8)} ${String(seconds).padStart(7)}`,
    ...failures.map((failure) => `    ${failure}`),
  ]
}
