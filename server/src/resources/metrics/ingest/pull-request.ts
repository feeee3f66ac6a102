import type { FinalizedPullRequest, NormalizedFinding } from './review-payload.ts'

// The JSON documents of a pull_request row. The entries of the endpoints are rendered from them.

export interface StoredFinding {
  readonly finding_id: string
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
  readonly reviewer: string | null
}

export function makeFinding(
  { id, url, severity, category, reviewer }: NormalizedFinding,
  accepted: boolean | null,
): StoredFinding {
  return { finding_id: id, url, severity, category, accepted, reviewer }
}

export function renderFindings(findings: readonly StoredFinding[]): string {
  return JSON.stringify(findings)
}

export function parseFindings(text: string): StoredFinding[] {
  return JSON.parse(text) as StoredFinding[]
}

/** Fields that are returned but never filtered by. Names are those at the time of the write. */
export interface PullRequestFacts {
  readonly author_username: string | null
  readonly organization_name: string
  readonly repository_name: string | null
  readonly created_at: string | null
  readonly ready_for_review_at: string | null
  readonly first_human_review_at: string | null
  readonly last_commit_at: string | null
  readonly review_iterations: number | null
  readonly estimated_complexity: number | null
  readonly estimated_review_minutes: number | null
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

export function renderFacts(facts: PullRequestFacts): string {
  return JSON.stringify(facts)
}

export function parseFacts(text: string): PullRequestFacts {
  return JSON.parse(text) as PullRequestFacts
}
