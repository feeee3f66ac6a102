import type { DemoOrganization, DemoRepository, DemoRoot } from '../cast.ts'
import { type Author, authorsOf, zealAt } from './authors.ts'
import { busyness, DAY, endOf, HOUR, MINUTE, type Span, workingMoment } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'

/** What became of it. Timeless: merged, but nobody knows when. */
type Fate = 'merged' | 'closed' | 'timeless' | 'reopened'

/** A pull request as people lived it; times in milliseconds. */
export interface PullRequest {
  readonly organization: DemoOrganization
  readonly repository: DemoRepository
  readonly number: number
  readonly author: Author
  readonly fate: Fate
  /** 1 to 5. */
  readonly complexity: number
  readonly createdAt: number
  readonly readyAt: number
  /** By a person. */
  readonly reviewedAt: number | null
  readonly lastCommitAt: number
  readonly finalizedAt: number
}

const fates: Readonly<Record<Fate, number>> = {
  merged: 0.895,
  closed: 0.085,
  timeless: 0.006,
  reopened: 0.014,
}
const complexities = { 1: 24, 2: 33, 3: 25, 4: 13, 5: 5 } as const
const HOURS_OPEN = [4, 10, 22, 44, 80]
const LONGEST = 40 * DAY
/** When work in a repository that is inactive today has ended, as a part of the span. */
const LAST_OF_INACTIVE = 0.45

/** In the order in which they were opened. An active organization has one of the last day at least. */
export function pullRequestsOf(
  root: DemoRoot,
  organization: DemoOrganization,
  span: Span,
): readonly PullRequest[] {
  const chance = chanceOf(`pull requests/${organization.orgId}`)
  const authors = authorsOf(root, organization)
  const opened: Omit<PullRequest, 'number'>[] = []
  for (let start = span.start; start < endOf(span); start += DAY) {
    const part = (start - span.start) / (span.days * DAY)
    const busy = busyness(start)
    for (const author of authors) {
      const merged = chance.count((author.weekly / 5) * zealAt(author, part) * busy)
      for (let left = merged; left > 0; left--) opened.push(live(chance, organization, author, start, part))
    }
    const [first] = authors
    if (start + DAY === endOf(span) && first && !organization.inactive) {
      opened.push(live(chance, organization, first, start, part))
    }
  }
  opened.sort((one, other) => one.createdAt - other.createdAt)
  return numbered(chance, opened)
}

function live(
  chance: Chance,
  organization: DemoOrganization,
  author: Author,
  day: number,
  part: number,
): Omit<PullRequest, 'number'> {
  const complexity = Number(chance.weighted(complexities))
  const finalizedAt = Math.floor(day + clamp(author.hour + 2 * chance.deviation(), 0.5, 23.5) * HOUR)
  const hours = chance.around((HOURS_OPEN[complexity - 1] ?? 0) * author.patience, 0.8)
  const createdAt = workingMoment(finalizedAt - Math.floor(Math.min(LONGEST, hours * HOUR + 10 * MINUTE)))
  const after = (from: number, least: number, most: number) =>
    Math.floor(from + (finalizedAt - from) * chance.between(least, most))
  const readyAt = chance.yes(author.drafts) ? after(createdAt, 0.1, 0.6) : createdAt
  const reviewedAt = chance.yes(0.82) ? after(readyAt, 0.05, 0.8) : null
  return {
    organization,
    repository: chooseRepository(chance, organization, author, part),
    author,
    fate: chance.weighted(fates),
    complexity,
    createdAt,
    readyAt,
    reviewedAt,
    lastCommitAt: after(reviewedAt ?? readyAt, 0.1, 0.95),
    finalizedAt,
  }
}

function chooseRepository(
  chance: Chance,
  { repositories }: DemoOrganization,
  author: Author,
  part: number,
): DemoRepository {
  const open = repositories.filter(({ inactive }) => !inactive || part < LAST_OF_INACTIVE)
  const home = open.find(({ repositoryId }) => repositoryId === author.home)
  if (home !== undefined && chance.yes(0.5)) return home
  const chosen = chance.weighted(
    Object.fromEntries(open.map(({ repositoryId, share }) => [repositoryId, share])),
  )
  return open.find(({ repositoryId }) => repositoryId === chosen) ?? chance.pick(open)
}

/** Issues take numbers too, so there are gaps. */
function numbered(chance: Chance, opened: readonly Omit<PullRequest, 'number'>[]): PullRequest[] {
  const last = new Map<string, number>()
  return opened.map((pullRequest) => {
    const { repositoryId } = pullRequest.repository
    const number = (last.get(repositoryId) ?? chance.integer(20, 900)) + chance.integer(1, 3)
    last.set(repositoryId, number)
    return { ...pullRequest, number }
  })
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
