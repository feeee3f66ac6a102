import { createHash } from 'node:crypto'
import { rootScope } from '../../../access/scope.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'
import { githubPolicies, gitlabPolicies } from '../git-providers/budget.ts'
import {
  NotFoundError,
  type ProviderClient,
  type PullRequestHead,
  RepositoryRefusedError,
} from '../git-providers/provider-client.ts'
import { markInventoryDue } from '../hooks/sql.ts'
import { postponeAlerts } from './alerts-sql.ts'
import { recordNote } from './connector-sql.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { findSharedFailure, logOwnFailure } from './failures.ts'
import { markWaitingInstructions } from './instructions-sql.ts'
import { sendInventory } from './inventory.ts'
import { createLease, LEASE_MS } from './lease.ts'
import { markOpenAndRecent, markPullRequests } from './pull-request-sql.ts'
import { applyListedSnapshot } from './read-pull-request.ts'
import { reportAlerts } from './report-alerts.ts'
import {
  finishRepository,
  type LeasedRepository,
  type RepositoryProgress,
  type RepositoryTask,
  readPollLoad,
  renewRepository,
  restRepository,
  takeRepository,
} from './repository-sql.ts'
import { describeRefusal } from './trouble.ts'

const POLL_MS = 60_000
/** Share of the rate limit for polls: the rest is for what they find, and for the backfill. */
const POLL_SHARE = 0.25
/** Which limit a poll counts against. */
const pollBudgets = {
  github: { resource: 'graphql', windowMs: githubPolicies.graphql.windowSeconds * 1000 },
  gitlab: { resource: 'rest', windowMs: gitlabPolicies.rest.windowSeconds * 1000 },
} as const
/** The provider's clock and the order in which it makes changes visible. */
const POLL_OVERLAP_MS = 2 * 60_000
/** A sweep looks so far behind the last one, so that one failed night is not a gap. */
const SWEEP_OVERLAP_MS = 2 * DAY_MS
const RECENTLY_FINISHED_MS = 14 * DAY_MS
const SWEEP_HOUR_MS = 2 * 60 * 60_000
const SWEEP_SPREAD_MS = 3 * 60 * 60_000
const MARK_BATCH = 500
const RETRY_MS = 5 * 60_000
const MAX_PAGE_MS = LEASE_MS / 2
/** With instructions that wait for another day. */
const MAX_WAITING_PULL_REQUESTS = 20

/** Runs a task of the repository that waits longest for it. False = none is due; `postponed` = it failed. */
export async function runRepositoryTask(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  task: RepositoryTask,
): Promise<boolean | 'postponed'> {
  const scope = rootScope(connector.root)
  const repository = await inTransaction(sync.database, scope, (tx) =>
    takeRepository(scope, tx, connector.id, task, createLease(sync)),
  )
  if (repository === null) return false
  try {
    const progress = await tasks[task](sync, connector, client, repository)
    await inTransaction(sync.database, scope, (tx) =>
      finishRepository(scope, tx, connector.id, repository, sync.owner, progress),
    )
    return true
  } catch (error) {
    const shared = await findSharedFailure(error, client)
    if (shared !== null) throw shared.error
    await postpone(sync, connector, repository, task, error)
    return 'postponed'
  }
}

/** What fails in one repository is tried again later; its other tasks and other repositories do not wait for it. */
async function postpone(
  sync: SyncContext,
  connector: SyncedConnector,
  leased: LeasedRepository,
  task: RepositoryTask,
  error: unknown,
): Promise<void> {
  const repository = leased.id
  const scope = rootScope(connector.root)
  const { id } = connector
  const at = sync.now()
  const isGone = error instanceof NotFoundError
  const isRefused = error instanceof RepositoryRefusedError
  const dueAt = new Date(at.getTime() + (isGone || isRefused ? HOUR_MS : RETRY_MS))
  if (!isGone && !isRefused) logOwnFailure(sync, connector, { repository, task }, error)
  await inTransaction(sync.database, scope, async (tx) => {
    if (isRefused) await recordNote(scope, tx, id, describeRefusal(connector))
    // It was deleted or taken away: the inventory finds out.
    if (isGone) await markInventoryDue(scope, tx, id, at)
    if (isGone || task === 'backfill')
      return await restRepository(scope, tx, id, repository, { owner: sync.owner, until: dueAt })
    if (task === 'alerts') await postponeAlerts(scope, tx, id, repository, { owner: sync.owner, dueAt })
    await finishRepository(scope, tx, id, leased, sync.owner, {
      ...(task === 'poll' && { poll_due_at: dueAt }),
      ...(task === 'sweep' && { sweep_due_at: dueAt }),
      ...(task === 'readers' && { readers_due_at: dueAt }),
    })
  })
}

type RunTask = (
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  repository: LeasedRepository,
) => Promise<RepositoryProgress>

const tasks: Readonly<Record<RepositoryTask, RunTask>> = {
  readers: reportReaders,
  async poll(sync, connector, client, repository) {
    const since = Date.parse(repository.polled_to) - POLL_OVERLAP_MS
    const polled_to = await markUpdated(sync, connector, client, repository, { since, always: false })
    const dueAt = new Date(sync.now().getTime() + (await getPollInterval(sync, connector)))
    return { polled_to, poll_due_at: dueAt }
  },
  async sweep(sync, connector, client, repository) {
    const scope = rootScope(connector.root)
    const since = Date.parse(repository.polled_to) - SWEEP_OVERLAP_MS
    const polled_to = await markUpdated(sync, connector, client, repository, { since, always: true })
    const at = sync.now()
    const finishedAfter = new Date(at.getTime() - RECENTLY_FINISHED_MS)
    const { id, organization } = connector
    await inTransaction(sync.database, scope, async (tx) => {
      await markOpenAndRecent(scope, tx, id, repository.id, { at, finishedAfter })
      const key = { organization, repository: repository.id, connector: id }
      await markWaitingInstructions(scope, tx, key, { at, limit: MAX_WAITING_PULL_REQUESTS })
    })
    return { polled_to, sweep_due_at: toNextNight(at, repository.id) }
  },
  alerts: reportAlerts,
  backfill: backfillPage,
}

/** A minute, or longer for so many repositories that their polls would use up the rate limit. */
async function getPollInterval(sync: SyncContext, { id, root, provider }: SyncedConnector): Promise<number> {
  const scope = rootScope(root)
  const { resource, windowMs } = pollBudgets[provider]
  const { repositories, limit } = await readScoped(sync.database, scope, (tx) =>
    readPollLoad(scope, tx, id, resource),
  )
  return limit === null ? POLL_MS : Math.max(POLL_MS, (repositories * windowMs) / (limit * POLL_SHARE))
}

/** Marks what was updated since a time. Returns the latest update that it saw. */
async function markUpdated(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  repository: LeasedRepository,
  { since, always }: { readonly since: number; readonly always: boolean },
): Promise<string> {
  const scope = rootScope(connector.root)
  let latest = repository.polled_to
  // A pull request that moves to the front while pages are read is listed twice. One statement must not mark it twice.
  const heads = new Map<number, PullRequestHead>()
  const mark = async () => {
    await inTransaction(sync.database, scope, async (tx) => {
      await renewRepository(scope, tx, connector.id, repository.id, createLease(sync))
      const batch = [...heads.values()]
      await markPullRequests(scope, tx, connector.id, repository.id, batch, { at: sync.now(), always })
    })
    heads.clear()
  }
  for await (const { number, updatedAt } of client.listUpdated(repository, new Date(since).toISOString())) {
    heads.set(number, { number, updatedAt })
    if (Date.parse(updatedAt) > Date.parse(latest)) latest = updatedAt
    if (heads.size === MARK_BATCH) await mark()
  }
  await mark()
  return latest
}

/**
 * Reads a page of earlier pull requests, oldest first. Their order does not change while they are read, which an order by
 * update does. What changes meanwhile is found by the sweep that follows the last page.
 */
async function backfillPage(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  repository: LeasedRepository,
): Promise<RepositoryProgress> {
  const scope = rootScope(connector.root)
  const { backfill_cursor: after, backfill_since: since } = repository
  const startedAt = performance.now()
  const late: number[] = []
  const page = await client.listCreated(repository, { after, since })
  for (const snapshot of page.pullRequests) {
    // The deadline of the step would have the whole page read again: these are read one by one.
    if (performance.now() - startedAt > MAX_PAGE_MS) {
      late.push(snapshot.number)
      continue
    }
    if (!(await renewLease(sync, connector, repository))) return {}
    await applyListedSnapshot(sync, connector, client, snapshot)
  }
  const at = sync.now()
  const heads = [...page.failed, ...late].map((number) => ({ number, updatedAt: at.toISOString() }))
  await inTransaction(sync.database, scope, (tx) =>
    markPullRequests(scope, tx, connector.id, repository.id, heads, { at, always: true }),
  )
  const progress = {
    backfill_cursor: page.after,
    backfill_done: page.examined,
    backfill_total: page.total,
  }
  if (page.after !== null) return progress
  return { ...progress, backfill_finished_at: at, sweep_due_at: at }
}

async function reportReaders(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  repository: LeasedRepository,
): Promise<RepositoryProgress> {
  const members = new Set(connector.members)
  // Not more than members, however many the provider lists, and how often.
  const now = new Set<string>()
  for await (const { id } of client.listAccess(repository)) if (members.has(id)) now.add(id)
  const readers = [...now]
  const toAccess = (granted: boolean) => (account_id: string) => ({
    repository_id: repository.id,
    account_id,
    granted,
  })
  const lost = repository.readers.filter((id) => members.has(id) && !now.has(id))
  if (!(await renewLease(sync, connector, repository))) return {}
  await sendInventory(sync, connector, {
    repository_access: [...readers.map(toAccess(true)), ...lost.map(toAccess(false))],
  })
  return { readers, readers_due_at: new Date(sync.now().getTime() + DAY_MS) }
}

/** False = the lease ran out, and another worker does the task. */
async function renewLease(
  sync: SyncContext,
  { id, root }: SyncedConnector,
  repository: LeasedRepository,
): Promise<boolean> {
  const scope = rootScope(root)
  return await inTransaction(sync.database, scope, (tx) =>
    renewRepository(scope, tx, id, repository.id, createLease(sync)),
  )
}

/** Between 2 and 5 o'clock UTC, always at the same time for one repository. */
function toNextNight(at: Date, repository: string): Date {
  const spread = createHash('sha256').update(repository).digest().readUInt16BE(0) / 2 ** 16
  const offset = SWEEP_HOUR_MS + spread * SWEEP_SPREAD_MS
  const today = Math.floor(at.getTime() / DAY_MS) * DAY_MS + offset
  return new Date(today > at.getTime() ? today : today + DAY_MS)
}
