import { rootScope, type Scope } from '../../../access/scope.ts'
import { type DeferredEvent, type EventBatch, RetryLaterError } from '../../../bus/ingest-event.ts'
import {
  deferUnresolved,
  type ResolvedEvent,
  resolveEvents,
  splitIntoWrites,
  type WriterContext,
} from '../../../bus/queue/resolve.ts'
import type { Pool } from '../../../db/connect.ts'
import { inTransaction, type Tx } from '../../../db/transaction.ts'
import type { RootId } from '../../../ids.ts'
import { mcpUsageSource } from '../../../metrics-store/source-sql.ts'
import { writeDays } from '../../../metrics-store/write/days-sql.ts'
import { raiseLargest, reservePositions, type WriteHead } from '../../../metrics-store/write/head-sql.ts'
import { type PullRequestKey, toPullRequestKey } from '../../../metrics-store/write/pull-request-sql.ts'
import {
  readKnownEvents,
  readUsage,
  readUsedPullRequests,
  type StoredUsage,
  type UsageEventRow,
  type UsagePullRequest,
  type UsageRow,
  upsertUsageRows,
  writeEvents,
} from '../mcp/sql.ts'
import { addUsage, toHiddenUsageRow, toUsageRow } from '../mcp/usage.ts'
import type { McpUsedEvent } from './mcp-payload.ts'

/** The events of one pull request, without duplicates, in the order of arrival. */
interface UsageEventGroup {
  readonly key: PullRequestKey & { readonly repository_id: string }
  readonly events: readonly ResolvedEvent<McpUsedEvent>[]
}

/** The stored rows of the pull request of a group. */
interface StoredUsageState {
  readonly pullRequest: UsagePullRequest | undefined
  readonly usage: StoredUsage | undefined
  /** Ids of its events that are already stored. */
  readonly duplicateIds: ReadonlySet<string>
}

interface UsageWritePlan {
  readonly rows: UsageRow[]
  readonly events: UsageEventRow[]
  /** Events of a pull request that belongs to an organization outside the credential. */
  readonly refused: McpUsedEvent[]
}

/** Commits the events and returns those whose organization cannot be resolved. */
export async function storeUsage(
  writer: WriterContext,
  batch: EventBatch,
): Promise<readonly DeferredEvent[]> {
  const { store, events, deferred } = await resolveEvents<McpUsedEvent>(writer, batch)
  const refused: McpUsedEvent[] = []
  for (const groups of splitIntoWrites(groupByPullRequest(batch.root, events)))
    refused.push(...(await writeGroups(writer.stores.pool(store), batch, groups)))
  return [...deferred, ...deferUnresolved(refused)]
}

function groupByPullRequest(root: RootId, events: readonly ResolvedEvent<McpUsedEvent>[]): UsageEventGroup[] {
  const groups = Map.groupBy(events, ({ event }) => toPullRequestKey(root, event.payload))
  return [...groups].flatMap(([pull_request_key, groupEvents]) => {
    const [first] = groupEvents
    if (first === undefined) return []
    const unique = new Map(groupEvents.toReversed().map((resolved) => [resolved.event.id, resolved]))
    const repository_id = first.event.payload.repository.id
    return [{ key: { pull_request_key, repository_id }, events: [...unique.values()].toReversed() }]
  })
}

/** Loads, decides and writes in one transaction; returns the refused events. */
function writeGroups(
  pool: Pool,
  { root, organizations }: EventBatch,
  groups: readonly UsageEventGroup[],
): Promise<McpUsedEvent[]> {
  const scope = rootScope(root)
  return inTransaction(pool, scope, async (tx) => {
    // Sent in this order in one round trip: the head is locked before anything is read.
    const [head, getState] = await Promise.all([
      reservePositions(scope, tx, groups.length),
      readStoredState(scope, tx, groups),
    ])
    if (head.state !== 'active')
      throw new RetryLaterError('The metrics of the tenant root are not in this store.')
    const plan = planWrites(groups, getState, head.position - groups.length, organizations)
    await Promise.all([writeEvents(scope, tx, plan.events), writeUsage(scope, tx, head, plan.rows)])
    return plan.refused
  })
}

/** Each pull request whose usage grows takes a position after `basePosition`. */
function planWrites(
  groups: readonly UsageEventGroup[],
  getState: (group: UsageEventGroup) => StoredUsageState,
  basePosition: number,
  organizations: EventBatch['organizations'],
): UsageWritePlan {
  const plan: UsageWritePlan = { rows: [], events: [], refused: [] }
  for (const [index, group] of groups.entries()) {
    const { pullRequest, usage, duplicateIds } = getState(group)
    const fresh = group.events.filter(({ event }) => !duplicateIds.has(event.id))
    const [first] = fresh
    if (first === undefined) continue
    const owner = pullRequest ?? usage ?? first.organization
    if (organizations?.includes(owner.organization_id) === false) {
      plan.refused.push(...fresh.map(({ event }) => event))
      continue
    }
    plan.events.push(...fresh.map((resolved) => toEventRow(group.key, resolved)))
    const reported = fresh.map(({ event }) => event.payload.servers)
    const servers = addUsage(usage?.servers ?? null, reported)
    plan.rows.push(
      pullRequest === undefined
        ? toHiddenUsageRow(group.key, owner, servers)
        : toUsageRow(pullRequest, servers, basePosition + 1 + index),
    )
  }
  return plan
}

function toEventRow(
  { pull_request_key }: PullRequestKey,
  { event, organization }: ResolvedEvent<McpUsedEvent>,
): UsageEventRow {
  const { organization_id, instance_id } = organization
  return { pull_request_key, event_id: event.id, organization_id, instance_id }
}

async function readStoredState(
  scope: Scope,
  tx: Tx,
  groups: readonly UsageEventGroup[],
): Promise<(group: UsageEventGroup) => StoredUsageState> {
  const keys = groups.map(({ key }) => key)
  const events = groups.flatMap((group) => group.events.map(({ event }) => ({ group, event_id: event.id })))
  const eventKeys = events.map(({ group, event_id }) => ({ ...group.key, event_id }))
  const [pullRequests, usage, indexes] = await Promise.all([
    readUsedPullRequests(scope, tx, keys),
    readUsage(scope, tx, keys),
    readKnownEvents(scope, tx, eventKeys),
  ])
  const byName = new Map(pullRequests.map((pullRequest) => [pullRequest.pull_request_key, pullRequest]))
  const byGroup = new Map(usage.map((stored) => [groups[stored.input_number - 1], stored]))
  const duplicateIds = Map.groupBy(
    indexes.flatMap(({ input_number }) => events[input_number - 1] ?? []),
    ({ group }) => group,
  )
  return (group) => ({
    pullRequest: byName.get(group.key.pull_request_key),
    usage: byGroup.get(group),
    duplicateIds: new Set(duplicateIds.get(group)?.map(({ event_id }) => event_id)),
  })
}

/** Moves the usage of written pull requests to their positions, under the head's lock. A root that has no usage needs nothing. */
export async function rewriteUsage(
  scope: Scope,
  tx: Tx,
  head: WriteHead,
  pullRequests: readonly (UsagePullRequest & { readonly position: number })[],
): Promise<void> {
  if (head.largest_mcp === 0 || pullRequests.length === 0) return
  const usage = await readUsage(scope, tx, pullRequests)
  const rows = usage.flatMap(({ input_number, servers }) => {
    const pullRequest = pullRequests[input_number - 1]
    return pullRequest === undefined ? [] : [toUsageRow(pullRequest, servers, pullRequest.position)]
  })
  await writeUsage(scope, tx, head, rows)
}

async function writeUsage(scope: Scope, tx: Tx, head: WriteHead, rows: readonly UsageRow[]): Promise<void> {
  const shown = rows.flatMap(({ day, position }) =>
    day === null || position === null ? [] : [{ day, position }],
  )
  await Promise.all([
    upsertUsageRows(scope, tx, rows),
    writeDays(mcpUsageSource, scope, tx, shown),
    raiseLargest(scope, tx, head, { largest_mcp: rows.map(({ entry, servers }) => entry ?? servers) }),
  ])
}
