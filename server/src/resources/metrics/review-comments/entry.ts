import { countFindings } from '../../../metrics-store/findings.ts'
import type { FinalizedPullRequest, NormalizedFinding } from '../ingest/review-payload.ts'
import type { PullRequestRow } from '../ingest/sql.ts'

/** A finding as it is stored with its pull request. */
export interface StoredFinding {
  readonly finding_id: string
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
  readonly reviewer: string | null
}

/** By what readers know an entry. */
export interface EntryIdentity {
  readonly url: string
  readonly provider_organization_id: string
  readonly repository_id: string
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

export function renderEntry(
  row: EntryIdentity & { readonly author_id: string | null; readonly merged_at: string | null },
  findings: readonly StoredFinding[],
): string {
  return JSON.stringify({
    pr_url: row.url,
    organization_id: row.provider_organization_id,
    repository_id: row.repository_id,
    author_id: row.author_id,
    merged_at: row.merged_at,
    coderabbit_comments: findings.map(({ url, severity, category, accepted }) => ({
      url,
      severity,
      category,
      accepted,
    })),
  })
}

/** What is told of a pull request and not searched by; names as of the write. */
interface PullRequestFacts {
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
  organizationName: string,
): PullRequestFacts {
  return {
    author_username: pullRequest.author?.username ?? null,
    organization_name: pullRequest.organization.name ?? organizationName,
    repository_name: pullRequest.repository.name,
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

type ReviewFields = EntryIdentity & Pick<PullRequestRow, 'author_id' | 'status' | 'merged_at' | 'closed_at'>

/** The entry of GET /v1/metrics/reviews: what is known of the pull request, and its findings counted. */
export function renderReview(
  row: ReviewFields,
  facts: PullRequestFacts,
  findings: readonly StoredFinding[],
): string {
  return JSON.stringify({
    pr_url: row.url,
    author_id: row.author_id,
    author_username: facts.author_username,
    organization_id: row.provider_organization_id,
    organization_name: facts.organization_name,
    repository_id: row.repository_id,
    repository_name: facts.repository_name,
    status: row.status,
    created_at: facts.created_at,
    ready_for_review_at: facts.ready_for_review_at,
    first_human_review_at: facts.first_human_review_at,
    last_commit_at: facts.last_commit_at,
    merged_at: row.merged_at,
    closed_at: row.closed_at,
    review_iterations: facts.review_iterations,
    estimated_complexity: facts.estimated_complexity,
    estimated_review_minutes: facts.estimated_review_minutes,
    coderabbit_comments: countFindings(findings),
  })
}

export function renderRemoval(position: number, row: EntryIdentity, at: string): string {
  return JSON.stringify({ position, kind: 'removed', ...toIdentityFields(row), at })
}

export function renderOutcome(
  position: number,
  row: EntryIdentity,
  {
    finding_id,
    accepted,
    at,
  }: { readonly finding_id: string; readonly accepted: boolean | null; readonly at: string },
): string {
  return JSON.stringify({ position, kind: 'outcome', ...toIdentityFields(row), finding_id, accepted, at })
}

function toIdentityFields({ url, provider_organization_id, repository_id }: EntryIdentity) {
  return { pr_url: url, organization_id: provider_organization_id, repository_id }
}
