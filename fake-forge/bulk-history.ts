// A long past of an organization: many merged pull requests with findings, in repositories without code. For backfills.
import { addBots, type Bot, FindingWriter } from './bots.ts'
import type { SimulatedClock } from './clock.ts'
import type { Forge } from './forge.ts'
import type { Organization } from './model.ts'
import { mergePullRequest, openPullRequest } from './pull-request.ts'
import { Random } from './random.ts'
import { addComment, addReaction, replyToThread, resolveThread, submitReview } from './review.ts'

export interface BulkOptions {
  readonly forge: Forge
  /** Stands at the beginning of the past; afterwards at its end. */
  readonly clock: SimulatedClock
  readonly seed: number
  readonly repositories: number
  readonly pullRequests: number
  /** From the first to the last pull request. */
  readonly days: number
}

export interface BulkHistory {
  readonly organization: Organization
  readonly bots: readonly Bot[]
}

export function addBulkHistory(options: BulkOptions): BulkHistory {
  const { forge, clock, seed, repositories, pullRequests, days } = options
  const random = new Random(seed)
  const writer = new FindingWriter(random)
  const organization = forge.addOrganization('acme')
  const people = Array.from({ length: 20 }, (_, index) => forge.addUser(`person-${index + 1}`))
  for (const person of people) forge.addMember(organization, person)
  const bots = addBots(forge)
  const list = Array.from({ length: repositories }, (_, index) =>
    forge.addRepository(organization, `service-${index + 1}`, random.pick(people), { files: null }),
  )
  const step = Math.floor((days * 86_400_000) / pullRequests)
  for (let index = 0; index < pullRequests; index++) {
    const author = random.pick(people)
    const pullRequest = openPullRequest(forge, random.pick(list), {
      title: `Change ${index + 1}`,
      author,
      commits: Array.from({ length: 1 + random.below(4) }, (_, commit) => ({
        message: `Commit ${commit + 1} of change ${index + 1}`,
        changes: {},
      })),
    })
    for (let count = random.below(3); count > 0; count--) {
      const bot = random.pick(bots)
      const threads = Array.from({ length: random.below(4) }, () => {
        const line = 1 + random.below(200)
        return { path: `src/file-${random.below(50)}.ts`, line, body: writer.write(bot, null) }
      })
      submitReview(forge, pullRequest, { author: bot.user, body: bot.summary, threads })
    }
    for (const thread of pullRequest.threads) {
      const [first] = thread.comments
      thread.isOutdated = random.happens(0.4)
      if (random.happens(0.3)) replyToThread(forge, pullRequest, thread, author, 'Fixed.')
      if (random.happens(0.5)) resolveThread(forge, pullRequest, thread, author)
      if (first !== undefined && random.happens(0.2)) addReaction(forge, pullRequest, first, author, '-1')
    }
    if (random.happens(0.3)) addComment(forge, pullRequest, author, 'Ready.')
    clock.advance(step)
    if (random.happens(0.97)) mergePullRequest(forge, pullRequest, random.pick(people), 'squash')
  }
  return { organization, bots }
}
