import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestDatabase } from './database.ts'
import { freePort } from './free-port.ts'

const apiEntry = fileURLToPath(new URL('../src/api.ts', import.meta.url))
const workerEntry = fileURLToPath(new URL('../src/worker.ts', import.meta.url))

type Settings = Readonly<Record<string, string>>

export interface ServerProcess {
  readonly process: ChildProcess
  /** Its log so far. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface ApiProcess extends ServerProcess {
  readonly url: string
}

/** A real API process on free ports. `entryFile` may be that of a copy of the source without a cure. */
export async function startApi(
  database: TestDatabase,
  settings: Settings = {},
  entryFile: string = apiEntry,
  /** What it waits for: the process is ready, or only runs. */
  awaitedPath: '/readyz' | '/healthz' = '/readyz',
): Promise<ApiProcess> {
  const [free, metricsPort] = await Promise.all([freePort(), freePort()])
  // A caller that needs the address in other settings chooses the port.
  const port = settings['PORT'] ?? String(free)
  const started = spawnEntry(entryFile, {
    AUTH_DATABASE_URL: database.urls.auth,
    API_DATABASE_URL: database.urls.api,
    SIGNING_KEYS: `test:${'ab'.repeat(32)}`,
    CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
    LOG_LEVEL: 'warn',
    PORT: port,
    METRICS_PORT: String(metricsPort),
    DRAIN_DELAY_SECONDS: '0',
    ...settings,
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntil(
    'The API',
    started,
    async () => (await fetch(url + awaitedPath).catch(() => null))?.ok ?? false,
  )
  return { ...started, url }
}

/** A real worker process. NATS_URL and BUS_PREFIX name the bus of the test; its queue is small by default. */
export async function startWorker(
  database: TestDatabase,
  settings: Settings & { readonly NATS_URL: string; readonly BUS_PREFIX: string },
  entryFile: string = workerEntry,
): Promise<ServerProcess> {
  const started = spawnEntry(entryFile, {
    WORKER_DATABASE_URL: database.urls.worker,
    INGEST_MAX_BYTES: String(64 * 1024 ** 2),
    METRICS_PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    ...settings,
  })
  await waitUntil('The worker', started, () => Promise.resolve(started.output().includes('"working"')))
  return started
}

/** A worker process that may have to wait for its engines. `port` serves its metrics and readiness. */
export async function startWaitingWorker(
  database: TestDatabase,
  settings: Settings,
): Promise<ServerProcess & { readonly url: string }> {
  const port = await freePort()
  const started = spawnEntry(workerEntry, {
    WORKER_DATABASE_URL: database.urls.worker,
    INGEST_MAX_BYTES: String(64 * 1024 ** 2),
    METRICS_PORT: String(port),
    ...settings,
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntil(
    'The worker',
    started,
    async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok ?? false,
  )
  return { ...started, url }
}

function spawnEntry(entryFile: string, settings: Settings): ServerProcess {
  const child = spawn(process.execPath, [entryFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...settings },
  })
  // Stops the process if the test crashes.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return {
    process: child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

async function waitUntil(
  what: string,
  started: ServerProcess,
  isReady: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; attempt < 900; attempt++) {
    if (started.process.exitCode !== null) throw new Error(`${what} did not start:\n${started.output()}`)
    if (await isReady()) return
    await sleep(100)
  }
  started.process.kill('SIGKILL')
  throw new Error(`${what} was not ready within 90 seconds:\n${started.output()}`)
}
