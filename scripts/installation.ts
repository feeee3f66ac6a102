import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

export const repository = fileURLToPath(new URL('..', import.meta.url))

export type Settings = Readonly<Record<string, string>>

/** An installation of the service on this machine: its database, streams, ports and secrets. */
export interface Installation {
  readonly folder: string
  readonly baseUrl: string
  readonly settings: Settings
}

interface InstallationOptions {
  readonly name: string
  readonly folder: string
  readonly port: number
}

/** Uses the engines of DATABASE_URL and NATS_URL; otherwise starts those of scripts/engines. */
export function startEngines(): { databaseUrl: string; natsUrl: string } {
  const { DATABASE_URL: databaseUrl, NATS_URL: natsUrl } = process.env
  if (databaseUrl && natsUrl) return { databaseUrl, natsUrl }
  if (databaseUrl) {
    console.error('DATABASE_URL is set, but NATS_URL is not. Set both, or neither (CONTRIBUTING.md).')
    process.exit(1)
  }
  runOrExit(`${repository}scripts/engines`, ['up'], {})
  const port = (name: string, fallback: string) => process.env[name] || fallback
  return {
    databaseUrl: `postgres://postgres@127.0.0.1:${port('SCHOLIAST_PG_PORT', '54317')}/postgres`,
    natsUrl: `nats://127.0.0.1:${port('SCHOLIAST_NATS_PORT', '42217')}`,
  }
}

export function describeInstallation({ name, folder, port }: InstallationOptions): Installation {
  const { databaseUrl, natsUrl } = startEngines()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const createUrl = (role: string) => {
    const url = new URL(databaseUrl)
    url.username = `scholiast_${role}`
    url.pathname = `/${name}`
    return url.href
  }
  return {
    folder,
    baseUrl: `http://127.0.0.1:${port}`,
    settings: {
      BOOTSTRAP_DATABASE_URL: databaseUrl,
      OWNER_DATABASE_URL: createUrl('owner'),
      AUTH_DATABASE_URL: createUrl('auth'),
      API_DATABASE_URL: createUrl('api'),
      WORKER_DATABASE_URL: createUrl('worker'),
      NATS_URL: natsUrl,
      BUS_PREFIX: name,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      // No load balancer has to notice that the node stops.
      DRAIN_DELAY_SECONDS: '0',
      // The contract's 10 requests per minute are too few to explore a demo.
      LIMIT_METRICS: '600/60',
      LIMIT_KEYS: '600/60',
      // NATS reserves it twice on the disk of the developer.
      INGEST_MAX_BYTES: String(512 * 1024 ** 2),
      ...readOrCreateSecrets(folder),
    },
  }
}

/** Creates the database and migrates it to the current schema. */
export function prepareInstallation(installation: Installation): void {
  const { settings } = installation
  writeEnvironment(installation)
  const admin = (...words: string[]) =>
    runOrExit(process.execPath, [`${repository}server/src/admin.ts`, ...words], settings)
  admin('database', 'bootstrap')
  admin('database', 'migrate')
}

/** Seeds a running service with the demo, or with the data files and options that are given. */
export function seedDemo(
  options: { readonly baseUrl: string; readonly out: string; readonly more?: readonly string[] },
  settings: Settings,
): void {
  const { baseUrl, out, more = [] } = options
  const words = [`${repository}demo/seed.ts`, '--base-url', baseUrl, '--out', out, ...more]
  runOrExit(process.execPath, words, settings)
}

export interface EntryOptions {
  readonly settings?: Settings
  /** Whether it keeps running after this process. */
  readonly detached: boolean
  /** Runs the entry point of the container image (`scripts/image build`) instead of the checkout's. */
  readonly fromImage?: boolean
}

/** Starts an entry point of the server; its log goes to a file in the folder of the installation. */
export function startEntry(
  { folder, settings }: Installation,
  name: string,
  entry: 'api' | 'worker',
  options: EntryOptions,
): ChildProcess {
  const log = openSync(`${folder}/${name}.log`, 'a', 0o600)
  const given = { ...settings, ...options.settings }
  const [command, words] = options.fromImage
    ? [`${repository}scripts/image`, imageWords(entry, [], given)]
    : [process.execPath, [`${repository}server/src/${entry}.ts`]]
  const child = spawn(command, words, {
    cwd: repository,
    detached: options.detached,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...given },
  })
  if (options.detached) child.unref()
  return child
}

/** Arguments of `scripts/image`. Values stay in the environment: every user of the machine can read a command line. */
export function imageWords(entry: string, words: readonly string[], settings: Settings): string[] {
  const variables = Object.keys(settings).flatMap((name) => ['--env', name])
  return ['run', ...variables, '--', 'node', `server/src/${entry}.ts`, ...words]
}

export async function waitUntilReady(baseUrl: string, child: ChildProcess, logFile: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (child.exitCode !== null) fail(`The service exited before it was ready. Its log: ${logFile}`, logFile)
    const response = await fetch(`${baseUrl}/readyz`).catch(() => null)
    if (response?.ok) return
    await sleep(50)
  }
  fail(`The service was not ready in 60 seconds. Its log: ${logFile}`, logFile)
}

export function runOrExit(command: string, words: readonly string[], settings: Settings): void {
  const { status } = spawnSync(command, words, {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...settings },
  })
  if (status !== 0) process.exit(status ?? 1)
}

function fail(message: string, logFile: string): never {
  console.error(message)
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15) : []
  for (const line of lines) console.error(`  ${line}`)
  process.exit(1)
}

/** Secrets are created once per installation, so that cursors and credentials survive a restart. */
function readOrCreateSecrets(folder: string): Settings {
  const file = `${folder}/env`
  const stored = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const secret = () => `dev:${randomBytes(32).toString('hex')}`
  return {
    SIGNING_KEYS: stored['SIGNING_KEYS'] ?? secret(),
    INGEST_KEYS: stored['INGEST_KEYS'] ?? secret(),
    CONNECTOR_KEYS: stored['CONNECTOR_KEYS'] ?? secret(),
    AUDIT_SIGNING_KEY: stored['AUDIT_SIGNING_KEY'] ?? randomBytes(32).toString('base64'),
    AUDIT_HEADS_FILE: `${folder}/audit-heads.jsonl`,
  }
}

/** `npm run admin` reads this file, so that commands use the installation of their checkout. */
function writeEnvironment({ folder, settings }: Installation): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(`${folder}/env`, lines.join(''), { mode: 0o600 })
}
