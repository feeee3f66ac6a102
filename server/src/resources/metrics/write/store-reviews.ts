import { rootScope, type Scope } from '../../../access/scope.ts'
import { type DeferredEvent, type EventBatch, RetryLaterError } from '../../../bus/ingest-event.ts'
import {
  deferUnresolved,
  type ResolvedEvent,
  resolveEvents,
  splitIntoWrites,
  type WriterContext,
} from '../../../bus/queue/resolve.ts'
import { readRootStore } from '../../../bus/queue/sql.ts'
import type { Pool } from '../../../db/connect.ts'
import { inTransaction, readScoped, type Tx } from '../../../db/transaction.ts'
import type { RootId } from '../../../ids.ts'
import { reviewCommentsSource } from '../../../metrics-store/source-sql.ts'
import { writeDays } from '../../../metrics-store/write/days-sql.ts'
import { raiseLargest, reservePositions, type WriteHead } from '../../../metrics-store/write/head-sql.ts'
import { writeChanges } from '../review-comments/sql.ts'
import {
  countPositions,
  groupByPullRequest,
  type PullRequestGroup,
  planWrites,
  type RepositoryNames,
  type ReviewWritePlan,
  type StoredOutcomes,
  type StoredState,
  toRepositoryKey,
} from './decide.ts'
import type { OutcomeEvent, ReviewEvent } from './review-payload.ts'
import {
  addToWeeks,
  type CurrentOutcomeRow,
  changeDocuments,
  changeFindings,
  createPullRequests,
  readCurrentOutcomes,
  readFindings,
  readKnownOutcomes,
  readPullRequests,
  readRepositoryNames,
  rewritePullRequests,
  writeOutcomes,
} from './sql.ts'
import { rewriteUsage } from './store-mcp-usage.ts'

/** Commits the events and returns those whose organization cannot be resolved. */
export async function storeReviewEvents(
  writer: WriterContext,
  batch: EventBatch,
): Promise<readonly DeferredEvent[]> {
  const { store, events, deferred } = await resolveEvents<ReviewEvent>(writer, batch)
  const names = await findRepositoryNames(writer, rootScope(batch.root), events)
  const refused: ReviewEvent[] = []
  for (const groups of splitIntoWrites(groupByPullRequest(batch.root, events)))
    refused.push(...(await writeGroups(writer.stores.pool(store), batch, groups, names)))
  return [...deferred, ...deferUnresolved(refused)]
}

/** Commits an outcome of a known organization. */
export async function storeOutcome(
  { database, stores }: Pick<WriterContext, 'database' | 'stores'>,
  root: RootId,
  outcome: ResolvedEvent<OutcomeEvent>,
): Promise<void> {
  const scope = rootScope(root)
  const { store, moving } = await readScoped(database, scope, (tx) => readRootStore(scope, tx))
  if (moving) throw new RetryLaterError('The metrics of the tenant root are being moved to another store.')
  await writeGroups(
    stores.pool(store),
    { root, organizations: null },
    groupByPullRequest(root, [outcome]),
    new Map(),
  )
}

/** The names in the inventory of repositories whose events omit them. */
async function findRepositoryNames(
  { database }: WriterContext,
  scope: Scope,
  events: readonly ResolvedEvent<ReviewEvent>[],
): Promise<RepositoryNames> {
  const repositories = new Map(
    events.flatMap(({ event, organization: { organization_id } }) => {
      const { id } = event.payload.repository
      const isUnnamed = event.type === 'pull_request.finalized' && event.payload.repository.name === null
      return isUnnamed ? [[toRepositoryKey(organization_id, id), { organization_id, repository_id: id }]] : []
    }),
  )
  if (repositories.size === 0) return new Map()
  const rows = await readScoped(database, scope, (tx) =>
    readRepositoryNames(scope, tx, [...repositories.values()]),
  )
  return new Map(rows.map((row) => [toRepositoryKey(row.organization_id, row.repository_id), row.name]))
}

/** Loads, decides and writes in one transaction; returns the refused events. */
function writeGroups(
  pool: Pool,
  { root, organizations }: Pick<EventBatch, 'root' | 'organizations'>,
  groups: readonly PullRequestGroup[],
  repositoryNames: RepositoryNames,
): Promise<ReviewWritePlan['refused']> {
  const scope = rootScope(root)
  return inTransaction(pool, scope, async (tx) => {
    const count = countPositions(groups)
    // Sent in this order in one round trip: the head is locked before anything is read.
    const [head, state] = await Promise.all([
      reservePositions(scope, tx, count),
      readStoredState(scope, tx, groups),
    ])
    if (head.state !== 'active')
      throw new RetryLaterError('The metrics of the tenant root are not in this store.')
    const plan = planWrites(groups, state, {
      basePosition: head.position - count,
      organizations,
      repositoryNames,
    })
    await writePlan(scope, tx, plan, head)
    return plan.refused
  })
}

async function readStoredState(
  scope: Scope,
  tx: Tx,
  groups: readonly PullRequestGroup[],
): Promise<StoredState> {
  const keys = groups.map(({ key }) => ({ pull_request_key: key }))
  const outcomes = groups.flatMap(({ key, outcomes: groupOutcomes }) =>
    groupOutcomes.map(({ event }) => ({
      pull_request_key: key,
      finding_id: event.payload.finding_id,
      event_id: event.id,
      event,
    })),
  )
  const [rows, findings, currentOutcomes, known] = await Promise.all([
    readPullRequests(scope, tx, keys),
    readFindings(scope, tx, keys),
    readCurrentOutcomes(scope, tx, keys),
    readKnownOutcomes(scope, tx, outcomes),
  ])
  const findingsByKey = Map.groupBy(findings, ({ pull_request_key }) => pull_request_key)
  const knownTimes = new Map(known.map(({ input_number, at }) => [input_number, at]))
  return {
    pullRequests: new Map(
      rows.map((row) => [
        row.pull_request_key,
        { row, findings: findingsByKey.get(row.pull_request_key) ?? [] },
      ]),
    ),
    currentOutcomes: new Map(
      [...Map.groupBy(currentOutcomes, ({ pull_request_key }) => pull_request_key)].map(
        ([key, groupOutcomes]) => [key, toOutcomesBySource(groupOutcomes)],
      ),
    ),
    duplicates: new Set(
      outcomes
        .filter(({ event }, index) => (knownTimes.get(index + 1) ?? '') >= event.occurred_at)
        .map(({ event }) => event),
    ),
  }
}

function toOutcomesBySource(rows: readonly CurrentOutcomeRow[]): StoredOutcomes {
  return new Map(
    [...Map.groupBy(rows, ({ finding_id }) => finding_id)].map(([id, outcomes]) => [
      id,
      new Map(outcomes.map((outcome) => [outcome.source, { ...outcome, evidence: outcome.evidence ?? [] }])),
    ]),
  )
}

async function writePlan(scope: Scope, tx: Tx, plan: ReviewWritePlan, head: WriteHead): Promise<void> {
  const { created, rewritten, findings, documents, outcomes, changes, weeks } = plan
  const placed = [...created, ...rewritten].map(({ row }) => row)
  const rendered = [...created, ...rewritten, ...documents]
  await Promise.all([
    createPullRequests(scope, tx, created),
    rewritePullRequests(scope, tx, rewritten),
    changeFindings(scope, tx, findings),
    changeDocuments(scope, tx, documents),
    addToWeeks(scope, tx, weeks),
    writeDays(reviewCommentsSource, scope, tx, placed),
    writeOutcomes(scope, tx, outcomes),
    writeChanges(scope, tx, changes),
    raiseLargest(scope, tx, head, {
      largest_entry: rendered.map(({ entry }) => entry ?? ''),
      largest_review: rendered.map(({ review }) => review),
    }),
    rewriteUsage(scope, tx, head, placed),
  ])
}
