import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../db/connect.ts'
import { fencePool } from '../db/transaction.ts'
import type { RunningTask, WorkerContext } from './context.ts'
import { withConfirmedLock } from './lock.ts'

/**
 * Periodic work. It can run more often than configured and on any worker, but not on two workers at once: a worker that
 * notices the loss of its lock commits nothing more. It may notice late, so that what a run does must be safe twice.
 */
export interface Timer {
  readonly name: string
  readonly everySeconds: number | ((context: WorkerContext) => number)
  run(context: WorkerContext): Promise<void>
}

const MAX_LOCK_IDLE_SECONDS = 30

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
  const { timerRuns, timerSuccess } = context.metrics
  try {
    const ran = await withConfirmedLock(
      locks,
      `timer ${timer.name}`,
      MAX_LOCK_IDLE_SECONDS,
      async (signal) => {
        await timer.run(fenceContext(context, signal))
        signal.throwIfAborted()
        return true
      },
    )
    timerRuns.inc({ timer: timer.name, outcome: ran === null ? 'skipped' : 'done' })
    if (ran !== null) timerSuccess.set({ timer: timer.name }, Date.now() / 1000)
  } catch (err) {
    timerRuns.inc({ timer: timer.name, outcome: 'failed' })
    context.log.error({ err, timer: timer.name }, 'timer failed')
  }
}

/** The work stops at its next transaction when the lock is lost. */
function fenceContext(context: WorkerContext, signal: AbortSignal): WorkerContext {
  const { database, stores } = context
  return {
    ...context,
    database: fencePool(database, signal),
    stores: {
      ...stores,
      pool: (name) => fencePool(stores.pool(name), signal),
      copyingPool: (name) => fencePool(stores.copyingPool(name), signal),
    },
  }
}
