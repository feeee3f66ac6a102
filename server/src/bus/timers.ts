import type { Pool } from '../db/connect.ts'
import { fencePool, runUnscoped } from '../db/transaction.ts'
import { type RunningTask, startRepeating, type WorkerContext } from './context.ts'
import { type HeldLock, withConfirmedLock } from './lock.ts'
import { awaitLastHolder } from './sql.ts'

/**
 * Periodic work. It can run more often than configured and on any worker, but not on two workers at once: a transaction
 * fails in a worker that has lost its lock. What a run does elsewhere, such as on the bus, must be safe twice.
 */
export interface Timer {
  readonly name: string
  readonly everySeconds: number | ((context: WorkerContext) => number)
  run(context: WorkerContext): Promise<void>
}

const MAX_LOCK_IDLE_SECONDS = 30

/** A running timer holds one connection of `locks` besides those it works with, so `locks` needs one per timer. */
export function startTimers(context: WorkerContext, timers: readonly Timer[], locks: Pool): RunningTask {
  const running = timers.map((timer) =>
    startRepeating(async () => {
      await runTimer(context, timer, locks)
      const { everySeconds } = timer
      return 1000 * (typeof everySeconds === 'number' ? everySeconds : everySeconds(context))
    }),
  )
  return {
    async stop() {
      await Promise.all(running.map((timer) => timer.stop()))
    },
  }
}

/** A failure is logged and does not stop this or another timer. */
export async function runTimer(context: WorkerContext, timer: Timer, locks: Pool): Promise<void> {
  const noteRun = (outcome: 'done' | 'failed') =>
    context.metrics.timerRun.set({ timer: timer.name, outcome }, Date.now() / 1000)
  try {
    const name = `timer ${timer.name}`
    const ran = await withConfirmedLock(locks, name, MAX_LOCK_IDLE_SECONDS, async (lock) => {
      await runUnscoped(context.database, awaitLastHolder, [name])
      await timer.run(fenceContext(context, lock))
      lock.signal.throwIfAborted()
      return true
    })
    // Otherwise another worker holds the lock.
    if (ran !== null) noteRun('done')
  } catch (err) {
    noteRun('failed')
    context.log.error({ err, timer: timer.name }, 'timer failed')
  }
}

/** The next transaction fails when the lock is lost; in a metrics store elsewhere, when the worker has noticed the loss. */
function fenceContext(context: WorkerContext, { signal, check }: HeldLock): WorkerContext {
  const { database, stores } = context
  const { connectionString } = database.options
  const fence = (pool: Pool) =>
    fencePool(pool, signal, pool.options.connectionString === connectionString ? [check] : [])
  return {
    ...context,
    database: fence(database),
    stores: {
      ...stores,
      pool: (name) => fence(stores.pool(name)),
      copyingPool: (name) => fence(stores.copyingPool(name)),
    },
  }
}
