import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBus, createWorkerContext } from '../../test/bus.ts'
import { openDatabase } from '../../test/fixture.ts'
import { waitFor } from '../../test/wait.ts'
import { consumers, timers } from '../consumers.ts'
import { connect, statement } from '../db/connect.ts'
import { runUnscoped } from '../db/transaction.ts'
import { lockLimits } from '../db/wait-limits.ts'
import type { WorkerContext } from './context.ts'
import { runTimer, startTimers } from './timers.ts'

const readOne = statement('test.one', 'select 1')

const { database, use } = await openDatabase()
const worker = use(connect({ url: database.urls.worker, name: 'worker', connections: 8 }))
const made = use(await createBus())
const context = createWorkerContext(worker, made.bus)

test('a timer never runs twice at the same time', async () => {
  let atOnce = 0
  let maxConcurrent = 0
  let runs = 0
  const timer = {
    name: 'alone',
    everySeconds: 0.001,
    async run() {
      atOnce += 1
      maxConcurrent = Math.max(maxConcurrent, atOnce)
      await sleep(5)
      atOnce -= 1
      runs += 1
    },
  }
  const workers = [1, 2, 3].map(() => startTimers(context, [timer], context.database))
  await waitFor('it ran often', () => runs >= 20)
  await Promise.all(workers.map((running) => running.stop()))
  assert.equal(maxConcurrent, 1)
})

test('a timer that fails runs again and does not stop another', async () => {
  const runs = { failing: 0, sound: 0 }
  const running = startTimers(
    context,
    [
      {
        name: 'failing',
        everySeconds: 0.001,
        run() {
          runs.failing += 1
          throw new Error('failed')
        },
      },
      {
        name: 'sound',
        everySeconds: 0.001,
        run() {
          runs.sound += 1
          return Promise.resolve()
        },
      },
    ],
    context.database,
  )
  await waitFor('both ran', () => runs.failing >= 3 && runs.sound >= 3)
  await running.stop()
})

test('stopping waits for the run under way', async () => {
  const started = Promise.withResolvers<void>()
  let finished = false
  const running = startTimers(
    context,
    [
      {
        name: 'slow',
        everySeconds: 60,
        async run() {
          started.resolve()
          await sleep(100)
          finished = true
        },
      },
    ],
    context.database,
  )
  await started.promise
  await running.stop()
  assert.equal(finished, true)
})

test('timers that all run at once still find a connection to work with', async () => {
  const locks = connect({ url: database.urls.worker, name: 'locks', connections: 12 })
  const allStarted = Promise.withResolvers<void>()
  let waiting = 12
  let worked = 0
  const together = Array.from({ length: 12 }, (_, index) => ({
    name: `together ${index}`,
    everySeconds: 60,
    async run() {
      waiting -= 1
      if (waiting === 0) allStarted.resolve()
      await allStarted.promise
      await worker.query('select 1')
      worked += 1
    },
  }))
  const running = startTimers(context, together, locks)
  await waitFor('all have worked', async () => worked === 12)
  await running.stop()
  await locks.end()
})

test('a timer that loses its lock stops at its next transaction, and another worker takes over', async () => {
  const locks = connect({ url: database.urls.worker, name: 'lost-locks', connections: 1, limits: lockLimits })
  const failures: { err: Error }[] = []
  const log = {
    ...context.log,
    error: (failure: { err: Error }) => failures.push(failure),
  } as unknown as typeof context.log
  const started = Promise.withResolvers<void>()
  let steps = 0
  const endless = {
    name: 'fenced',
    everySeconds: 60,
    async run({ database: fenced }: WorkerContext) {
      for (;;) {
        await runUnscoped(fenced, readOne, [])
        steps += 1
        started.resolve()
        await sleep(10)
      }
    },
  }
  const losing = runTimer({ ...context, log }, endless, locks)
  await started.promise
  const superuser = database.superuser()
  await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'scholiast-lost-locks'`,
  )
  await superuser.end()
  let tookOver = false
  const next = {
    ...endless,
    run() {
      tookOver = true
      return Promise.resolve()
    },
  }
  await waitFor('another worker takes over', async () => {
    await runTimer(context, next, worker)
    return tookOver
  })
  await losing
  const stepsAtLoss = steps
  assert.match(String(failures[0]?.err.message), /The lock "timer fenced" was lost/)
  await sleep(100)
  assert.equal(steps, stepsAtLoss)
  await locks.end()
})

test('a worker that was frozen commits nothing after another has taken over, although it has noticed nothing', async () => {
  const locks = connect({
    url: database.urls.worker,
    name: 'frozen-locks',
    connections: 1,
    limits: lockLimits,
  })
  const superuser = database.superuser()
  const thawed = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  const takenOver = Promise.withResolvers<void>()
  const frozen = {
    name: 'frozen',
    everySeconds: 60,
    async run({ database: fenced }: WorkerContext) {
      await runUnscoped(fenced, readOne, [])
      started.resolve()
      await takenOver.promise
      await runUnscoped(fenced, readOne, []).then(
        () => thawed.resolve('read'),
        (error: unknown) => thawed.resolve(String(error)),
      )
    },
  }
  const losing = runTimer(context, frozen, locks)
  await started.promise
  const lockHolder = `datname = current_database() and application_name = 'scholiast-frozen-locks'`
  await superuser.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${lockHolder}`)
  await waitFor('the server has given the lock away', async () => {
    const { rowCount } = await superuser.query(`select from pg_stat_activity where ${lockHolder}`)
    return rowCount === 0
  })
  const next = { ...frozen, run: () => Promise.resolve(takenOver.resolve()) }
  await runTimer(context, next, worker)
  assert.match(await thawed.promise, /The lock "timer frozen" was lost/)
  await losing
  await Promise.all([locks.end(), superuser.end()])
})

test('every timer of the table runs as the worker, and every name is there once', async () => {
  const failures: unknown[] = []
  const log = {
    ...context.log,
    error: (failure: unknown) => failures.push(failure),
  } as unknown as typeof context.log
  for (const timer of timers) await runTimer({ ...context, log }, timer, context.database)
  assert.deepEqual(failures, [])
  const names = [...timers, ...consumers].map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})
