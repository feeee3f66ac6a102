import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../db/connect.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { withLock } from './lock.ts'

/** Work of the clock. It may run more often than said, on any worker, but never on two at the same time. */
export interface Timer {
  readonly name: string
  readonly everySeconds: number | ((context: WorkerContext) => number)
  run(context: WorkerContext): Promise<void>
}

const MAX_LOCK_IDLE_SECONDS = 600

/** A timer holds a connection of `locks` while it runs, besides those it works with: there must be one for each. */
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

/** A failure is logged and left to the next run: it stops neither this timer nor another. */
export async function runTimer(context: WorkerContext, timer: Timer, locks: Pool): Promise<void> {
  try {
    await withLock(locks, `timer ${timer.name}`, MAX_LOCK_IDLE_SECONDS, () => timer.run(context))
  } catch (err) {
    context.log.error({ err, timer: timer.name }, 'a timer failed')
  }
}
