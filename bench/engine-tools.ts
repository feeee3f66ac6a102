import { execFile, execFileSync } from 'node:child_process'
import { statfsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MetricsStores } from '../server/test/statements.ts'

// Asynchronous: this process must keep reading the pipes of the processes under test.
const execute = promisify(execFile)
const enginesScript = fileURLToPath(new URL('../scripts/engines', import.meta.url))

/** pgbench and wrk run in the private root of the engines, so that a benchmark needs no installation. */
export function ensureTools(): void {
  execFileSync(enginesScript, ['up'], {
    stdio: 'inherit',
    env: { ...process.env, SCHOLIAST_ENGINES_EXTRA: 'wrk' },
  })
}

/** Free space on the disk of the engines' data. */
export function freeGigabytes(): number {
  const { bavail, bsize } = statfsSync(scratch())
  return (bavail * bsize) / 1e9
}

function scratch(): string {
  return execFileSync(enginesScript, ['scratch'], { encoding: 'utf8' }).trim()
}

interface PgbenchRun {
  readonly database: string
  readonly user: string
  /** SQL, or pgbench commands that begin with a backslash. */
  readonly statements: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Session settings, as in `-c jit=off`. */
  readonly options?: string
  readonly clients: number
  readonly seconds: number
}

/** Transactions per second of the bare engine with prepared statements. */
export async function runPgbench(run: PgbenchRun): Promise<number> {
  const { database, user, statements, variables, options = '', clients, seconds } = run
  writeFileSync(`${scratch()}/${database}.sql`, statements.map(toScriptLine).join(''))
  const settings = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)]
  const { stdout } = await execute(
    enginesScript,
    ['run', 'pgbench', ...args, '-f', `${database}.sql`, ...settings, database],
    { env: { ...process.env, PGUSER: user, PGOPTIONS: options } },
  )
  return parseNumber(stdout, /tps = ([\d.]{1,20})/)
}

/** The session settings of a pool, so that the bare engine runs with the same ones. */
export async function sessionOptions(pool: ReturnType<MetricsStores['pool']>): Promise<string> {
  const { rows } = await pool.query<{ options: string }>(
    `select string_agg(format('-c %s=%s', name, setting), ' ') as options from pg_settings
     where source = 'client' and name not in ('application_name', 'client_encoding')`,
  )
  return rows[0]?.options ?? ''
}

interface WrkRun {
  readonly url: string
  readonly key: string
  readonly connections: number
  readonly seconds: number
  /** JSON bodies to post, one after the other; absent = GET. */
  readonly bodies?: readonly string[]
}

/** Requests per second. Throws if a response is not 2xx. */
export async function runWrk({ url, key, connections, seconds, bodies }: WrkRun): Promise<number> {
  if (bodies) writeFileSync(`${scratch()}/wrk.lua`, postingScript(bodies))
  const args = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '-H',
    `x-service-api-key: ${key}`,
    '--timeout',
    '10s',
    ...(bodies ? ['-s', 'wrk.lua'] : []),
    url,
  ]
  const { stdout } = await execute(enginesScript, ['run', 'wrk', ...args])
  if (stdout.includes('Non-2xx') || stdout.includes('Socket errors')) throw new Error(stdout)
  return parseNumber(stdout, /Requests\/sec:\s{1,20}([\d.]{1,20})/)
}

function postingScript(bodies: readonly string[]): string {
  return `local bodies = {${bodies.map((body) => `[==[${body}]==]`).join(', ')}}
local index = 0
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
request = function()
  index = index % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[index])
end
`
}

/** Turns `$1 … $n` of a statement into variables of a pgbench script. */
export function toScript(text: string, names: readonly string[]): string {
  return text.replaceAll(/\$(\d{1,2})/g, (_, index: string) => names[Number(index) - 1] ?? '')
}

// The maximum number of values of a pgbench statement; each mention counts.
const MAX_VALUES = 255

/** A statement with its values as script variables. Nulls are inlined, and so are the first values if there are too many. */
export function bindScript(
  text: string,
  values: readonly unknown[],
): { readonly script: string; readonly variables: Record<string, string> } {
  const occurrences = Map.groupBy(text.matchAll(/\$(\d{1,2})/g), ([, index]) => Number(index) - 1)
  const names = values.map(toLiteral)
  const variables: Record<string, string> = {}
  let carried = 0
  for (const [index, value] of [...values.entries()].toReversed()) {
    const times = occurrences.get(index)?.length ?? 0
    if (value === null || carried + times > MAX_VALUES) continue
    carried += times
    names[index] = `:v${index}`
    variables[`v${index}`] = toText(value)
  }
  return { script: toScript(text, names), variables }
}

/** A value as an SQL literal; values of benchmarks contain no quotes. */
export function toLiteral(value: unknown): string {
  return value === null ? 'null' : `'${toText(value)}'`
}

function toText(value: unknown): string {
  return Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`
}

function toScriptLine(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ')
  return line.startsWith('\\') ? `${line}\n` : `${line};\n`
}

function parseNumber(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1]
  if (found === undefined) throw new Error(`No number found in:\n${output}`)
  return Number(found)
}
