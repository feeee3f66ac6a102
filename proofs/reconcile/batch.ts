import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultPlan } from '../../fake-forge/faults.ts'
import { Random } from '../../fake-forge/random.ts'
import { connectQueueProbe } from '../../server/test/proofs/queue.ts'
import type { Victim } from '../ingest/installation.ts'
import { type Comparison, compareWithModels, type ProvedService } from './compare.ts'
import { compareOutcomes, type OutcomeComparison } from './compare-outcomes.ts'
import { CLONED } from './cures.ts'
import {
  beginFaults,
  type ConnectedOrganization,
  connectOrganizations,
  countFaults,
  disconnect,
  endFaults,
  type Forges,
  type OrganizationPlan,
} from './forges.ts'

export interface BatchPlan {
  readonly seed: number
  readonly organizations: number
  /** Repositories per organization; each has a history. */
  readonly repositories: number
  /** Repositories of one more organization on each forge, in which outcomes are detected. */
  readonly cloned: number
  /** Steps per history. */
  readonly steps: number
  /** Processes that are killed meanwhile, in this order. */
  readonly victims: readonly Victim[]
}

export interface BatchResult {
  readonly histories: number
  readonly steps: number
  /** How often each fault happened. */
  readonly faults: FaultPlan['counts']
  readonly afterSweep: Comparison
  readonly outcomes: OutcomeComparison
  /** After hooks that arrived later than the sweep. */
  readonly afterLateHooks: Comparison
}

const PAST_SHARE = 0.3
const MIN_FLUSH_STEPS = 20
const CATCH_UP_ATTEMPTS = 5
const POLL_MS = 200
/** While the proof waits, its clock runs faster: retries and delays pass. */
const SKIP_MS = 2_000
const LATE_READ_MS = 60_000
const MAX_WAIT_MS = 300_000
const MAX_LOG_CHARACTERS = 4_000

/** Histories with faults, then a night, then the hooks that were held back; the store is compared twice. */
export async function runBatch(
  service: ProvedService,
  forges: Forges,
  plan: BatchPlan,
): Promise<BatchResult> {
  const { installation, clock } = service
  const { database } = installation
  const steps = plan.steps * countHistories(plan)
  const pastSteps = Math.round(steps * PAST_SHARE)
  const organizations = await connectOrganizations(
    { database, url: installation.url() },
    clock,
    forges,
    planOrganizations(plan),
  )
  await waitUntilIdle(service, organizations)
  console.error(`  ${organizations.length} organizations connected and read`)
  beginFaults(forges)
  await runSteps(service, forges, organizations, { ...plan, steps: steps - pastSteps })
  endFaults(forges)
  console.error(`  ${steps - pastSteps} steps with faults`)
  clock.skipToMorning()
  await waitUntilIdle(service, organizations)
  const afterSweep = await compareWithModels(service, organizations)
  await Promise.all([forges.github.hooks.releaseLate(), forges.gitlab.hooks.releaseLate()])
  clock.skip(LATE_READ_MS)
  await waitUntilIdle(service, organizations)
  const afterLateHooks = await compareWithModels(service, organizations)
  const outcomes = await compareOutcomes(service, forges, organizations)
  await disconnect(installation.url(), organizations)
  return {
    histories: countHistories(plan),
    steps,
    outcomes,
    faults: countFaults(forges),
    afterSweep,
    afterLateHooks,
  }
}

export function countHistories({ organizations, repositories, cloned }: Omit<BatchPlan, 'seed'>): number {
  return organizations * repositories + 2 * cloned
}

const providers = ['github', 'gitlab'] as const

/** Half of them on each forge. Of six, two are polled. */
function planOrganizations({
  organizations,
  repositories,
  cloned,
  seed,
  steps,
}: BatchPlan): OrganizationPlan[] {
  const toPlan = (name: string, index: number, count: number): OrganizationPlan => ({
    name: `${name}-${index}`,
    provider: providers[index % 2] ?? 'github',
    mode: index % 6 < 4 ? 'hooks' : 'polling',
    seed: seed + index,
    repositories: count,
    pastSteps: Math.round(steps * count * PAST_SHARE),
  })
  return [
    ...Array.from({ length: organizations }, (_, index) => toPlan('acme', index, repositories)),
    ...(cloned === 0 ? [] : providers.map((_, index) => toPlan(CLONED, organizations + index, cloned))),
  ]
}

/** Steps of all histories in a random order. Kills are spread over them. */
async function runSteps(
  service: ProvedService,
  { github, gitlab }: Forges,
  organizations: readonly ConnectedOrganization[],
  { seed, steps, victims }: BatchPlan,
): Promise<void> {
  const { installation } = service
  const random = new Random(seed)
  const weighted = organizations.flatMap((one) => Array.from({ length: one.repositories }, () => one))
  let killing: Promise<void> = Promise.resolve()
  const flushSteps = Math.max(MIN_FLUSH_STEPS, 2 * organizations.length)
  const distance = Math.floor(steps / (victims.length + 1))
  for (let step = 1; step <= steps; step++) {
    random.pick(weighted).history.step()
    if (step % flushSteps === 0) {
      await Promise.all([github.hooks.flush(), gitlab.hooks.flush()])
      await letCatchUp(service, organizations)
    }
    const victim = step % distance === 0 ? victims[step / distance - 1] : undefined
    if (victim === undefined) continue
    await killing
    killing = installation.kill(victim)
  }
  await killing
  await Promise.all([github.hooks.flush(), gitlab.hooks.flush()])
}

const countMarked =
  'select count(*) as marked from connector_pull_request where root_id = any ($1) and dirty_since is not null'

/** Waits a little for the worker, so that it reads while things change. It may be dead, or rest because of a limit. */
async function letCatchUp(
  { superuser, clock }: ProvedService,
  organizations: readonly ConnectedOrganization[],
): Promise<void> {
  const roots = organizations.map(({ root }) => root)
  for (let attempt = 0; attempt < CATCH_UP_ATTEMPTS; attempt++) {
    const result = await superuser.query<{ marked: string }>(countMarked, [roots]).catch(() => null)
    if (result !== null && Number(result.rows[0]?.marked) < organizations.length) return
    await sleep(POLL_MS)
    clock.skip(SKIP_MS)
  }
}

const countDue = `select
    (select count(*) from connector where root_id = any ($1) and (inventory_due_at <= $2 or retry_at > $2 or status = 'pending'))
  + (select count(*) from connector_repository where root_id = any ($1) and active
      and (sweep_due_at <= $2 or readers_due_at <= $2 or backfill_finished_at is null))
  + (select count(*) from connector_pull_request p join connector_repository r using (root_id, connector_id, repository_id)
      where p.root_id = any ($1) and p.dirty_since is not null and r.active) as due`

const leasedTables = ['connector', 'connector_repository', 'connector_pull_request']

/** Leases follow the clock of the database, which does not move: they end earlier instead. */
async function skipTime({ superuser, clock }: ProvedService, ms: number): Promise<void> {
  clock.skip(ms)
  for (const table of leasedTables)
    await superuser.query(
      `update ${table} set lease_until = lease_until - $1 * interval '1 millisecond' where lease_owner is not null`,
      [ms],
    )
}

/** Until the worker has nothing to read, and everything that it sent is stored. */
async function waitUntilIdle(
  service: ProvedService,
  organizations: readonly ConnectedOrganization[],
): Promise<void> {
  const { installation, superuser, clock } = service
  const roots = organizations.map(({ root }) => root)
  const probe = await connectQueueProbe(installation.natsUrl, installation.busPrefix)
  const countQueued = async () => {
    const counts = await Promise.all(roots.map((root) => probe.countMessages('QUEUE', root)))
    return counts.reduce((total, count) => total + count, 0)
  }
  const deadline = Date.now() + MAX_WAIT_MS
  try {
    for (;;) {
      const { rows } = await superuser.query<{ due: string }>(countDue, [roots, new Date(clock.now())])
      const due = Number(rows[0]?.due)
      if (due === 0 && (await countQueued()) === 0) return
      if (Date.now() > deadline)
        throw new Error(
          `The connectors are not idle: ${due} tasks are due. The worker logged last:\n${installation.workerLog().slice(-MAX_LOG_CHARACTERS)}`,
        )
      await sleep(POLL_MS)
      await skipTime(service, SKIP_MS)
    }
  } finally {
    await probe.bus.close()
  }
}
