import { execFile, execFileSync } from 'node:child_process'
import { statfsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MetricsStores } from '../server/test/statements.ts'

// Waited for without standing still: the processes under test write to pipes that somebody must empty.
const execute = promisify(execFile)
const engines = fileURLToPath(new URL('../scripts/engines', import.meta.url))

/** pgbench and wrk run in the engines' private root, so that a bench needs nothing installed by hand. */
export function readyTools(): void {
  execFileSync(engines, ['up'], { stdio: 'inherit', env: { ...process.env, SCHOLIAST_ENGINES_EXTRA: 'wrk' } })
}

/** What is free on the disk of the engines' data. */
export function freeGigabytes(): number {
  const { bavail, bsize } = statfsSync(scratch())
  return (bavail * bsize) / 1e9
}

function scratch(): string {
  return execFileSync(engines, ['scratch'], { encoding: 'utf8' }).trim()
}

interface PgbenchRun {
  readonly database: string
  readonly user: string
  /** SQL, or commands of pgbench that begin with a backslash. */
  readonly statements: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Settings of its sessions, as in `-c jit=off`. */
  readonly options?: string
  readonly clients: number
  readonly seconds: number
}

/** Transactions a second of the bare engine, statements prepared. */
export async function runPgbench(run: PgbenchRun): Promise<number> {
  const { database, user, statements, variables, options = '', clients, seconds } = run
  writeFileSync(`${scratch()}/${database}.sql`, statements.map(asLine).join(''))
  const settings = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const words = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)]
  const { stdout } = await execute(
    engines,
    ['run', 'pgbench', ...words, '-f', `${database}.sql`, ...settings, database],
    { env: { ...process.env, PGUSER: user, PGOPTIONS: options } },
  )
  return numberIn(stdout, /tps = ([\d.]{1,20})/)
}

/** The settings that a pool gives to its sessions, so that the bare engine is asked under the same. */
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
  /** JSON that is posted, one after the other; nothing = GET. */
  readonly bodies?: readonly string[]
}

/** Requests a second; an answer that is not 2xx is an error of the bench. */
export async function runWrk({ url, key, connections, seconds, bodies }: WrkRun): Promise<number> {
  if (bodies) writeFileSync(`${scratch()}/wrk.lua`, postingScript(bodies))
  const words = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '-H',
    `x-service-api-key: ${key}`,
    ...(bodies ? ['-s', 'wrk.lua', '--timeout', '10s'] : []),
    url,
  ]
  const { stdout } = await execute(engines, ['run', 'wrk', ...words])
  if (stdout.includes('Non-2xx') || stdout.includes('Socket errors')) throw new Error(stdout)
  return numberIn(stdout, /Requests\/sec:\s{1,20}([\d.]{1,20})/)
}

function postingScript(bodies: readonly string[]): string {
  return `local bodies = {${bodies.map((body) => `[==[${body}]==]`).join(', ')}}
local place = 0
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
request = function()
  place = place % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[place])
end
`
}

/** `$1 … $n` of a statement as the variables of a pgbench script. */
export function asScript(text: string, names: readonly string[]): string {
  return text.replaceAll(/\$(\d{1,2})/g, (_, place: string) => names[Number(place) - 1] ?? '')
}

// A statement of pgbench carries so many values, each time one is named counted.
const MOST_VALUES = 255

/** A statement with its values as variables of a script; null, and the first where they are too many, are written out. */
export function bindScript(
  text: string,
  values: readonly unknown[],
): { readonly script: string; readonly variables: Record<string, string> } {
  const places = Map.groupBy(text.matchAll(/\$(\d{1,2})/g), ([, place]) => Number(place) - 1)
  const names = values.map(literalOf)
  const variables: Record<string, string> = {}
  let carried = 0
  for (const [place, value] of [...values.entries()].toReversed()) {
    const times = places.get(place)?.length ?? 0
    if (value === null || carried + times > MOST_VALUES) continue
    carried += times
    names[place] = `:v${place}`
    variables[`v${place}`] = textOf(value)
  }
  return { script: asScript(text, names), variables }
}

/** A value as SQL spells it; those of the benches hold no quotes. */
export function literalOf(value: unknown): string {
  return value === null ? 'null' : `'${textOf(value)}'`
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`
}

function asLine(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ')
  return line.startsWith('\\') ? `${line}\n` : `${line};\n`
}

function numberIn(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1]
  if (found === undefined) throw new Error(`No figure in:\n${output}`)
  return Number(found)
}
