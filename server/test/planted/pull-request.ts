import { createUsageEvent, storeUsageEvents } from '../metrics/usage.ts'
import { createEventGenerator, storeEvents, toReviewTarget } from '../pull-requests.ts'
import type { TestOrganization } from '../tenant.ts'

type Writer = Parameters<typeof storeEvents>[0]

export interface PlantedPullRequest {
  /** The merge day, `YYYY-MM-DD`. */
  readonly day: string
  /** Part of every text: the URL, the finding and its URL, the tool that was used, and the responses about them. */
  readonly word: string
  readonly number?: number
  readonly authorId?: string
  readonly repositoryId?: string
  readonly provider?: string
}

/** Plants a merged pull request, then an outcome of its finding and a used tool: all that readers can see. */
export async function plantPullRequest(
  writer: Writer,
  organization: TestOrganization,
  { day, word, number = 1, authorId = '7', repositoryId, provider }: PlantedPullRequest,
): Promise<void> {
  const target = toReviewTarget(organization)
  const repository = { id: repositoryId ?? target.repositories[0]?.id ?? word, name: word }
  const url = `https://git.example.com/${word}/pull/${number}`
  const finding = { id: `${word}-${number}`, url: `${url}#1`, severity: null, category: null, reviewer: word }
  const generator = createEventGenerator()
  const finalized = generator.finalized(
    provider ? { ...target, provider, host: `${provider}.com` } : target,
    {
      event_id: `${word}-${number}`,
      occurred_at: `${day}T12:00:01.000Z`,
      repository,
      number,
      url,
      merged_at: `${day}T12:00:00.000Z`,
      author: { id: authorId, username: null },
      findings: [finding],
      // Two, so that a comparison of reviewers names them.
      reviewers: [word, `${word}-other`],
    },
  )
  const outcome = generator.outcome(finalized, {
    event_id: `${word}-${number}-accepted`,
    accepted: true,
    source: 'detector',
  })
  for (const event of [finalized, outcome]) {
    const deferred = await storeEvents(writer, organization.root, [event])
    if (deferred.length > 0) throw new Error('The planted pull request matches no organization.')
  }
  await storeUsageEvents(writer, organization.root, [
    createUsageEvent(finalized, [`${word}/${word}`], `${word}-${number}`),
  ])
}
