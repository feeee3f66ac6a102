import { rootScope } from '../../../access/scope.ts'
import type { MetricsStores } from '../../../db/stores.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { readMoveStatus } from '../../../resources/placements/status.ts'
import type { ReviewEvent } from '../../../resources/review-comments/payload.ts'
import { storeReviewEvents } from '../../../resources/review-comments/store.ts'
import type { Operator } from '../../operator.ts'
import { type DemoRoot, demoRoots } from '../cast.ts'
import { keyIdOf, rootIdOf } from '../ids.ts'
import { retireOrganizations } from '../tenants.ts'
import { dayOf, daysBefore } from './calendar.ts'
import { eventsOf } from './events.ts'
import { readNewestSeeded } from './sql.ts'

export interface History {
  readonly stores: MetricsStores
  /** How many days before the day of the first seeding it begins. */
  readonly days: number
  readonly say: (line: string) => void
}

const PREFIX = 'demo-'
const MOST_EVENTS = 400

/** Writes the pull requests of the demo tenants that have none; answers how many there are of them. */
export async function seedHistory(operator: Operator, history: History): Promise<number> {
  let written = 0
  for (const root of demoRoots) {
    const seeding = await unfinishedSeeding(operator, history, root)
    if (seeding !== null) written += await write(operator, history, root, seeding)
  }
  return written
}

/**
 * The day of the first seeding, when there is something left to write. It is part of the events' ids: a seeding that was
 * cut off is taken up with the same events, of which those that are stored already change nothing.
 */
async function unfinishedSeeding(
  operator: Operator,
  { stores }: History,
  root: DemoRoot,
): Promise<string | null> {
  const scope = rootScope(rootIdOf(root.name))
  const { store, moving_to } = await readMoveStatus(scope, operator.pool, stores)
  if (moving_to !== null) return null
  const newest = await inTransaction(stores.pool(store), scope, (tx) => readNewestSeeded(scope, tx, PREFIX))
  if (newest === null) return dayOf(operator.now().getTime())
  const seeding = newest.event_id.slice(PREFIX.length, PREFIX.length + 10)
  const lastDay = dayOf(daysBefore(seeding, 1).start)
  return newest.day < lastDay ? seeding : null
}

async function write(
  operator: Operator,
  { stores, days, say }: History,
  root: DemoRoot,
  seeding: string,
): Promise<number> {
  const events = eventsOf(root, daysBefore(seeding, days), `${PREFIX}${seeding}`)
  const count = countPullRequests(events)
  say(`Writing ${count} pull requests of ${root.name}, of the ${days} days before ${seeding}.`)
  const writer = { database: operator.pool, stores, now: operator.now }
  const to = { root: rootIdOf(root.name), credential: keyIdOf('history', 0), organizations: null }
  const batches = inBatches(events)
  const left = new Set<object>()
  for (const [index, batch] of batches.entries()) {
    // Before the last one, by which a finished seeding is known.
    if (index === batches.length - 1) await retireOrganizations(operator, root)
    // Whoever has deactivated an organization of the demo gets no history of it.
    for (const { event } of await storeReviewEvents(writer, { ...to, events: batch })) left.add(event)
  }
  return countPullRequests(events.filter((event) => !left.has(event)))
}

/** Whole days, so that the write order is the order of time and outcomes come behind their pull requests. */
function inBatches(events: readonly ReviewEvent[]): ReviewEvent[][] {
  const batches: ReviewEvent[][] = []
  for (const day of Map.groupBy(events, ({ occurred_at }) => occurred_at.slice(0, 10)).values()) {
    const open = batches.at(-1)
    if (open !== undefined && open.length + day.length <= MOST_EVENTS) open.push(...day)
    else batches.push(day)
  }
  return batches
}

function countPullRequests(events: readonly ReviewEvent[]): number {
  const finalized = events.filter(({ type }) => type === 'pull_request.finalized')
  return new Set(finalized.map(({ payload: { repository, number } }) => `${repository.id}/${number}`)).size
}
