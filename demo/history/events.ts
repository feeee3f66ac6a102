// Generates the events that a reviewer would have sent about a tenant's pull requests.
import { type Data, type Tenant, toReference } from '../data.ts'
import type { IngestEvent } from '../service.ts'
import { type Period, toTimestamp } from './calendar.ts'
import { detailsOf, reasonOf, reviewersOf } from './finding-details.ts'
import { type Finding, findingsOf } from './findings.ts'
import { mcpUsageOf } from './mcp-usage.ts'
import { outcomesOf } from './outcomes.ts'
import { type PullRequest, pullRequestsOf } from './pull-requests.ts'
import { type Random, randomOf } from './random.ts'

export interface History {
  readonly pullRequests: number
  /** Sorted by time. */
  readonly events: readonly IngestEvent[]
}

const reviewMinutes = [5, 11, 24, 48, 85]

export function historyOf(data: Data, tenant: Tenant, period: Period, prefix: string): History {
  const pullRequests = tenant.organizations
    .flatMap((organization) => pullRequestsOf(tenant, organization, period))
    .sort((a, b) => a.finalizedAt - b.finalizedAt)
  const events = pullRequests.flatMap((pullRequest, index) => {
    const { repository, number } = pullRequest
    const id = `${prefix}-${repository.repository_id}-${number}`
    return [
      ...reviewEvents(data, tenant, pullRequest, period, id),
      ...usageEvents(data, pullRequest, index / pullRequests.length, id),
    ]
  })
  events.sort((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1))
  return { pullRequests: pullRequests.length, events }
}

function reviewEvents(
  { repositoryKinds }: Data,
  tenant: Tenant,
  pullRequest: PullRequest,
  period: Period,
  id: string,
): IngestEvent[] {
  const { repository, number, organization } = pullRequest
  const kind = repositoryKinds.get(repository.kind)
  if (kind === undefined) throw new Error(`${repository.name} has an unknown kind: ${repository.kind}`)
  const random = randomOf(`pull request/${repository.repository_id}/${number}`)
  const findings = findingsOf(random, pullRequest, kind, commentUrls(tenant, pullRequest))
  const outcomes = outcomesOf(random, pullRequest, findings, period)
  return [
    ...finalizedEvents(random, pullRequest, findings, id),
    ...outcomes.map((outcome, index): IngestEvent => {
      const { finding, accepted, source, at } = outcome
      return {
        id: `${id}-outcome-${index + 1}`,
        type: 'finding.outcome',
        version: 1,
        occurred_at: toTimestamp(at),
        payload: {
          organization: toReference(organization),
          repository: { id: repository.repository_id },
          number,
          finding_id: finding,
          accepted,
          source,
          ...reasonOf(pullRequest, outcome),
        },
      }
    }),
  ]
}

function usageEvents(data: Data, pullRequest: PullRequest, fraction: number, id: string): IngestEvent[] {
  const { repository, number, organization, finalizedAt } = pullRequest
  const servers = mcpUsageOf(data, pullRequest, fraction)
  if (servers.length === 0) return []
  const of = { organization: toReference(organization), repository: { id: repository.repository_id }, number }
  const occurred_at = toTimestamp(finalizedAt)
  return [{ id: `${id}-mcp`, type: 'mcp.used', version: 1, occurred_at, payload: { ...of, servers } }]
}

function finalizedEvents(
  random: Random,
  pullRequest: PullRequest,
  findings: readonly Finding[],
  id: string,
): IngestEvent[] {
  const { ending, createdAt, finalizedAt } = pullRequest
  const facts = describe(random, pullRequest, findings)
  const event = (at: number, payload: object, part: number): IngestEvent => {
    const occurred_at = toTimestamp(at + random.integer(2000, 40_000))
    return { id: `${id}-${part}`, type: 'pull_request.finalized', version: 1, occurred_at, payload }
  }
  const end = toTimestamp(finalizedAt)
  switch (ending) {
    case 'merged':
      return [event(finalizedAt, { ...facts, status: 'merged', merged_at: end, closed_at: end }, 1)]
    case 'merged_at_unknown_time':
      return [event(finalizedAt, { ...facts, status: 'merged', merged_at: null, closed_at: null }, 1)]
    case 'closed':
      return [event(finalizedAt, { ...facts, status: 'closed', merged_at: null, closed_at: end }, 1)]
    case 'reopened': {
      const at = Math.floor(createdAt + (finalizedAt - createdAt) * random.between(0.3, 0.7))
      const some = facts.findings.slice(0, Math.ceil(findings.length * 0.7))
      const closed_at = toTimestamp(at)
      const first = random.chance(0.3)
        ? { status: 'merged', merged_at: closed_at }
        : { status: 'closed', merged_at: null }
      return [
        event(at, { ...facts, ...first, closed_at, findings: some, last_commit_at: null }, 1),
        event(finalizedAt, { ...facts, status: 'merged', merged_at: end, closed_at: end }, 2),
      ]
    }
  }
}

function describe(random: Random, pullRequest: PullRequest, findings: readonly Finding[]) {
  const { organization, repository, number, author, complexity, reviewedAt } = pullRequest
  const isEstimated = random.chance(0.96)
  const minutes = Math.round(random.around(reviewMinutes[complexity - 1] ?? 0, 0.35) * 10) / 10
  // Some accounts have been deleted since.
  const isAuthorKnown = random.chance(0.988)
  const details = detailsOf(pullRequest, findings)
  return {
    organization: { ...toReference(organization), name: organization.name },
    repository: { id: repository.repository_id, name: repository.name },
    number,
    url: pullRequestUrl(pullRequest),
    author: isAuthorKnown ? { id: author.id, username: author.username } : null,
    created_at: toTimestamp(pullRequest.createdAt),
    ready_for_review_at: toTimestamp(pullRequest.readyAt),
    first_human_review_at: reviewedAt === null ? null : toTimestamp(reviewedAt),
    last_commit_at: toTimestamp(pullRequest.lastCommitAt),
    review_iterations: findings.length === 0 ? 1 : 1 + Math.min(9, random.count(0.4 * complexity)),
    estimated_complexity: isEstimated ? complexity : null,
    estimated_review_minutes: isEstimated ? minutes : null,
    findings: findings.map((finding, index) => ({ ...finding, ...details[index] })),
    reviewers: reviewersOf(pullRequest),
  }
}

function pullRequestUrl({ organization, repository, number }: PullRequest): string {
  const owner = organization.name.toLowerCase().replaceAll(' ', '-')
  const repositoryUrl = `https://${organization.host}/${owner}/${repository.name}`
  return organization.provider === 'github'
    ? `${repositoryUrl}/pull/${number}`
    : `${repositoryUrl}/-/merge_requests/${number}`
}

/** Providers number comments by time; a self-hosted provider has fewer of them. */
function commentUrls(tenant: Tenant, pullRequest: PullRequest): (index: number) => string {
  const anchor = pullRequest.organization.provider === 'github' ? 'discussion_r' : 'note_'
  const millisecondsPerComment = tenant.kind === 'instance' ? 200_000 : 100
  const first = Math.floor((pullRequest.readyAt - Date.UTC(2020, 0)) / millisecondsPerComment)
  return (index) => `${pullRequestUrl(pullRequest)}#${anchor}${first + index}`
}
