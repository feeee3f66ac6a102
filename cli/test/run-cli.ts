import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

interface Demo {
  readonly base_url: string
  readonly keys: Readonly<Record<string, string>>
  readonly organizations: readonly {
    readonly id: string
    readonly org_id: string
    readonly name: string
    readonly repositories: readonly { readonly repository_id: string; readonly name: string }[]
  }[]
}

interface RunOptions {
  /** Name of a key of the demo; null for none. */
  readonly key?: string | null
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly cwd?: string
}

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const demo = readDemo()
export const cliFile = fileURLToPath(new URL('../dist/scholiast.js', import.meta.url))

/** A folder of this test file, removed at its end; also the home of its configuration. */
export const folder = mkdtempSync(join(tmpdir(), 'scholiast-cli-'))
after(() => rmSync(folder, { recursive: true }))

/** The environment of a run: nothing of the caller's but PATH. */
export function createEnvironment({ key = 'user', env = {} }: RunOptions = {}): Record<string, string> {
  const value = key === null ? undefined : demo.keys[key]
  if (key !== null && value === undefined) throw new Error(`The demo has no key "${key}".`)
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    SCHOLIAST_URL: demo.base_url,
    ...(value !== undefined && { SCHOLIAST_API_KEY: value }),
    ...env,
  }
}

/** Runs the built command line as a user would, in a pipe. */
export function runCli(words: readonly string[], options: RunOptions = {}): CliRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliFile, ...words], {
    encoding: 'utf8',
    env: createEnvironment(options),
    cwd: options.cwd ?? folder,
    input: options.input ?? '',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: status, stdout, stderr }
}

/** The parsed output of a run with --json that succeeds. */
export function runJson<Value>(words: readonly string[], options: RunOptions = {}): Value {
  const { code, stdout, stderr } = runCli([...words, '--json'], options)
  if (code !== 0) throw new Error(`scholiast ${words.join(' ')} exited with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Value
}

function readDemo(): Demo {
  const file = process.env['SCHOLIAST_DEMO']
  if (file === undefined) throw new Error('SCHOLIAST_DEMO is not set. Run `npm run test:clients`.')
  return JSON.parse(readFileSync(file, 'utf8')) as Demo
}
