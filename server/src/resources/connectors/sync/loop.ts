import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../../../access/scope.ts'
import type { RunningTask } from '../../../bus/context.ts'
import { fencePool, inTransaction, readScoped } from '../../../db/transaction.ts'
import { FairSlots, type Release } from '../../../http/connections/slots.ts'
import { DAY_MS } from '../../../time.ts'
import type { WorkClass } from '../git-providers/provider-client.ts'
import {
  countFailures,
  type DueConnector,
  readDueConnectors,
  readDueConnectorsUnscoped,
  readSyncedConnector,
  recordSuccess,
  recordTrouble,
  releaseTasks,
} from './connector-sql.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { DeadlineExceededError } from './errors.ts'
import { reportInventory } from './inventory.ts'
import { LEASE_MS } from './lease.ts'
import { readNextPullRequest } from './read-pull-request.ts'
import { runRepositoryTask } from './repository-tasks.ts'
import { describeDefect, describeTrouble } from './trouble.ts'

const IDLE_MS = 1000
type StepKind = WorkClass | 'inventory'

/** Of live steps half of the database connections of a process, so that event consumers get one while many roots are idle. */
const PARALLEL_STEPS: Readonly<Record<StepKind, number>> = { live: 6, inventory: 2, backfill: 2 }
/**
 * A live step is one pull request or one list, of seconds: a few tenants whose providers hang must not hold all slots for long.
 * The others read many pages. A step that outlives its lease would be done twice.
 */
const MAX_STEP_MS: Readonly<Record<StepKind, number>> = {
  live: 2 * 60_000,
  inventory: LEASE_MS,
  backfill: LEASE_MS,
}
const DEFECT_RETRY_MS = 5 * 60_000

/** What all turns of one scheduler share. */
interface Scheduler {
  readonly sync: SyncContext
  /**
   * A root holds one, and only for a step: slow roots delay others by the deadline of a step at most. Inventories, which read
   * many pages, and backfills, which wait for rate limits, do not take those of live work.
   */
  readonly slots: Readonly<Record<StepKind, FairSlots>>
  readonly maxStepMs: Readonly<Record<StepKind, number>>
  readonly stopping: AbortSignal | null
}

interface SchedulerOptions {
  readonly maxStepMs?: Partial<Record<StepKind, number>>
}

function createScheduler(
  sync: SyncContext,
  stopping: AbortSignal | null,
  { maxStepMs }: SchedulerOptions,
): Scheduler {
  const createSlots = (kind: StepKind) => new FairSlots({ slots: PARALLEL_STEPS[kind], perOwner: 1 })
  const slots = {
    live: createSlots('live'),
    inventory: createSlots('inventory'),
    backfill: createSlots('backfill'),
  }
  return { sync, slots, maxStepMs: { ...MAX_STEP_MS, ...maxStepMs }, stopping }
}

/** Serves all connectors until it is stopped. Any number of workers may run it. */
export function startSync(sync: SyncContext, options: SchedulerOptions = {}): RunningTask {
  const stopping = new AbortController()
  const stopped = serveRoots(createScheduler(sync, stopping.signal, options), stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await stopped
    },
  }
}

/** Roots do not wait for each other: the next pass of a root starts when its own last one has ended. */
async function serveRoots(scheduler: Scheduler, stopping: AbortSignal): Promise<void> {
  const { sync } = scheduler
  const serving = new Map<string, Promise<void>>()
  while (!stopping.aborted) {
    const due = await readDueConnectorsUnscoped(sync.database, sync.now()).catch((err: unknown) => {
      sync.log.warn({ err }, 'could not read the connectors; retrying')
      return []
    })
    for (const [root, connectors] of Map.groupBy(due, ({ root_id }) => root_id)) {
      if (serving.has(root)) continue
      const served = serveUntilIdle(scheduler, connectors).finally(() => serving.delete(root))
      serving.set(root, served)
    }
    await sleep(IDLE_MS, undefined, { signal: stopping }).catch(() => {})
  }
  await Promise.all(serving.values())
}

async function serveUntilIdle(scheduler: Scheduler, first: readonly DueConnector[]): Promise<void> {
  const { database, now, log } = scheduler.sync
  const root = first[0]?.root_id
  if (root === undefined) return
  const scope = rootScope(root)
  try {
    for (let due = first; await servePass(scheduler, due); )
      due = await readScoped(database, scope, (tx) => readDueConnectors(scope, tx, now()))
  } catch (err) {
    log.warn({ err, root }, 'could not serve the connectors of a tenant; retrying')
  }
}

/** Every connector of a root gets one turn. Returns whether there was anything to do. */
async function servePass(scheduler: Scheduler, due: readonly DueConnector[]): Promise<boolean> {
  let worked = false
  for (const connector of due) {
    if (scheduler.stopping?.aborted) return false
    if (await takeTurn(scheduler, connector)) worked = true
  }
  return worked
}

/** One turn for each connector: for tests and simulations, which decide when the next one comes. */
export async function runRound(sync: SyncContext, options: SchedulerOptions = {}): Promise<boolean> {
  const scheduler = createScheduler(sync, null, options)
  const due = await readDueConnectorsUnscoped(sync.database, sync.now())
  const roots = [...Map.groupBy(due, ({ root_id }) => root_id).values()]
  const worked = await Promise.all(roots.map((connectors) => servePass(scheduler, connectors)))
  return worked.includes(true)
}

/** False = nothing is due. `postponed` = what was due failed by itself, and is tried again later. */
type Step = (sync: SyncContext, connector: SyncedConnector) => Promise<boolean | 'postponed'>

/** Live work first. Then one page of the backfill, which has a share of the rate limit of its own. */
const liveSteps: readonly Step[] = [
  (sync, connector) => readNextPullRequest(sync, connector, sync.createClient(connector, 'live')),
  (sync, connector) => runRepositoryTask(sync, connector, sync.createClient(connector, 'live'), 'poll'),
  (sync, connector) => runRepositoryTask(sync, connector, sync.createClient(connector, 'live'), 'sweep'),
  (sync, connector) => runRepositoryTask(sync, connector, sync.createClient(connector, 'live'), 'readers'),
  async (sync, connector) =>
    // GitLab has no such alerts.
    connector.provider === 'github' &&
    (await runRepositoryTask(sync, connector, sync.createClient(connector, 'live'), 'alerts')),
]

async function takeTurn(scheduler: Scheduler, due: DueConnector): Promise<boolean> {
  const { database } = scheduler.sync
  const scope = rootScope(due.root_id)
  const connector = await readScoped(database, scope, (tx) => readSyncedConnector(scope, tx, due.id))
  if (connector === null) return false
  // What follows needs the members that it stores.
  const reported = await runStep(scheduler, connector, 'inventory', (sync) =>
    reportInventory(sync, connector, sync.createClient(connector, 'live')),
  )
  if (reported !== false) return reported === true
  let worked = false
  for (const step of liveSteps) {
    const result = await runStep(scheduler, connector, 'live', step)
    if (result === 'failed') return worked
    worked ||= result
  }
  if (!due.backfill_due) return worked
  const backfilled = await runStep(scheduler, connector, 'backfill', (sync) =>
    runRepositoryTask(sync, connector, sync.createClient(connector, 'backfill'), 'backfill'),
  )
  return worked || backfilled === true
}

/** A failure is recorded where the admin sees it, and the connector rests. */
async function runStep(
  { sync, slots, maxStepMs, stopping }: Scheduler,
  connector: SyncedConnector,
  kind: StepKind,
  step: Step,
): Promise<boolean | 'failed'> {
  const { id, root } = connector
  const scope = rootScope(root)
  const work = kind === 'backfill' ? 'backfill' : 'live'
  const release = await takeSlot(slots[kind], kind, connector)
  if (release === null) return false
  try {
    if (stopping?.aborted) return 'failed'
    const result = await runUntilDeadline(sync, connector, maxStepMs[kind], step)
    if (result === true)
      await inTransaction(sync.database, scope, (tx) => recordSuccess(scope, tx, id, work === 'backfill'))
    return result !== false
  } catch (error) {
    await recordFailure(sync, connector, work, error).catch((err: unknown) => {
      sync.log.error({ err, connector: id, root }, 'could not record the failure of a connector')
    })
    return 'failed'
  } finally {
    release()
  }
}

/** Null = an inventory that is only read again does not wait for a slot, because live work would wait with it. */
async function takeSlot(
  slots: FairSlots,
  kind: StepKind,
  { root, inventorySentAt }: SyncedConnector,
): Promise<Release | null> {
  if (kind !== 'inventory' || inventorySentAt === null) return await slots.takeWhenFree(root, DAY_MS)
  try {
    return slots.take(root)
  } catch {
    return null
  }
}

/** After the deadline its requests are aborted and it writes nothing more, whatever it still waits for. */
async function runUntilDeadline(
  sync: SyncContext,
  connector: SyncedConnector,
  maxStepMs: number,
  step: Step,
): Promise<boolean | 'postponed'> {
  const deadline = new AbortController()
  const { signal } = deadline
  const expired = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new DeadlineExceededError()
    deadline.abort(error)
    expired.reject(error)
  }, maxStepMs).unref()
  const limited: SyncContext = {
    ...sync,
    signal,
    database: fencePool(sync.database, signal),
    createClient: (one, work) => sync.createClient(one, work, signal),
  }
  try {
    return await Promise.race([step(limited, connector), expired.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function recordFailure(
  sync: SyncContext,
  connector: SyncedConnector,
  work: WorkClass,
  error: unknown,
): Promise<void> {
  const { id, root } = connector
  const scope = rootScope(root)
  const at = sync.now()
  const trouble = await inTransaction(sync.database, scope, async (tx) => {
    const failures = await countFailures(scope, tx, id)
    const described = describeTrouble(error, connector, { failures, at, work })
    await releaseTasks(scope, tx, id, sync.owner)
    await recordTrouble(
      scope,
      tx,
      id,
      described ?? {
        status: 'failing',
        error:
          'The connector failed for a reason that only the operator can see. It is tried again by itself.',
        retryAt: new Date(at.getTime() + DEFECT_RETRY_MS),
        ofBackfill: false,
      },
    )
    return described
  })
  if (trouble === null)
    sync.log.error({ connector: id, root, ...describeDefect(error) }, 'a connector failed')
}
