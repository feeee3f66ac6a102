import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../db/connect.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { withLock } from './lock.ts'

/** Periodic work. It can run more often than configured and on any worker, but never on two workers at once. */
export interface Timer {
  readonly name: string
  readonly everySeconds: number | ((context: WorkerContext) => number)
  run(context: WorkerContext): Promise<void>
}

const MAX_LOCK_IDLE_SECONDS = 600

/** A running timer holds one connection of `locks` besides those it works with, so `locks` needs one per timer. */
export function startTimers(context: WorkerContext, timers: readonly Timer[], locks: Pool): RunningTask {
  const stopping = new AbortController()
  const stopped = timers.map((timer) => repeatTimer(context, timer, locks, stopping.signal))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(stopped)
    },
  }
}

async function repeatTimer(
  context: WorkerContext,
  timer: Timer,
  locks: Pool,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await runTimer(context, timer, locks)
    const { everySeconds } = timer
    const seconds = typeof everySeconds === 'number' ? everySeconds : everySeconds(context)
    await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
  }
}

/** A failure is logged and does not stop this or another timer. */
export async function runTimer(context: WorkerContext, timer: Timer, locks: Pool): Promise<void> {
  try {
    await withLock(locks, `timer ${timer.name}`, MAX_LOCK_IDLE_SECONDS, () => timer.run(context))
  } catch (err) {
    context.log.error({ err, timer: timer.name }, 'timer failed')
  }
}
