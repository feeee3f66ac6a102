import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../../src/access/scope.ts'
import { connectMetricsStores } from '../../src/db/stores.ts'
import { rebuildCounts } from '../../src/metrics-store/counts/rebuild.ts'
import { findStaleUnscoped } from '../../src/metrics-store/counts/stale-sql.ts'
import type { TestDatabase } from '../database.ts'

const MAX_BLOCKS = 1_000
const MAX_PAUSE_MS = 4
const MAX_LIFETIME_MS = 150

export interface CountRebuilds {
  readonly counted: number
  readonly killed: number
  stop(): Promise<void>
}

/** Rebuilds the counts of random stale blocks like the worker's timer, and is killed at random. */
export function startCountRebuilds(database: TestDatabase): CountRebuilds {
  const stores = connectMetricsStores(new Map([['shared', database.urls.worker]]), 'recounts', 1)
  const pool = stores.pool('shared')
  const superuser = database.superuser()
  const stopping = new AbortController()
  let counted = 0
  let killed = 0

  async function rebuildOne(): Promise<void> {
    const stale = await findStaleUnscoped(pool, new Date(Date.now() + 60_000), MAX_BLOCKS)
    const found = stale[Math.floor(Math.random() * stale.length)]
    if (found !== undefined && (await rebuildCounts(pool, rootScope(found.root), found))) counted += 1
  }

  async function repeat(maxPauseMs: number, work: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await work()
      await sleep(Math.random() * maxPauseMs)
    }
  }

  async function kill(): Promise<void> {
    const { rows } = await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'scholiast-recounts-metrics' and state <> 'idle'`,
    )
    killed += rows.length
  }

  const running = Promise.all([
    repeat(MAX_PAUSE_MS, () => rebuildOne().catch(() => {})),
    repeat(MAX_LIFETIME_MS, kill),
  ])
  return {
    get counted() {
      return counted
    },
    get killed() {
      return killed
    },
    async stop() {
      stopping.abort()
      await running
      await Promise.all([stores.close(), superuser.end()])
    },
  }
}
