import { rootScope, type Scope } from '../../../access/scope.ts'
import { type ResolvedEvent, storeInGroups, type WriterContext } from '../../../bus/ingest/resolve.ts'
import { type DeferredEvent, type EventBatch, RetryLaterError } from '../../../bus/ingest-event.ts'
import { inTransaction, type Tx } from '../../../db/transaction.ts'
import { reservePositions } from '../../../metrics-store/write/head-sql.ts'
import {
  type PullRequestKey,
  toKeyString,
  toPullRequestKey,
} from '../../../metrics-store/write/pull-request-sql.ts'
import { toHiddenUsageRow, toUsageRow, type UsagePullRequest, writeUsage } from '../mcp/entry.ts'
import { readKnownEvents, readUsedPullRequests, type UsageEventRow, writeEvents } from '../mcp/sql.ts'
import { addUsage } from '../mcp/tally.ts'
import { readUsage, type StoredUsage, type UsageRow } from '../mcp/usage-sql.ts'
import type { McpUsedEvent } from './mcp-payload.ts'

/** Events of one pull request, each once, in the order they came. */
interface UsageEventGroup {
  readonly key: PullRequestKey
  readonly events: readonly ResolvedEvent<McpUsedEvent>[]
}

/** What the store knows of the pull request of a group. */
interface StoredUsageState {
  readonly pullRequest: UsagePullRequest | undefined
  readonly usage: StoredUsage | undefined
  /** Ids of its events that are stored already. */
  readonly duplicateIds: ReadonlySet<string>
}

/** What is to be written. */
interface UsageWritePlan {
  readonly rows: UsageRow[]
  readonly events: UsageEventRow[]
  /** Events that would change a pull request of another organization. */
  readonly refused: McpUsedEvent[]
}

/** Resolves when the events are committed, but for those that belong to no organization, which are returned. */
export function storeUsage(writer: WriterContext, batch: EventBatch): Promise<readonly DeferredEvent[]> {
  return storeInGroups(writer, batch, groupByPullRequest, storeGroups)
}

function groupByPullRequest(events: readonly ResolvedEvent<McpUsedEvent>[]): UsageEventGroup[] {
  return [
    ...Map.groupBy(events, ({ event }) => toKeyString(toPullRequestKey(event.payload))).values(),
  ].flatMap((groupEvents) => {
    const [first] = groupEvents
    if (first === undefined) return []
    const unique = new Map(groupEvents.toReversed().map((resolved) => [resolved.event.id, resolved]))
    return [{ key: toPullRequestKey(first.event.payload), events: [...unique.values()].toReversed() }]
  })
}

function storeGroups(
  { stores }: WriterContext,
  store: string,
  { root, organizations }: EventBatch,
  groups: readonly UsageEventGroup[],
): Promise<McpUsedEvent[]> {
  const scope = rootScope(root)
  return inTransaction(stores.pool(store), scope, async (tx) => {
    // Asked in this order and answered in one round trip: nothing is read before the head is locked.
    const [head, getState] = await Promise.all([
      reservePositions(scope, tx, groups.length),
      readStoredState(scope, tx, groups),
    ])
    if (head.state !== 'here')
      throw new RetryLaterError('The metrics of the tenant root are not in this store.')
    const plan = planWrites(groups, getState, head.position - groups.length, organizations)
    await Promise.all([writeEvents(scope, tx, plan.events), writeUsage(scope, tx, head, plan.rows)])
    return plan.refused
  })
}

/** Each pull request whose usage grows takes a position behind `base`. */
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
  key: PullRequestKey,
  { event, organization }: ResolvedEvent<McpUsedEvent>,
): UsageEventRow {
  const { organization_id, instance_id } = organization
  return { ...key, event_id: event.id, organization_id, instance_id }
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
  const byName = new Map(pullRequests.map((pullRequest) => [toKeyString(pullRequest), pullRequest]))
  const byGroup = new Map(usage.map((stored) => [groups[stored.place - 1], stored]))
  const duplicateIds = Map.groupBy(
    indexes.flatMap(({ place: index }) => events[index - 1] ?? []),
    ({ group }) => group,
  )
  return (group) => ({
    pullRequest: byName.get(toKeyString(group.key)),
    usage: byGroup.get(group),
    duplicateIds: new Set(duplicateIds.get(group)?.map(({ event_id }) => event_id)),
  })
}
