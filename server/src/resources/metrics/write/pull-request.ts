import type { Evidence, FindingDetails } from './finding-details.ts'
import type { OutcomeSource, ResolvedOutcome } from './outcome.ts'
import type { FinalizedPullRequest, NormalizedFinding, PullRequestMeasures } from './review-payload.ts'

// The JSON documents of a pull_request row. The entries of the endpoints are rendered from them.

export interface StoredFinding {
  readonly finding_id: string
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
  readonly reviewer: string | null
}

export function createFinding(
  { id, url, severity, category, reviewer }: NormalizedFinding,
  accepted: boolean | null,
): StoredFinding {
  return { finding_id: id, url, severity, category, accepted, reviewer }
}

export function parseFindings(text: string): StoredFinding[] {
  return JSON.parse(text) as StoredFinding[]
}

/** Fields that are returned but never filtered by. Names are those at the time of the write. */
export interface PullRequestFacts extends PullRequestMeasures {
  readonly author_username: string | null
  readonly organization_name: string
  readonly repository_name: string | null
}

export function toPullRequestFacts(
  pullRequest: FinalizedPullRequest,
  inventory: { readonly organization: string; readonly repository: string | null },
): PullRequestFacts {
  return {
    author_username: pullRequest.author?.username ?? null,
    organization_name: pullRequest.organization.name ?? inventory.organization,
    repository_name: pullRequest.repository.name ?? inventory.repository,
    created_at: pullRequest.created_at,
    ready_for_review_at: pullRequest.ready_for_review_at,
    first_human_review_at: pullRequest.first_human_review_at,
    last_commit_at: pullRequest.last_commit_at,
    review_iterations: pullRequest.review_iterations,
    estimated_complexity: pullRequest.estimated_complexity,
    estimated_review_minutes: pullRequest.estimated_review_minutes,
  }
}

/** The details of a finding with the reason of its outcome. Absent fields were not sent. */
export interface StoredFindingDetails extends FindingDetails {
  readonly finding_id: string
  readonly outcome?: StoredReason
}

/** Why the outcome of a finding is what it is. */
export interface StoredReason {
  readonly accepted: boolean | null
  readonly source: OutcomeSource
  readonly rule?: string
  readonly evidence?: readonly Evidence[]
}

/** The column `details` of a pull_request row. */
export interface PullRequestDetails {
  readonly reviewers?: readonly string[]
  readonly findings?: readonly StoredFindingDetails[]
}

export function createFindingDetails(
  { id, details }: Pick<NormalizedFinding, 'id' | 'details'>,
  outcome: ResolvedOutcome | null,
  occurredAt: string,
): StoredFindingDetails {
  const posted_at = details?.posted_at
  return {
    finding_id: id,
    ...details,
    ...(posted_at !== undefined && posted_at > occurredAt && { posted_at: occurredAt }),
    ...createReason(outcome),
  }
}

export function withOutcome(before: StoredFindingDetails, outcome: ResolvedOutcome): StoredFindingDetails {
  const { outcome: _before, ...details } = before
  return { ...details, ...createReason(outcome) }
}

function createReason(outcome: ResolvedOutcome | null): { outcome?: StoredReason } {
  if (outcome === null || outcome.source === null) return {}
  const { accepted, source, rule, evidence } = outcome
  return {
    outcome: { accepted, source, ...(rule !== null && { rule }), ...(evidence.length > 0 && { evidence }) },
  }
}

/** null when there is nothing to store. */
export function renderDetails({ reviewers = [], findings = [] }: PullRequestDetails): string | null {
  const filled = findings.filter((finding) => Object.keys(finding).length > 1)
  if (reviewers.length === 0 && filled.length === 0) return null
  return JSON.stringify({
    ...(reviewers.length > 0 && { reviewers }),
    ...(filled.length > 0 && { findings: filled }),
  })
}

export function parseDetails(text: string | null): PullRequestDetails {
  return text === null ? {} : (JSON.parse(text) as PullRequestDetails)
}
