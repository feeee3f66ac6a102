import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FromWorker, ToWorker, WorkerSettings } from '../../server/test/connectors/backfill-messages.ts'
import type { Timeline } from './timeline.ts'

const compileCache = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))
const entry = fileURLToPath(new URL('../../server/test/connectors/backfill-worker.ts', import.meta.url))

export interface Memory {
  readonly heap: number
  readonly rss: number
}

export interface WorkerOptions {
  readonly settings: WorkerSettings
  readonly env: Readonly<Record<string, string>>
  readonly timeline: Timeline
  readonly onRead: (repository: string, number: number, at: number) => void
  /** When an idle worker can find something to do. */
  readonly findNextWork: () => Promise<number>
}

/** Others can make work meanwhile. */
const MAX_IDLE_MS = 60_000

/** One worker, which is started again when it was killed. The timeline counts it all the time: the clock waits for a restart. */
export class WorkerProcess {
  readonly #options: WorkerOptions
  #child: ChildProcess | null = null
  #owner = ''
  #giveUpSleep = () => {}
  #onMemory: (memory: Memory) => void = () => {}
  #isStopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { settings, env } = this.#options
    const child = fork(entry, [JSON.stringify(settings)], {
      execArgv: ['--expose-gc'],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    const stop = () => child.kill('SIGKILL')
    process.once('exit', stop)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    child.once('exit', (code) => {
      process.off('exit', stop)
      if (child === this.#child && !this.#isStopped) reject(new Error(`A worker ended with ${code}.`))
    })
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        this.#owner = message.owner
        resolve()
      } else if (child === this.#child) this.#handle(child, message)
    })
    await promise
  }

  #handle(child: ChildProcess, message: Exclude<FromWorker, { kind: 'ready' }>): void {
    const { onRead } = this.#options
    switch (message.kind) {
      case 'sleep':
        if (message.isIdle) void this.#idle(child, message.ms)
        else this.#wait(child, message.ms, 'sleep')
        break
      case 'read':
        onRead(message.repository, message.number, message.at)
        break
      case 'memory':
        this.#onMemory(message)
    }
  }

  /** A worker looks every second. Here it looks when there is something to find, because each look takes real time. */
  async #idle(child: ChildProcess, ms: number): Promise<void> {
    const { timeline, findNextWork } = this.#options
    const next = (await findNextWork()) - timeline.now
    if (child === this.#child) this.#wait(child, Math.max(ms, Math.min(next, MAX_IDLE_MS)), 'idle')
  }

  #wait(child: ChildProcess, ms: number, kind: 'sleep' | 'idle'): void {
    const wake = () => child.connected && child.send({ kind: 'wake' } satisfies ToWorker)
    this.#giveUpSleep = this.#options.timeline.wait(ms, kind, wake)
  }

  /** Kills it with SIGKILL and starts it again. Returns whether it was in the middle of something, by what `hasLeases` finds. */
  async killAndRestart(
    hasLeases: (owner: string) => Promise<boolean>,
    endLeases: (owner: string) => Promise<void>,
  ): Promise<boolean> {
    const child = this.#child
    if (child === null) throw new Error('The worker does not run.')
    // It stands still while its leases are read.
    child.kill('SIGSTOP')
    const wasAmidWork = await hasLeases(this.#owner)
    this.#child = null
    child.kill('SIGKILL')
    if (child.signalCode === null) await once(child, 'exit')
    await endLeases(this.#owner)
    this.#giveUpSleep()
    await this.start()
    return wasAmidWork
  }

  /** After a garbage collection. */
  async measureMemory(): Promise<Memory> {
    const { promise, resolve } = Promise.withResolvers<Memory>()
    this.#onMemory = resolve
    this.#child?.send({ kind: 'measure' } satisfies ToWorker)
    return await promise
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
