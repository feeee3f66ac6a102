import { rootScope, type Scope } from '../../access/scope.ts'
import { UNRESOLVED } from '../../bus/ingest/organizations.ts'
import { type Deferred, type EventBatch, NotNow } from '../../bus/ingest-event.ts'
import { inReach, type Tx } from '../../db/transaction.ts'
import { dayNumberOf, weekOf } from '../../metrics/week.ts'
import {
  type Decision,
  decide,
  type Group,
  groupByPullRequest,
  type Known,
  nameOf,
  positionsFor,
} from './decide.ts'
import { resolveEvents, type Writer } from './resolve.ts'
import {
  changePullRequests,
  createPullRequests,
  type DayRow,
  type PullRequestRow,
  readKnownOutcomes,
  readOutcomesInForce,
  readPullRequests,
  takePositions,
  writeChanges,
  writeDays,
  writeLargestEntry,
  writeOutcomes,
} from './write-sql.ts'

// Enough that a commit is little of the cost; few enough that the head of a root is not held for long.
const MOST_PULL_REQUESTS = 200

/** Resolves when the events are committed, but for those that belong to no organization, which are returned. */
export async function storeReviewEvents(writer: Writer, batch: EventBatch): Promise<readonly Deferred[]> {
  const { store, events, deferred } = await resolveEvents(writer, batch)
  const groups = groupByPullRequest(events)
  const rest = [...deferred]
  for (let from = 0; from < groups.length; from += MOST_PULL_REQUESTS) {
    const refused = await storeGroups(writer, store, batch, groups.slice(from, from + MOST_PULL_REQUESTS))
    rest.push(...refused.map((event) => ({ event, reason: UNRESOLVED })))
  }
  return rest
}

function storeGroups(
  { stores }: Writer,
  store: string,
  { root, organizations }: EventBatch,
  groups: readonly Group[],
): Promise<Decision['refused']> {
  const scope = rootScope(root)
  return inReach(stores.pool(store), scope, async (tx) => {
    const count = positionsFor(groups)
    // Asked in this order and answered in one round trip: nothing is read before the head is locked.
    const [head, known] = await Promise.all([takePositions(scope, tx, count), readKnown(scope, tx, groups)])
    if (head.state !== 'here') throw new NotNow('The metrics of the tenant root are not in this store.')
    const decision = decide(groups, known, { base: head.position - count, organizations })
    await write(scope, tx, decision, head.largest_entry)
    return decision.refused
  })
}

async function readKnown(scope: Scope, tx: Tx, groups: readonly Group[]): Promise<Known> {
  const keys = groups.map(({ key }) => key)
  const outcomes = groups.flatMap(({ key, outcomes: of }) =>
    of.map(({ event }) => ({ ...key, finding_id: event.payload.finding_id, event_id: event.id, event })),
  )
  const [rows, inForce, places] = await Promise.all([
    readPullRequests(scope, tx, keys),
    readOutcomesInForce(scope, tx, keys),
    readKnownOutcomes(scope, tx, outcomes),
  ])
  const repeated = new Set(places.map(({ place }) => place))
  return {
    rows: new Map(rows.map((row) => [nameOf(row), row])),
    inForce: new Map(
      [...Map.groupBy(inForce, ({ place }) => place)].map(([place, of]) => [
        groups[place - 1]?.name ?? '',
        new Map(of.map((outcome) => [outcome.finding_id, outcome])),
      ]),
    ),
    repeated: new Set(outcomes.filter((_, index) => repeated.has(index + 1)).map(({ event }) => event)),
  }
}

async function write(scope: Scope, tx: Tx, decision: Decision, largestBefore: number): Promise<void> {
  const { created, changed, outcomes, changes } = decision
  let largest = largestBefore
  for (const { entry } of [...created, ...changed])
    largest = Math.max(largest, Buffer.byteLength(entry ?? ''))
  await Promise.all([
    createPullRequests(scope, tx, created),
    changePullRequests(scope, tx, changed),
    writeDays(scope, tx, daysOf([...created, ...changed])),
    writeOutcomes(scope, tx, outcomes),
    writeChanges(scope, tx, changes),
    ...(largest > largestBefore ? [writeLargestEntry(scope, tx, largest)] : []),
  ])
}

function daysOf(rows: readonly PullRequestRow[]): DayRow[] {
  const entries = rows.filter(({ entry }) => entry !== null)
  const days = [...Map.groupBy(entries, ({ day }) => day)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return days.map(([day, of]) => {
    const positions = of.map(({ position }) => position)
    return {
      week: weekOf(day),
      day: dayNumberOf(day),
      first_position: Math.min(...positions),
      last_position: Math.max(...positions),
    }
  })
}
