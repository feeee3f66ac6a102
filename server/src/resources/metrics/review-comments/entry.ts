/** The fields by which a client recognizes the entry of a pull request. */
export interface EntryIdentity {
  readonly url: string
  readonly provider_organization_id: string
  readonly repository_id: string
}

interface MergedPullRequest extends EntryIdentity {
  readonly author_id: string | null
  readonly merged_at: string | null
}

interface CommentedFinding {
  readonly url: string
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
}

/** The entry of GET /v1/metrics/review-comments. */
export function renderEntry(row: MergedPullRequest, findings: readonly CommentedFinding[]): string {
  return JSON.stringify({
    ...toMergedFields(row),
    coderabbit_comments: findings.map(({ url, severity, category, accepted }) => ({
      url,
      severity,
      category,
      accepted,
    })),
  })
}

/** A change of GET /v1/metrics/review-comments/changes: the pull request is no longer an entry. */
export function renderRemoval(position: number, row: EntryIdentity, at: string, reason?: 'expired'): string {
  return JSON.stringify({ position, kind: 'removed', ...toIdentityFields(row), reason, at })
}

export interface ChangedOutcome {
  readonly finding_id: string
  readonly accepted: boolean | null
  readonly at: string
}

/** A change of GET /v1/metrics/review-comments/changes: the outcome of one finding. */
export function renderOutcome(
  position: number,
  row: EntryIdentity,
  { finding_id, accepted, at }: ChangedOutcome,
): string {
  return JSON.stringify({ position, kind: 'outcome', ...toIdentityFields(row), finding_id, accepted, at })
}

/** The first fields of the entries of merged pull requests. */
export function toMergedFields(row: MergedPullRequest) {
  return { ...toIdentityFields(row), author_id: row.author_id, merged_at: row.merged_at }
}

function toIdentityFields({ url, provider_organization_id, repository_id }: EntryIdentity) {
  return { pr_url: url, organization_id: provider_organization_id, repository_id }
}
