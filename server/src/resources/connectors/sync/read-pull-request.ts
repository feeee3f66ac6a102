import { rootScope } from '../../../access/scope.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { HOUR_MS } from '../../../time.ts'
import {
  NotFoundError,
  type ProviderClient,
  ProviderUnavailableError,
  RepositoryRefusedError,
} from '../git-providers/provider-client.ts'
import { markInventoryDue } from '../hooks/sql.ts'
import { markOwnBots } from '../parsers/bots.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import { recordEvent, recordGitError } from './connector-sql.ts'
import type { SyncContext, SyncedConnector } from './context.ts'
import { computeDigest, findDeleted, toPullRequestEvents, toSeenFindings, toSentEvents } from './events.ts'
import { findSharedFailure, logOwnFailure } from './failures.ts'
import { createLease } from './lease.ts'
import { forgetInstructions, proposeInstructions } from './propose-instructions.ts'
import {
  finishPullRequest,
  forgetPullRequest,
  type LeasedPullRequest,
  markPullRequests,
  postponePullRequest,
  reserveOccurredAt,
  takeNamedPullRequest,
  takePullRequest,
} from './pull-request-sql.ts'

const RETRY_MS = 60_000
const MAX_RETRY_MS = 24 * 60 * 60_000
const WRITE_RETRY_MS = 15 * 60_000

/**
 * Reads the pull request that waits longest. Those that failed come last, so that one which never completes stops no
 * others. False = none waits; `postponed` = it could not be read.
 */
export async function readNextPullRequest(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
): Promise<boolean | 'postponed'> {
  const scope = rootScope(connector.root)
  const leased = await inTransaction(sync.database, scope, (tx) =>
    takePullRequest(scope, tx, connector.id, createLease(sync)),
  )
  if (leased === null) return false
  const isRead = await withLease(sync, connector, client, leased, async () => {
    const read = await client.readPullRequest(leased.repository, leased.number)
    if (read === null)
      await inTransaction(sync.database, scope, async (tx) => {
        await forgetPullRequest(scope, tx, connector.id, leased, sync.owner)
        await forgetInstructions(scope, tx, connector, leased)
      })
    else {
      const snapshot = markOwnBots(read, connector.bots)
      const isWritten = await writeBack(sync, connector, client, snapshot)
      await applySnapshot(sync, connector, client, leased, snapshot)
      if (!isWritten) await markAgain(sync, connector, leased, WRITE_RETRY_MS)
    }
  })
  return isRead || 'postponed'
}

/** False = the Git provider failed. What was read is reported nevertheless. */
async function writeBack(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  snapshot: PullRequestSnapshot,
): Promise<boolean> {
  try {
    await sync.writeBack?.(connector, client, snapshot, sync.signal)
    return true
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error
    const { repository, number } = snapshot
    logOwnFailure(sync, connector, { repository: repository.id, number }, error)
    return false
  }
}

async function markAgain(
  { database, now }: SyncContext,
  { id, root }: SyncedConnector,
  { repository, number }: LeasedPullRequest,
  delayMs: number,
): Promise<void> {
  const scope = rootScope(root)
  const at = new Date(now().getTime() + delayMs)
  const heads = [{ number, updatedAt: at.toISOString() }]
  await inTransaction(database, scope, (tx) =>
    markPullRequests(scope, tx, id, repository.id, heads, { at, always: true }),
  )
}

/** For pages of the backfill. What somebody else reads at the same time is marked, and read again. */
export async function applyListedSnapshot(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  snapshot: PullRequestSnapshot,
): Promise<void> {
  const scope = rootScope(connector.root)
  const { number, updatedAt } = snapshot
  const repository = snapshot.repository.id
  const leased = await inTransaction(sync.database, scope, async (tx) => {
    const taken = await takeNamedPullRequest(
      scope,
      tx,
      connector.id,
      { repository, number },
      createLease(sync),
    )
    if (taken === null)
      await markPullRequests(scope, tx, connector.id, repository, [{ number, updatedAt }], {
        at: sync.now(),
        always: true,
      })
    return taken
  })
  if (leased === null) return
  const marked = markOwnBots(snapshot, connector.bots)
  await withLease(sync, connector, client, leased, () =>
    applySnapshot(sync, connector, client, leased, marked),
  )
}

/** A pull request that cannot be read or understood waits longer each time; it does not stop others. False = it failed. */
async function withLease(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  leased: LeasedPullRequest,
  work: () => Promise<void>,
): Promise<boolean> {
  const scope = rootScope(connector.root)
  try {
    await work()
    return true
  } catch (error) {
    const shared = await findSharedFailure(error, client)
    // Its repository was deleted or taken away: the inventory finds out, and others are read meanwhile.
    const isGone = error instanceof NotFoundError
    const isResting = isGone || error instanceof RepositoryRefusedError
    const failed = shared === null && !isResting
    const delayMs = failed ? Math.min(RETRY_MS * 2 ** leased.failures, MAX_RETRY_MS) : isResting ? HOUR_MS : 0
    const dueAt = new Date(sync.now().getTime() + delayMs)
    await inTransaction(sync.database, scope, async (tx) => {
      const { repository, number } = leased
      const heads = [{ number, updatedAt: dueAt.toISOString() }]
      await markPullRequests(scope, tx, connector.id, repository.id, heads, { at: sync.now(), always: true })
      await postponePullRequest(scope, tx, connector.id, leased, sync.owner, { dueAt, failed })
      if (isGone) await markInventoryDue(scope, tx, connector.id, sync.now())
    })
    if (shared !== null) throw shared.error
    const { repository, number } = leased
    if (failed) logOwnFailure(sync, connector, { repository: repository.id, number }, error)
    return false
  }
}

/** Sends events if what they say has changed. */
async function applySnapshot(
  sync: SyncContext,
  connector: SyncedConnector,
  client: ProviderClient,
  leased: LeasedPullRequest,
  snapshot: PullRequestSnapshot,
): Promise<void> {
  const scope = rootScope(connector.root)
  const { database, owner } = sync
  const { review, instructions } = await sync.parseComments(snapshot, connector.bots)
  await proposeInstructions(sync, connector, client, snapshot, instructions)
  const isOpen = snapshot.state === 'open'
  const outcomes = isOpen
    ? []
    : await sync.detectOutcomes(connector, client, snapshot, review, {
        failures: leased.failures,
        signal: sync.signal,
        recordGitError: (error) =>
          inTransaction(database, scope, (tx) => recordGitError(scope, tx, connector.id, error)),
      })
  const deleted = findDeleted(leased.seen_findings, snapshot, review)
  const events = toPullRequestEvents(connector, snapshot, review, outcomes, deleted)
  const digest = isOpen ? null : computeDigest(events)
  const isChanged = digest !== null && !(leased.digest?.equals(digest) ?? false)
  if (isChanged) {
    // Reserved before it is sent: should this process be killed in between, the next one sends a later time.
    const occurredAt = await inTransaction(database, scope, (tx) =>
      reserveOccurredAt(scope, tx, connector.id, leased, owner, snapshot.readAt),
    )
    if (occurredAt === null) return
    sync.signal?.throwIfAborted()
    await sync.sendEvents(connector, toSentEvents(events, digest, occurredAt))
    if (leased.digest === null) observeLag(sync, connector, snapshot)
  }
  await inTransaction(database, scope, async (tx) => {
    await finishPullRequest(scope, tx, connector.id, leased, owner, {
      state: snapshot.state,
      finished_at: snapshot.mergedAt ?? snapshot.closedAt,
      digest,
      read_at: snapshot.readAt,
      unparsed_comments: review.unparsedComments,
      omitted_comments: snapshot.omittedComments ?? 0,
      seen_findings: isOpen && !snapshot.omittedComments ? toSeenFindings(snapshot, review, deleted) : null,
      at: sync.now(),
    })
    if (isChanged) await recordEvent(scope, tx, connector.id, sync.now())
  })
}

/** Pull requests that ended before they were connected are read at the pace of the backfill. */
function observeLag(
  sync: SyncContext,
  connector: SyncedConnector,
  { mergedAt, closedAt }: PullRequestSnapshot,
): void {
  const endedAt = Date.parse(mergedAt ?? closedAt ?? '')
  if (endedAt >= Date.parse(connector.createdAt))
    sync.observeLag?.(Math.max(0, sync.now().getTime() - endedAt) / 1000)
}
