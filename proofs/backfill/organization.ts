// The organization at the fake GitHub: its past, what happens while it is read, and what must be stored of it in the end.
import { FindingWriter } from '../../fake-forge/bots.ts'
import { addBulkHistory } from '../../fake-forge/bulk-history.ts'
import type { SimulatedClock } from '../../fake-forge/clock.ts'
import { toTimeOrNull } from '../../fake-forge/clock.ts'
import { Forge } from '../../fake-forge/forge.ts'
import type { Organization, PullRequest } from '../../fake-forge/model.ts'
import { mergePullRequest, openPullRequest } from '../../fake-forge/pull-request.ts'
import { Random } from '../../fake-forge/random.ts'
import { submitReview } from '../../fake-forge/review.ts'

export interface OrganizationSize {
  readonly repositories: number
  readonly pullRequests: number
}

const SEED = 50_000
/** A little less than the year that a backfill reads. */
export const DAYS_OF_PAST = 360

export interface TestOrganization {
  readonly forge: Forge
  readonly organization: Organization
  /** Somebody opens a pull request, a bot reviews it, and it is merged, all at once. */
  change(): PullRequest
}

/** The same size gives the same organization, if the clock is at the same time. */
export function createOrganization(clock: SimulatedClock, size: OrganizationSize): TestOrganization {
  const forge = new Forge({ clock, gitFolder: null })
  const { organization, bots } = addBulkHistory({ forge, clock, seed: SEED, days: DAYS_OF_PAST, ...size })
  const random = new Random(SEED)
  const writer = new FindingWriter(random)
  const people = [...organization.members.keys()]
  return {
    forge,
    organization,
    change() {
      const author = random.pick(people)
      const pullRequest = openPullRequest(forge, random.pick(forge.repositories), {
        title: 'A change during the backfill',
        author,
        commits: [{ message: 'Change', changes: {} }],
      })
      const bot = random.pick(bots)
      const thread = { path: 'src/new.ts', line: 1 + random.below(200), body: writer.write(bot, null) }
      submitReview(forge, pullRequest, { author: bot.user, body: bot.summary, threads: [thread] })
      mergePullRequest(forge, pullRequest, random.pick(people), 'squash')
      return pullRequest
    },
  }
}

/** A pull request as the metrics store must have it, with the addresses of its findings. */
export interface ExpectedPullRequest {
  readonly repository: string
  readonly number: number
  readonly url: string
  readonly author: string
  readonly mergedAt: string | null
  readonly findings: readonly string[]
}

/** Every finished pull request. Each thread that a bot began is one finding. */
export function* listExpected(forge: Forge, webUrl: string): Iterable<ExpectedPullRequest> {
  for (const pullRequest of forge.pullRequests.values()) {
    if (pullRequest.state === 'open') continue
    const { repository, number, author, mergedAt, threads } = pullRequest
    const url = `${webUrl}/${repository.owner.login}/${repository.name}/pull/${number}`
    const openers = threads
      .flatMap(({ comments }) => comments.slice(0, 1))
      .filter(({ author: by }) => by.isBot)
    yield {
      repository: String(repository.id),
      number,
      url,
      author: String(author.id),
      mergedAt: toTimeOrNull(mergedAt),
      findings: openers.map(({ id }) => `${url}#discussion_r${id}`).toSorted(),
    }
  }
}
