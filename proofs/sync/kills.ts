import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SyncCommand {
  /** The built command line, or that of a copy without a cure. */
  readonly entry: string
  readonly target: string
  readonly baseUrl: string
  readonly key: string
}

// Small responses, so that a run has many of them and a kill falls between or into them.
const PAGE_SIZE = 20

function start({ entry, target, baseUrl, key }: SyncCommand, options: readonly string[]) {
  const words = ['metrics', 'sync', '--to', target, '--page-size', String(PAGE_SIZE), ...options]
  const child = spawn(process.execPath, [entry, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], SCHOLIAST_URL: baseUrl, SCHOLIAST_API_KEY: key },
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return { child, output: () => output }
}

/** A run that reads everything; returns its milliseconds. */
export async function runToEnd(command: SyncCommand): Promise<number> {
  const started = performance.now()
  const { child, output } = start(command, [])
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`metrics sync failed:\n${output()}`)
  return performance.now() - started
}

/** Starts a run that follows the feed and kills it after the time; fails if it ended before by itself. */
export async function runAndKill(
  command: SyncCommand,
  afterMs: number,
  isAmidWork: () => Promise<boolean>,
): Promise<boolean> {
  const { child, output } = start(command, ['--follow', '--every', '1'])
  await Promise.race([sleep(afterMs), once(child, 'exit')])
  if (child.exitCode !== null)
    throw new Error(`metrics sync ended with ${child.exitCode} before it was killed:\n${output()}`)
  // It stands still while its state is looked at.
  child.kill('SIGSTOP')
  const wasAmidWork = await isAmidWork()
  child.kill('SIGKILL')
  if (child.signalCode === null) await once(child, 'exit')
  return wasAmidWork
}
