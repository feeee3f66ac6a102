import { setTimeout as sleep } from 'node:timers/promises'
import type { Limits } from '../../fake-forge/github/limits.ts'
import { type Installation, startInstallation } from './installation.ts'
import { LiveChanges } from './live-changes.ts'
import { listExpected, type OrganizationSize } from './organization.ts'
import { type Comparison, compareStored, countStored } from './stored.ts'
import { Timeline } from './timeline.ts'
import { type Memory, WorkerProcess } from './workers.ts'

/** What a call to GitHub takes; real ones take 0.1 to 2 s. */
export const LATENCY_MS = 300
const LOOK_MS = 100
/** Without new rows for so long, what is missing counts as lost. */
const MAX_IDLE_MS = 20_000
/** Shares of the backfill after which memory is measured. */
const MEMORY_MARKS = [0.1, 0.5, 1]

export interface BackfillPlan {
  readonly size: OrganizationSize
  readonly limits: Limits
  /** The first one is never killed, so that its memory can be measured. */
  readonly workers: number
  readonly kills: number
  readonly liveChanges: number
  readonly liveChangeEveryMs: number
  /** The folder `src` of the server. */
  readonly source: string
  readonly port: number
}

export interface BackfillResult {
  readonly port: number
  readonly realSeconds: number
  /** From the connection until the last page of the last repository. */
  readonly backfillMs: number
  readonly spent: Timeline['spent']
  readonly restCalls: number
  readonly graphqlCalls: number
  readonly graphqlPoints: number
  readonly bytes: number
  readonly maxConcurrent: number
  readonly primaryLimitHits: number
  readonly secondaryLimitHits: number
  readonly violations: readonly string[]
  readonly kills: number
  readonly killsAmidWork: number
  readonly memory: readonly Memory[]
  readonly live: LiveChanges
  readonly comparison: Comparison
}

/** Reads the whole past of an organization, then compares what is stored with it. */
export async function runBackfill(plan: BackfillPlan): Promise<BackfillResult> {
  const started = performance.now()
  const { size, limits, port } = plan
  let timeline: Timeline | null = null
  const installation = await startInstallation({
    size,
    limits,
    port,
    waitForResponse(_isGraphql, response) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const giveUp = timeline?.wait(LATENCY_MS, 'response', resolve)
      response.once('close', () => {
        giveUp?.()
        resolve()
      })
      return promise
    },
  })
  try {
    timeline = new Timeline(installation.clock, plan.workers)
    const begun = installation.clock.now()
    const live = new LiveChanges(installation, timeline, plan)
    const progress = await runWorkers(installation, timeline, live, plan)
    const expected = [...listExpected(installation.organization.forge, installation.github.url)]
    await waitUntilStored(installation, expected.length)
    const { limiter, violations, url } = installation.github
    return {
      port: Number(new URL(url).port),
      realSeconds: (performance.now() - started) / 1000,
      backfillMs: (await readBackfillEnd(installation)) - begun,
      spent: timeline.spent,
      restCalls: limiter.requests.core,
      graphqlCalls: limiter.requests.graphql,
      graphqlPoints: limiter.points.graphql,
      bytes: limiter.bytes,
      maxConcurrent: limiter.maxConcurrent,
      primaryLimitHits: limiter.primaryLimitHits,
      secondaryLimitHits: limiter.secondaryLimitHits,
      violations: [...violations],
      ...progress,
      live,
      comparison: await compareStored(installation.superuser, expected),
    }
  } finally {
    await installation.stop()
  }
}

interface Progress {
  readonly kills: number
  readonly killsAmidWork: number
  readonly memory: readonly Memory[]
}

async function runWorkers(
  installation: Installation,
  timeline: Timeline,
  live: LiveChanges,
  plan: BackfillPlan,
): Promise<Progress> {
  const { clockFile, workerSettings: env, superuser } = installation
  const settings = { source: plan.source, clockFile }
  const workers = Array.from(
    { length: plan.workers },
    () =>
      new WorkerProcess({
        settings,
        env,
        timeline,
        onRead: live.onRead,
        findNextWork: () => findNextWork(installation),
      }),
  )
  const [first, ...others] = workers
  if (first === undefined) throw new Error('There is no worker.')
  const hasLeases = async (owner: string) => {
    const { rows } = await superuser.query<{ found: boolean }>(selectLease, [owner])
    return rows[0]?.found ?? false
  }
  // Leases follow the clock of the database, which is not the simulated one.
  const endLeases = async (owner: string) => {
    for (const table of leasedTables)
      await superuser.query(`update ${table} set lease_until = now() where lease_owner = $1`, [owner])
  }
  let kills = 0
  let killsAmidWork = 0
  let reported = 0
  const memory: Memory[] = []
  try {
    await Promise.all(workers.map((worker) => worker.start()))
    for (;;) {
      const { done, isFinished } = await readProgress(installation, timeline, plan)
      if (done >= (MEMORY_MARKS[memory.length] ?? Number.POSITIVE_INFINITY))
        memory.push(await first.measureMemory())
      if (done >= reported + 0.1) {
        reported = done
        const hours = (timeline.spent.calling + timeline.spent.waiting) / 3_600_000
        console.error(
          `  ${Math.round(100 * done)} % after ${hours.toFixed(2)} simulated hours, ${kills} kills`,
        )
      }
      if (isFinished) return { kills, killsAmidWork, memory }
      const victim = others[Math.floor(Math.random() * others.length)]
      // Spread over the whole backfill.
      if (victim !== undefined && kills < plan.kills && done > (kills + Math.random()) / (plan.kills + 1)) {
        live.noteKill()
        if (await victim.killAndRestart(hasLeases, endLeases)) killsAmidWork += 1
        kills += 1
      }
      await sleep(LOOK_MS * Math.random())
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

const selectNextWork = `select min(at) as at from (
    select unnest(array[retry_at, backfill_retry_at, inventory_due_at]) as at from connector
    union all
    select unnest(array[sweep_due_at, readers_due_at, case when lease_owner is null then lease_until end])
    from connector_repository
    union all
    select due_at from connector_pull_request where dirty_since is not null
  ) due where at > $1`

/** The next time at which a worker that found nothing to do can find something. */
async function findNextWork({ superuser, clock }: Installation): Promise<number> {
  const { rows } = await superuser.query<{ at: Date | null }>(selectNextWork, [new Date(clock.now())])
  return rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY
}

const leasedTables = ['connector', 'connector_repository', 'connector_pull_request']
const selectLease = `select ${leasedTables.map((table) => `exists (select from ${table} where lease_owner = $1)`).join(' or ')} as found`

const selectProgress = `select coalesce(sum(backfill_done), 0)::float8 as done, count(*)::int as repositories,
    count(*) filter (where backfill_finished_at is null)::int as unfinished,
    count(*) filter (where sweep_due_at <= $1 or readers_due_at <= $1)::int as due,
    (select count(*) from connector_pull_request where dirty_since is not null)::int as waiting
  from connector_repository`

interface ProgressRow {
  readonly done: number
  readonly repositories: number
  readonly unfinished: number
  readonly due: number
  readonly waiting: number
}

async function readProgress(
  { superuser }: Installation,
  timeline: Timeline,
  { size }: BackfillPlan,
): Promise<{ readonly done: number; readonly isFinished: boolean }> {
  const { rows } = await superuser.query<ProgressRow>(selectProgress, [new Date(timeline.now)])
  const row = rows[0]
  if (row === undefined || row.repositories < size.repositories) return { done: 0, isFinished: false }
  const { done, unfinished, due, waiting } = row
  const isRead = unfinished === 0 && due === 0 && waiting === 0
  return { done: done / size.pullRequests, isFinished: isRead && timeline.plansLeft === 0 }
}

async function readBackfillEnd({ superuser }: Installation): Promise<number> {
  const { rows } = await superuser.query<{ at: Date }>(
    'select max(backfill_finished_at) as at from connector_repository',
  )
  return rows[0]?.at.getTime() ?? Number.NaN
}

async function waitUntilStored({ superuser }: Installation, expected: number): Promise<void> {
  let before = -1
  for (let deadline = Date.now() + MAX_IDLE_MS; Date.now() < deadline; ) {
    const stored = await countStored(superuser)
    if (stored >= expected) return
    if (stored > before) deadline = Date.now() + MAX_IDLE_MS
    before = stored
    await sleep(LOOK_MS)
  }
}
