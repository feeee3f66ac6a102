export interface PullRequestOptions {
  /** ID of the organization, assigned by the Git provider. */
  readonly orgId: string
  readonly number: number
  readonly findings: number
  /** Characters that each finding adds. */
  readonly padding?: number
}

/** An event of a merged pull request. */
export function createPullRequestEvent({ orgId, number, findings, padding = 0 }: PullRequestOptions) {
  const at = new Date().toISOString()
  const url = `https://git.example.com/${orgId}/pull/${number}`
  return {
    id: `pull-request-${orgId}-${number}`,
    type: 'pull_request.finalized',
    version: 1,
    occurred_at: at,
    payload: {
      organization: { provider: 'github', id: orgId },
      repository: { id: '1' },
      number,
      url,
      status: 'merged',
      merged_at: at,
      findings: Array.from({ length: findings }, (_, index) => ({
        id: `${number}-${index}`,
        url: `${url}#${'x'.repeat(padding)}${index}`,
      })),
    },
  }
}
