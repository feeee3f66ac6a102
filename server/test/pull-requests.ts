import { randomUUID } from 'node:crypto'
import type { DeferredEvent } from '../src/bus/ingest-event.ts'
import type { WriterContext } from '../src/bus/queue/resolve.ts'
import { connect } from '../src/db/connect.ts'
import { connectMetricsStores } from '../src/db/stores.ts'
import type { KeyId, OrganizationId, RootId } from '../src/ids.ts'
import { categories, severities } from '../src/metrics-store/findings.ts'
import type {
  FinalizedEvent,
  FinalizedPullRequest,
  FindingOutcome,
  NormalizedFinding,
  OutcomeEvent,
  ReviewEvent,
} from '../src/resources/metrics/write/review-payload.ts'
import { storeReviewEvents } from '../src/resources/metrics/write/store-reviews.ts'
import type { TestDatabase } from './database.ts'
import type { TestOrganization } from './tenant.ts'

/** The organization, repositories and people of pull requests. */
export interface ReviewTarget {
  readonly provider: string
  readonly host: string
  readonly organization: { readonly id: string; readonly name: string }
  /** At least one. */
  readonly repositories: readonly { readonly id: string; readonly name: string }[]
  readonly authors: readonly { readonly id: string; readonly username: string }[]
}

export interface EventGeneratorOptions {
  /** The same seed gives the same events. */
  readonly seed?: number
  /** Pull requests are merged in the days before this time. */
  readonly end?: Date
  readonly days?: number
  /** On average; 10 by default. */
  readonly findings?: number
}

/** Fields of the event envelope. */
type Fields<Payload> = Partial<Payload> & { readonly event_id?: string; readonly occurred_at?: string }

/** Generates realistic events, and numbers pull requests by repository. */
export interface ReviewEventGenerator {
  finalized(target: ReviewTarget, fields?: Fields<FinalizedPullRequest>): FinalizedEvent
  /** The outcome of one of its findings, about a day after the merge. */
  outcome(pullRequest: FinalizedEvent, fields?: Fields<FindingOutcome>): OutcomeEvent
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const reviewers = ['correctness', 'security', 'performance', 'style', null]

export function createEventGenerator(options: EventGeneratorOptions = {}): ReviewEventGenerator {
  const { seed = 1, end = new Date(), days = 365, findings = 10 } = options
  const random = createSeededRandom(seed)
  const numbers = new Map<string, number>()
  let events = 0
  const eventId = () => {
    events += 1
    return `event-${seed}-${events}`
  }
  return {
    finalized(target, { event_id = eventId(), occurred_at, ...given } = {}) {
      const repository = given.repository ?? random.pick(target.repositories)
      const number = given.number ?? (numbers.get(repository.id) ?? 0) + 1
      numbers.set(repository.id, Math.max(number, numbers.get(repository.id) ?? 0))
      const merged = randomMergeTime(random, end, days)
      const payload = {
        ...randomPullRequest(random, target, { repository, number, merged, findings }),
        ...given,
      }
      const at = occurred_at ?? iso(merged + random.nextInt(5 * MINUTE))
      return { id: event_id, type: 'pull_request.finalized', version: 1, occurred_at: at, payload }
    },
    outcome(pullRequest, { event_id = eventId(), occurred_at, ...given } = {}) {
      const payload = { ...randomOutcome(random, pullRequest.payload), ...given }
      const at = occurred_at ?? iso(Date.parse(pullRequest.occurred_at) + random.nextInt(DAY))
      return { id: event_id, type: 'finding.outcome', version: 1, occurred_at: at, payload }
    },
  }
}

interface SeededRandom {
  /** A random integer below `limit`. */
  nextInt(limit: number): number
  pick<Value>(among: readonly Value[]): Value
  /** Chooses by percentages; the rest is null. */
  pickWeighted<Value>(among: readonly Value[], shares: readonly number[]): Value | null
}

/** Mulberry32: small, and the same on every machine. */
function createSeededRandom(seed: number): SeededRandom {
  let state = seed
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const nextInt = (limit: number) => Math.floor(roll() * limit)
  return {
    nextInt,
    pick(among) {
      const picked = among[nextInt(among.length)]
      if (picked === undefined && among.length === 0) throw new Error('The list to choose from is empty.')
      return picked as (typeof among)[number]
    },
    pickWeighted(among, shares) {
      let left = roll() * 100
      for (const [target, value] of among.entries()) {
        left -= shares[target] ?? 0
        if (left < 0) return value
      }
      return null
    },
  }
}

/** Mostly on a working day, between 8:00 and 20:00. */
function randomMergeTime(random: SeededRandom, end: Date, days: number): number {
  const day = Math.floor(end.getTime() / DAY) - 1 - random.nextInt(days)
  const isWeekend = (day + 3) % 7 > 4
  // Drawn on every day, so that what follows does not depend on the day of the test.
  const avoidsWeekend = random.nextInt(5) > 0
  const moved = isWeekend && avoidsWeekend ? day - 2 : day
  return moved * DAY + 8 * HOUR + random.nextInt(12 * HOUR)
}

interface PullRequestSeed {
  readonly repository: FinalizedPullRequest['repository']
  readonly number: number
  readonly merged: number
  readonly findings: number
}

function randomPullRequest(
  random: SeededRandom,
  { provider, host, organization, authors }: ReviewTarget,
  { repository, number, merged, findings }: PullRequestSeed,
): FinalizedPullRequest {
  const created = merged - HOUR - random.nextInt(4 * DAY)
  const ready = created + random.nextInt(HOUR)
  const owner = organization.name.toLowerCase().replaceAll(' ', '-')
  const url = `https://${host}/${owner}/${repository.name ?? repository.id}/pull/${number}`
  return {
    organization: { provider, host, ...organization },
    repository,
    number,
    url,
    status: 'merged',
    author: authors.length === 0 ? null : random.pick(authors),
    created_at: iso(created),
    ready_for_review_at: iso(ready),
    first_human_review_at: iso(ready + random.nextInt(merged - ready)),
    last_commit_at: iso(ready + random.nextInt(merged - ready)),
    merged_at: iso(merged),
    closed_at: iso(merged),
    review_iterations: 1 + random.nextInt(5),
    estimated_complexity: 1 + random.nextInt(5),
    estimated_review_minutes: 5 + random.nextInt(90),
    findings: Array.from({ length: 1 + random.nextInt(2 * findings - 1) }, () => randomFinding(random, url)),
  }
}

function randomFinding(random: SeededRandom, url: string): NormalizedFinding {
  return {
    id: `finding-${random.nextInt(2 ** 32).toString(36)}${random.nextInt(2 ** 32).toString(36)}`,
    url: `${url}#discussion_r${1_000_000_000 + random.nextInt(1_000_000_000)}`,
    severity: random.pickWeighted(severities, [3, 16, 38, 25, 15]),
    category: random.pickWeighted(categories, [11, 33, 28, 10, 9, 6]),
    reviewer: random.pick(reviewers),
  }
}

function randomOutcome(random: SeededRandom, pullRequest: FinalizedPullRequest): FindingOutcome {
  const { organization, repository, number, findings } = pullRequest
  const { provider, host, id } = organization
  return {
    organization: { provider, host, id },
    repository: { id: repository.id },
    number,
    finding_id: findings.length === 0 ? 'finding-0' : random.pick(findings).id,
    accepted: random.pick([true, true, true, false, false, null]),
    source: random.pick(['detector', 'detector', 'person', 'provider']),
  }
}

/** An organization of a tenant with some people. */
export function toReviewTarget(organization: TestOrganization, people = 20): ReviewTarget {
  const { orgId, name, root, instance, repositories } = organization
  return {
    provider: 'github',
    host: instance === null ? 'github.com' : `git-${root.slice(0, 8)}.example.com`,
    organization: { id: orgId, name },
    repositories: repositories.map(({ repositoryId, name: repositoryName }) => ({
      id: repositoryId,
      name: repositoryName,
    })),
    authors: Array.from({ length: people }, (_, index) => ({
      id: `${orgId}${100 + index}`,
      username: `developer-${index}`,
    })),
  }
}

export interface TestWriter extends WriterContext {
  close(): Promise<void>
}

/** The worker's connections to a database. Its metrics store "shared" is the database itself by default. */
export function createTestWriter(
  database: TestDatabase,
  {
    stores = {},
    connections = 4,
  }: { stores?: Readonly<Record<string, TestDatabase>>; connections?: number } = {},
): TestWriter {
  const urls = Object.entries({ shared: database, ...stores }).map(
    ([name, of]) => [name, of.urls.worker] as const,
  )
  const pool = connect({ url: database.urls.worker, name: 'test', connections })
  const opened = connectMetricsStores(new Map(urls), 'test', connections)
  return {
    database: pool,
    stores: opened,
    organizationCache: new Map(),
    now: () => new Date(),
    async close() {
      await Promise.all([pool.end(), opened.close()])
    },
  }
}

/** Handles a message like the worker. Without organizations, the credential is valid for the whole root. */
export function storeEvents(
  writer: WriterContext,
  root: RootId,
  events: readonly ReviewEvent[],
  organizations: readonly OrganizationId[] | null = null,
): Promise<readonly DeferredEvent[]> {
  return storeReviewEvents(writer, {
    root,
    credential: randomUUID() as string as KeyId,
    organizations,
    events,
  })
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
