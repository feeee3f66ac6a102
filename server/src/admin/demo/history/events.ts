import type {
  FinalizedEvent,
  FinalizedPullRequest,
  NormalizedFinding,
  OutcomeEvent,
  ReviewEvent,
} from '../../../resources/review-comments/payload.ts'
import type { DemoRoot } from '../cast.ts'
import { commentUrlOf, hostOf, pullRequestUrl } from './addresses.ts'
import type { Span } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'
import { findingsOf } from './findings.ts'
import { type Outcome, outcomesOf } from './outcomes.ts'
import { type PullRequest, pullRequestsOf } from './pull-requests.ts'

const MINUTES = [5, 11, 24, 48, 85]

/** All that a reviewer would have sent about the pull requests of a tenant, in the order of time. */
export function eventsOf(root: DemoRoot, span: Span, seeding: string): ReviewEvent[] {
  const events = root.organizations
    .flatMap((organization) => pullRequestsOf(root, organization, span))
    .flatMap((pullRequest) => tell(root, pullRequest, span, seeding))
  return events.sort((one, other) => (one.occurred_at < other.occurred_at ? -1 : 1))
}

function tell(root: DemoRoot, pullRequest: PullRequest, span: Span, seeding: string): ReviewEvent[] {
  const { repository, number, organization } = pullRequest
  const chance = chanceOf(`pull request/${repository.repositoryId}/${number}`)
  const findings = findingsOf(chance, pullRequest, commentUrlOf(root, pullRequest))
  const name = `${seeding}-${repository.repositoryId}-${number}`
  const id = organization.orgId
  const of = {
    organization: { provider: organization.provider, host: hostOf(root, organization), id },
    repository: { id: repository.repositoryId },
    number,
  }
  const outcomes = outcomesOf(chance, pullRequest, findings, span)
  return [
    ...tellFinalized(chance, root, pullRequest, findings, name),
    ...outcomes.map((outcome, index) => tellOutcome(of, outcome, `${name}-outcome-${index + 1}`)),
  ]
}

function tellOutcome(
  of: Pick<OutcomeEvent['payload'], 'organization' | 'repository' | 'number'>,
  { finding, accepted, source, at }: Outcome,
  id: string,
): OutcomeEvent {
  const payload = { ...of, finding_id: finding, accepted, source }
  return { id, type: 'finding.outcome', version: 1, occurred_at: timeOf(at), payload }
}

function tellFinalized(
  chance: Chance,
  root: DemoRoot,
  pullRequest: PullRequest,
  findings: readonly NormalizedFinding[],
  name: string,
): FinalizedEvent[] {
  const { fate, createdAt, finalizedAt } = pullRequest
  const told = describe(chance, root, pullRequest, findings)
  const event = (at: number, payload: FinalizedPullRequest, part: number): FinalizedEvent => {
    const occurred_at = timeOf(at + chance.integer(2000, 40_000))
    return { id: `${name}-${part}`, type: 'pull_request.finalized', version: 1, occurred_at, payload }
  }
  const end = timeOf(finalizedAt)
  switch (fate) {
    case 'merged':
      return [event(finalizedAt, { ...told, status: 'merged', merged_at: end, closed_at: end }, 1)]
    case 'timeless':
      return [event(finalizedAt, { ...told, status: 'merged', merged_at: null, closed_at: null }, 1)]
    case 'closed':
      return [event(finalizedAt, { ...told, status: 'closed', merged_at: null, closed_at: end }, 1)]
    case 'reopened': {
      const at = Math.floor(createdAt + (finalizedAt - createdAt) * chance.between(0.3, 0.7))
      const some = findings.slice(0, Math.ceil(findings.length * 0.7))
      const [status, merged_at] = chance.yes(0.3)
        ? (['merged', timeOf(at)] as const)
        : (['closed', null] as const)
      const first = {
        ...told,
        status,
        merged_at,
        closed_at: timeOf(at),
        findings: some,
        last_commit_at: null,
      }
      return [
        event(at, first, 1),
        event(finalizedAt, { ...told, status: 'merged', merged_at: end, closed_at: end }, 2),
      ]
    }
  }
}

function describe(
  chance: Chance,
  root: DemoRoot,
  pullRequest: PullRequest,
  findings: readonly NormalizedFinding[],
): Omit<FinalizedPullRequest, 'status' | 'merged_at' | 'closed_at'> {
  const { organization, repository, number, author, complexity, reviewedAt } = pullRequest
  const { provider, orgId: id, name } = organization
  const estimated = chance.yes(0.96)
  const minutes = Math.round(chance.around(MINUTES[complexity - 1] ?? 0, 0.35) * 10) / 10
  // Accounts that were deleted since are not told.
  const known = chance.yes(0.988)
  return {
    organization: { provider, host: hostOf(root, organization), id, name },
    repository: { id: repository.repositoryId, name: repository.name },
    number,
    url: pullRequestUrl(root, pullRequest),
    author: known ? { id: author.id, username: author.username } : null,
    created_at: timeOf(pullRequest.createdAt),
    ready_for_review_at: timeOf(pullRequest.readyAt),
    first_human_review_at: reviewedAt === null ? null : timeOf(reviewedAt),
    last_commit_at: timeOf(pullRequest.lastCommitAt),
    review_iterations: findings.length === 0 ? 1 : 1 + Math.min(9, chance.count(0.4 * complexity)),
    estimated_complexity: estimated ? complexity : null,
    estimated_review_minutes: estimated ? minutes : null,
    findings,
  }
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
