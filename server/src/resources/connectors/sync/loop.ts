import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../../../access/scope.ts'
import type { RunningTask } from '../../../bus/context.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import type { WorkClass } from '../forge/forge-client.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { reportInventory } from './inventory.ts'
import { readNextPullRequest } from './read-pull-request.ts'
import { runRepositoryTask } from './repository-tasks.ts'
import {
  countFailures,
  type DueConnector,
  readDueConnectorsUnscoped,
  readSyncedConnector,
  recordSuccess,
  recordTrouble,
  releaseTasks,
} from './sql.ts'
import { describeDefect, describeTrouble } from './trouble.ts'

const IDLE_MS = 1000
/** Connectors of different tenants that one process serves at a time. */
const PARALLEL_ROOTS = 4
const DEFECT_RETRY_MS = 5 * 60_000

/** Serves all connectors until it is stopped. Any number of workers may run it. */
export function startSync(sync: SyncContext): RunningTask {
  const stopping = new AbortController()
  const stopped = repeat(sync, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await stopped
    },
  }
}

async function repeat(sync: SyncContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const worked = await runRound(sync, signal).catch((err: unknown) => {
      sync.log.warn({ err }, 'could not read the connectors; retrying')
      return false
    })
    if (!worked) await sleep(IDLE_MS, undefined, { signal }).catch(() => {})
  }
}

/**
 * Every connector gets one turn. Roots run side by side, those of one root one after the other, so that a root with many
 * connectors does not delay another. Returns whether there was anything to do.
 */
export async function runRound(sync: SyncContext, signal?: AbortSignal): Promise<boolean> {
  const due = await readDueConnectorsUnscoped(sync.database, sync.now())
  const roots = [...Map.groupBy(due, ({ root_id }) => root_id).values()]
  let worked = false
  const serve = async () => {
    for (let group = roots.shift(); group !== undefined; group = roots.shift())
      for (const connector of group) {
        if (signal?.aborted) return
        if (await takeTurn(sync, connector)) worked = true
      }
  }
  await Promise.all(Array.from({ length: PARALLEL_ROOTS }, serve))
  return worked
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

async function takeTurn(sync: SyncContext, due: DueConnector): Promise<boolean> {
  const scope = rootScope(due.root_id)
  const connector = await readScoped(sync.database, scope, (tx) => readSyncedConnector(scope, tx, due.id))
  if (connector === null) return false
  // What follows needs the members that it stores.
  const reported = await runStep(sync, connector, 'live', () =>
    reportInventory(sync, connector, sync.createClient(connector, 'live')),
  )
  if (reported !== false) return reported === true
  let worked = false
  for (const step of liveSteps) {
    const result = await runStep(sync, connector, 'live', step)
    if (result === 'failed') return worked
    worked ||= result
  }
  if (!due.backfill_due) return worked
  const backfilled = await runStep(sync, connector, 'backfill', () =>
    runRepositoryTask(sync, connector, sync.createClient(connector, 'backfill'), 'backfill'),
  )
  return worked || backfilled === true
}

/** A failure is recorded where the admin sees it, and the connector rests. */
async function runStep(
  sync: SyncContext,
  connector: SyncedConnector,
  work: WorkClass,
  step: Step,
): Promise<boolean | 'failed'> {
  const scope = rootScope(connector.root)
  const { id, root } = connector
  try {
    const result = await step(sync, connector)
    if (result === true)
      await inTransaction(sync.database, scope, (tx) => recordSuccess(scope, tx, id, work === 'backfill'))
    return result !== false
  } catch (error) {
    const at = sync.now()
    await inTransaction(sync.database, scope, async (tx) => {
      const failures = await countFailures(scope, tx, id)
      const trouble = describeTrouble(error, connector, { failures, at, work })
      await releaseTasks(scope, tx, id, sync.owner)
      await recordTrouble(
        scope,
        tx,
        id,
        trouble ?? {
          status: 'failing',
          error:
            'The connector failed for a reason that only the operator can see. It is tried again by itself.',
          retryAt: new Date(at.getTime() + DEFECT_RETRY_MS),
          ofBackfill: false,
        },
      )
      if (trouble !== null) return
      sync.log.error({ connector: id, root, ...describeDefect(error) }, 'a connector failed')
    })
    return 'failed'
  }
}
