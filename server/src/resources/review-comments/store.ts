import { rootScope, type Scope } from '../../access/scope.ts'
import { storeInGroups, type WriterContext } from '../../bus/ingest/resolve.ts'
import { type DeferredEvent, type EventBatch, RetryLaterError } from '../../bus/ingest-event.ts'
import { inTransaction, type Tx } from '../../db/transaction.ts'
import { markStale } from '../../metrics-store/counts/stale-sql.ts'
import { reviewComments, reviews } from '../../metrics-store/source-sql.ts'
import { rewriteUsage } from '../../metrics-store/usage/write.ts'
import { writeDays } from '../../metrics-store/write/days-sql.ts'
import { raiseLargest, takePositions, type WriteHead } from '../../metrics-store/write/head-sql.ts'
import { toKeyString } from '../../metrics-store/write/pull-request-sql.ts'
import {
  type Decision,
  decide,
  type Group,
  groupByPullRequest,
  positionsFor,
  type StoredState,
  type WrittenRow,
} from './decide.ts'
import {
  changePullRequests,
  createPullRequests,
  type PullRequestRow,
  type ReviewRow,
  readKnownOutcomes,
  readOutcomesInForce,
  readPullRequests,
  writeChanges,
  writeOutcomes,
  writeReviews,
} from './write-sql.ts'

/** Resolves when the events are committed, but for those that belong to no organization, which are returned. */
export function storeReviewEvents(
  writer: WriterContext,
  batch: EventBatch,
): Promise<readonly DeferredEvent[]> {
  return storeInGroups(writer, batch, groupByPullRequest, storeGroups)
}

function storeGroups(
  { stores }: WriterContext,
  store: string,
  { root, organizations }: EventBatch,
  groups: readonly Group[],
): Promise<Decision['refused']> {
  const scope = rootScope(root)
  return inTransaction(stores.pool(store), scope, async (tx) => {
    const count = positionsFor(groups)
    // Asked in this order and answered in one round trip: nothing is read before the head is locked.
    const [head, state] = await Promise.all([
      takePositions(scope, tx, count),
      readStoredState(scope, tx, groups),
    ])
    if (head.state !== 'here')
      throw new RetryLaterError('The metrics of the tenant root are not in this store.')
    const decision = decide(groups, state, { base: head.position - count, organizations })
    const rewritten = [...decision.created, ...decision.changed].map((after) => ({
      before: state.rows.get(toKeyString(after)),
      after,
    }))
    const counted = rewritten.flatMap(({ before, after }) => [before, after]).filter(isCounted)
    await Promise.all([
      write(scope, tx, decision, head),
      markStale(scope, tx, counted),
      rewriteUsage(scope, tx, head, rewritten),
    ])
    return decision.refused
  })
}

async function readStoredState(scope: Scope, tx: Tx, groups: readonly Group[]): Promise<StoredState> {
  const keys = groups.map(({ key }) => key)
  const outcomes = groups.flatMap(({ key, outcomes: groupOutcomes }) =>
    groupOutcomes.map(({ event }) => ({
      ...key,
      finding_id: event.payload.finding_id,
      event_id: event.id,
      event,
    })),
  )
  const [rows, inForce, ordinals] = await Promise.all([
    readPullRequests(scope, tx, keys),
    readOutcomesInForce(scope, tx, keys),
    readKnownOutcomes(scope, tx, outcomes),
  ])
  const repeated = new Set(ordinals.map(({ place: ordinal }) => ordinal))
  return {
    rows: new Map(rows.map((row) => [toKeyString(row), row])),
    inForce: new Map(
      [...Map.groupBy(inForce, ({ place: ordinal }) => ordinal)].map(([ordinal, groupOutcomes]) => [
        groups[ordinal - 1]?.keyString ?? '',
        new Map(groupOutcomes.map((outcome) => [outcome.finding_id, outcome])),
      ]),
    ),
    repeated: new Set(outcomes.filter((_, index) => repeated.has(index + 1)).map(({ event }) => event)),
  }
}

async function write(scope: Scope, tx: Tx, decision: Decision, head: WriteHead): Promise<void> {
  const { created, changed, outcomes, changes } = decision
  const rows = [...created, ...changed]
  const entries = rows.filter(({ entry }) => entry !== null)
  await Promise.all([
    createPullRequests(scope, tx, created),
    changePullRequests(scope, tx, changed),
    writeReviews(scope, tx, created.map(toReviewRow), changed.map(toReviewRow)),
    writeDays(reviewComments, scope, tx, entries),
    writeDays(reviews.all, scope, tx, rows),
    writeOutcomes(scope, tx, outcomes),
    writeChanges(scope, tx, changes),
    raiseLargest(scope, tx, head, {
      largest_entry: entries.map(({ entry }) => entry ?? ''),
      largest_review: rows.map(({ review }) => review),
    }),
  ])
}

/** As metrics tell of findings: only of those of pull requests that were merged. */
function isCounted(row: PullRequestRow | undefined): row is PullRequestRow {
  return row !== undefined && row.entry !== null
}

function toReviewRow({ review, ...row }: WrittenRow): ReviewRow {
  return { ...row, entry: review }
}
