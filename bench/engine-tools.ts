import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const engines = fileURLToPath(new URL('../scripts/engines', import.meta.url))

/** pgbench and wrk run in the engines' private root, so that a bench needs nothing installed by hand. */
export function readyTools(): void {
  execFileSync(engines, ['up'], { stdio: 'inherit', env: { ...process.env, SCHOLIAST_ENGINES_EXTRA: 'wrk' } })
}

interface PgbenchRun {
  readonly database: string
  readonly user: string
  readonly statements: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly clients: number
  readonly seconds: number
}

/** Transactions a second of the bare engine, statements prepared. */
export function runPgbench({ database, user, statements, variables, clients, seconds }: PgbenchRun): number {
  const scratch = execFileSync(engines, ['scratch'], { encoding: 'utf8' }).trim()
  const script = statements.map((text) => `${text.trim().replaceAll(/\s*\n\s*/g, ' ')};\n`).join('')
  writeFileSync(`${scratch}/${database}.sql`, script)
  const settings = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const words = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)]
  const output = execFileSync(
    engines,
    ['run', 'pgbench', ...words, '-f', `${database}.sql`, ...settings, database],
    {
      encoding: 'utf8',
      env: { ...process.env, PGUSER: user },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  return numberIn(output, /tps = ([\d.]{1,20})/)
}

interface WrkRun {
  readonly url: string
  readonly key: string
  readonly connections: number
  readonly seconds: number
}

/** Requests a second; an answer that is not 2xx is an error of the bench. */
export function runWrk({ url, key, connections, seconds }: WrkRun): number {
  const words = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '-H',
    `x-service-api-key: ${key}`,
    url,
  ]
  const output = execFileSync(engines, ['run', 'wrk', ...words], { encoding: 'utf8' })
  if (output.includes('Non-2xx') || output.includes('Socket errors')) throw new Error(output)
  return numberIn(output, /Requests\/sec:\s{1,20}([\d.]{1,20})/)
}

/** `$1 … $n` of a statement as the variables of a pgbench script. */
export function asScript(text: string, names: readonly string[]): string {
  return text.replaceAll(/\$(\d{1,2})/g, (_, place: string) => names[Number(place) - 1] ?? '')
}

function numberIn(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1]
  if (found === undefined) throw new Error(`No figure in:\n${output}`)
  return Number(found)
}
