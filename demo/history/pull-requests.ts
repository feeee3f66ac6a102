import type { Organization, Repository, Tenant } from '../data.ts'
import { type Author, activityAt, authorsOf } from './authors.ts'
import { activityOn, DAY, endOf, HOUR, MINUTE, type Period, toWorkingHours } from './calendar.ts'
import { type Random, randomOf } from './random.ts'

type Ending = 'merged' | 'closed' | 'merged_at_unknown_time' | 'reopened'

/** Times in milliseconds. */
export interface PullRequest {
  readonly organization: Organization
  readonly repository: Repository
  readonly number: number
  readonly author: Author
  readonly ending: Ending
  /** 1 to 5. */
  readonly complexity: number
  readonly createdAt: number
  readonly readyAt: number
  /** By a person. */
  readonly reviewedAt: number | null
  readonly lastCommitAt: number
  readonly finalizedAt: number
}

const endings: Readonly<Record<Ending, number>> = {
  merged: 0.895,
  closed: 0.085,
  merged_at_unknown_time: 0.006,
  reopened: 0.014,
}
const complexities = { 1: 24, 2: 33, 3: 25, 4: 13, 5: 5 } as const
const hoursOpen = [4, 10, 22, 44, 80]
const MAX_DURATION = 40 * DAY
/** An inactive repository has no pull requests after this fraction of the period. */
const INACTIVE_AFTER = 0.45

/** Sorted by opening time. An active organization has at least one pull request on the last day. */
export function pullRequestsOf(tenant: Tenant, organization: Organization, period: Period): PullRequest[] {
  const random = randomOf(`pull requests/${organization.org_id}`)
  const authors = authorsOf(tenant, organization)
  const opened: Omit<PullRequest, 'number'>[] = []
  for (let day = period.start; day < endOf(period); day += DAY) {
    const fraction = (day - period.start) / (period.days * DAY)
    const activity = activityOn(day)
    for (const author of authors) {
      const mean = (author.pullRequestsPerWeek / 5) * activityAt(author, fraction) * activity
      for (let left = random.count(mean); left > 0; left--) {
        opened.push(generate(random, organization, author, day, fraction))
      }
    }
    const [first] = authors
    if (day + DAY === endOf(period) && first && !organization.inactive) {
      opened.push(generate(random, organization, first, day, fraction))
    }
  }
  opened.sort((a, b) => a.createdAt - b.createdAt)
  return withNumbers(random, opened)
}

function generate(
  random: Random,
  organization: Organization,
  author: Author,
  day: number,
  fraction: number,
): Omit<PullRequest, 'number'> {
  const complexity = Number(random.weighted(complexities))
  const hour = Math.min(23.5, Math.max(0.5, author.hour + 2 * random.normal()))
  const finalizedAt = Math.floor(day + hour * HOUR)
  const hours = random.around((hoursOpen[complexity - 1] ?? 0) * author.durationFactor, 0.8)
  const duration = Math.floor(Math.min(MAX_DURATION, hours * HOUR + 10 * MINUTE))
  const createdAt = toWorkingHours(finalizedAt - duration)
  const after = (from: number, min: number, max: number) =>
    Math.floor(from + (finalizedAt - from) * random.between(min, max))
  const readyAt = random.chance(author.draftProbability) ? after(createdAt, 0.1, 0.6) : createdAt
  const reviewedAt = random.chance(0.82) ? after(readyAt, 0.05, 0.8) : null
  return {
    organization,
    repository: chooseRepository(random, organization, author, fraction),
    author,
    ending: random.weighted(endings),
    complexity,
    createdAt,
    readyAt,
    reviewedAt,
    lastCommitAt: after(reviewedAt ?? readyAt, 0.1, 0.95),
    finalizedAt,
  }
}

function chooseRepository(
  random: Random,
  { repositories }: Organization,
  author: Author,
  fraction: number,
): Repository {
  const active = repositories.filter(({ inactive }) => !inactive || fraction < INACTIVE_AFTER)
  const main = active.find(({ repository_id }) => repository_id === author.mainRepository)
  if (main !== undefined && random.chance(0.5)) return main
  const shares = Object.fromEntries(active.map(({ repository_id, share }) => [repository_id, share]))
  const chosen = random.weighted(shares)
  return active.find(({ repository_id }) => repository_id === chosen) ?? random.pick(active)
}

/** Issues use numbers too, so there are gaps. */
function withNumbers(random: Random, opened: readonly Omit<PullRequest, 'number'>[]): PullRequest[] {
  const last = new Map<string, number>()
  return opened.map((pullRequest) => {
    const { repository_id } = pullRequest.repository
    const number = (last.get(repository_id) ?? random.integer(20, 900)) + random.integer(1, 3)
    last.set(repository_id, number)
    return { ...pullRequest, number }
  })
}
