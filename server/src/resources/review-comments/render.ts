import type { Finalized, KeptFinding } from './payload.ts'

/** A finding as it is stored with its pull request. */
export interface Finding {
  readonly finding_id: string
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
  readonly reviewer: string | null
}

/** By what readers know an entry. */
export interface Named {
  readonly url: string
  readonly provider_organization_id: string
  readonly repository_id: string
}

export function makeFinding(
  { id, url, severity, category, reviewer }: KeptFinding,
  accepted: boolean | null,
): Finding {
  return { finding_id: id, url, severity, category, accepted, reviewer }
}

export function renderFindings(findings: readonly Finding[]): string {
  return JSON.stringify(findings)
}

export function parseFindings(text: string): Finding[] {
  return JSON.parse(text) as Finding[]
}

export function renderEntry(
  row: Named & { readonly author_id: string | null; readonly merged_at: string | null },
  findings: readonly Finding[],
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

/** What is told of a pull request elsewhere; names as of the write. */
export function renderFacts(pullRequest: Finalized, organizationName: string): string {
  return JSON.stringify({
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
  })
}

export function renderRemoval(position: number, row: Named, at: string): string {
  return JSON.stringify({ position, kind: 'removed', ...nameOf(row), at })
}

export function renderOutcome(
  position: number,
  row: Named,
  {
    finding_id,
    accepted,
    at,
  }: { readonly finding_id: string; readonly accepted: boolean | null; readonly at: string },
): string {
  return JSON.stringify({ position, kind: 'outcome', ...nameOf(row), finding_id, accepted, at })
}

function nameOf({ url, provider_organization_id, repository_id }: Named) {
  return { pr_url: url, organization_id: provider_organization_id, repository_id }
}
