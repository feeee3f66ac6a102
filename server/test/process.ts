import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestDatabase } from './database.ts'

const entry = fileURLToPath(new URL('../src/api.ts', import.meta.url))

export interface ApiProcess {
  readonly url: string
  readonly process: ChildProcess
  /** What it has logged so far. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** A real API process on free ports. `entryFile` may name a copy of the source with a cure taken out. */
export async function startApi(
  database: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
  entryFile: string = entry,
): Promise<ApiProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, [entryFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DOOR_DATABASE_URL: database.urls.door,
      API_DATABASE_URL: database.urls.api,
      SIGNING_KEYS: `test:${'ab'.repeat(32)}`,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...settings,
    },
  })
  // A test that dies leaves no process behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child, () => output)
  return {
    url,
    process: child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (child.exitCode !== null) throw new Error(`The API did not start:\n${output()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`The API was not ready in 15 seconds:\n${output()}`)
}
