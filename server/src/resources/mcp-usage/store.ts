import { rootScope, type Scope } from '../../access/scope.ts'
import { type ResolvedEvent, storeInGroups, type WriterContext } from '../../bus/ingest/resolve.ts'
import { type DeferredEvent, type EventBatch, RetryLaterError } from '../../bus/ingest-event.ts'
import { inTransaction, type Tx } from '../../db/transaction.ts'
import { readUsage, type StoredUsage, type UsageRow } from '../../metrics-store/usage/sql.ts'
import { addUsage } from '../../metrics-store/usage/tally.ts'
import {
  toHiddenUsageRow,
  toUsageRow,
  type UsedPullRequest,
  writeUsage,
} from '../../metrics-store/usage/write.ts'
import { takePositions } from '../../metrics-store/write/head-sql.ts'
import {
  type PullRequestKey,
  toKeyString,
  toPullRequestKey,
} from '../../metrics-store/write/pull-request-sql.ts'
import type { UsedEvent } from './payload.ts'
import { type EventRow, readKnownEvents, readUsedPullRequests, writeEvents } from './sql.ts'

/** Events of one pull request, each once, in the order they came. */
interface Group {
  readonly key: PullRequestKey
  readonly events: readonly ResolvedEvent<UsedEvent>[]
}

/** What the store knows of the pull request of a group. */
interface StoredUsageState {
  readonly pullRequest: UsedPullRequest | undefined
  readonly usage: StoredUsage | undefined
  /** Ids of its events that are stored already. */
  readonly repeated: ReadonlySet<string>
}

/** What is to be written. */
interface Decision {
  readonly rows: UsageRow[]
  readonly events: EventRow[]
  /** Events that would change a pull request of another organization. */
  readonly refused: UsedEvent[]
}

/** Resolves when the events are committed, but for those that belong to no organization, which are returned. */
export function storeUsage(writer: WriterContext, batch: EventBatch): Promise<readonly DeferredEvent[]> {
  return storeInGroups(writer, batch, groupByPullRequest, storeGroups)
}

function groupByPullRequest(events: readonly ResolvedEvent<UsedEvent>[]): Group[] {
  return [
    ...Map.groupBy(events, ({ event }) => toKeyString(toPullRequestKey(event.payload))).values(),
  ].flatMap((groupEvents) => {
    const [first] = groupEvents
    if (first === undefined) return []
    const once = new Map(groupEvents.toReversed().map((resolved) => [resolved.event.id, resolved]))
    return [{ key: toPullRequestKey(first.event.payload), events: [...once.values()].toReversed() }]
  })
}

function storeGroups(
  { stores }: WriterContext,
  store: string,
  { root, organizations }: EventBatch,
  groups: readonly Group[],
): Promise<UsedEvent[]> {
  const scope = rootScope(root)
  return inTransaction(stores.pool(store), scope, async (tx) => {
    // Asked in this order and answered in one round trip: nothing is read before the head is locked.
    const [head, getState] = await Promise.all([
      takePositions(scope, tx, groups.length),
      readStoredState(scope, tx, groups),
    ])
    if (head.state !== 'here')
      throw new RetryLaterError('The metrics of the tenant root are not in this store.')
    const decision = decide(groups, getState, head.position - groups.length, organizations)
    await Promise.all([writeEvents(scope, tx, decision.events), writeUsage(scope, tx, head, decision.rows)])
    return decision.refused
  })
}

/** Each pull request whose usage grows takes a position behind `base`. */
function decide(
  groups: readonly Group[],
  getState: (group: Group) => StoredUsageState,
  base: number,
  organizations: EventBatch['organizations'],
): Decision {
  const decision: Decision = { rows: [], events: [], refused: [] }
  for (const [index, group] of groups.entries()) {
    const { pullRequest, usage, repeated } = getState(group)
    const fresh = group.events.filter(({ event }) => !repeated.has(event.id))
    const [first] = fresh
    if (first === undefined) continue
    const owner = pullRequest ?? usage ?? first.organization
    if (organizations?.includes(owner.organization_id) === false) {
      decision.refused.push(...fresh.map(({ event }) => event))
      continue
    }
    decision.events.push(...fresh.map((resolved) => toEventRow(group.key, resolved)))
    const reported = fresh.map(({ event }) => event.payload.servers)
    const servers = addUsage(usage?.servers ?? null, reported)
    decision.rows.push(
      pullRequest === undefined
        ? toHiddenUsageRow(group.key, owner, servers)
        : toUsageRow(pullRequest, servers, base + 1 + index),
    )
  }
  return decision
}

function toEventRow(key: PullRequestKey, { event, organization }: ResolvedEvent<UsedEvent>): EventRow {
  const { organization_id, instance_id } = organization
  return { ...key, event_id: event.id, organization_id, instance_id }
}

async function readStoredState(
  scope: Scope,
  tx: Tx,
  groups: readonly Group[],
): Promise<(group: Group) => StoredUsageState> {
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
  const repeated = Map.groupBy(
    indexes.flatMap(({ place: index }) => events[index - 1] ?? []),
    ({ group }) => group,
  )
  return (group) => ({
    pullRequest: byName.get(toKeyString(group.key)),
    usage: byGroup.get(group),
    repeated: new Set(repeated.get(group)?.map(({ event_id }) => event_id)),
  })
}
