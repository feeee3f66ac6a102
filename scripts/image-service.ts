// Starts the service from the container image that `scripts/image build` made, for the acceptance suite.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { imageWords, repository, type Settings } from './installation.ts'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000

interface ImageProcess {
  output(): string
  stop(): Promise<void>
}

/** Runs an admin command in the image and throws if it fails. */
export function runImageAdmin(words: readonly string[], settings: Settings): void {
  const { status } = spawnSync(`${repository}scripts/image`, imageWords('admin', words, settings), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...settings },
  })
  if (status !== 0) throw new Error(`${words.join(' ')} failed in the image (exit ${status}).`)
}

export async function startImageApi(
  settings: Settings & { PORT: string },
): Promise<ImageProcess & { url: string }> {
  const url = `http://127.0.0.1:${settings.PORT}`
  const started = startEntryPoint('api', settings)
  await waitUntilOk(`${url}/readyz`, started)
  return { ...started, url }
}

export async function startImageWorker(settings: Settings & { METRICS_PORT: string }): Promise<ImageProcess> {
  const started = startEntryPoint('worker', settings)
  await waitUntilOk(`http://127.0.0.1:${settings.METRICS_PORT}/metrics`, started)
  return started
}

function startEntryPoint(entry: string, settings: Settings): ImageProcess & { process: ChildProcess } {
  const child = spawn(`${repository}scripts/image`, imageWords(entry, [], settings), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...settings },
  })
  // SIGTERM, not SIGKILL: the container runtime forwards it to the service.
  const terminate = () => child.kill('SIGTERM')
  process.once('exit', terminate)
  child.once('exit', () => process.off('exit', terminate))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return {
    process: child,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
    },
  }
}

async function waitUntilOk(url: string, started: ReturnType<typeof startEntryPoint>): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(100)) {
    if (started.process.exitCode !== null) throw new Error(`The image did not start:\n${started.output()}`)
    if ((await fetch(url).catch(() => null))?.ok) return
  }
  started.process.kill('SIGTERM')
  throw new Error(`${url} was not ready in ${START_TIMEOUT_MS / 1000} seconds:\n${started.output()}`)
}
