import type { Scope } from '../../../access/scope.ts'
import type { Tx } from '../../../db/transaction.ts'
import { mcpUsageSource } from '../../../metrics-store/source-sql.ts'
import { writeDays } from '../../../metrics-store/write/days-sql.ts'
import { raiseLargest, type WriteHead } from '../../../metrics-store/write/head-sql.ts'
import type { PullRequestKey, RowOwner } from '../../../metrics-store/write/pull-request-sql.ts'
import { readUsage, type UsageRow, upsertUsageRows } from './usage-sql.ts'

/** A finalized pull request, as far as an entry of its usage tells of it. */
export interface UsagePullRequest extends PullRequestKey, RowOwner {
  readonly provider_organization_id: string
  readonly url: string
  readonly author_id: string | null
  readonly status: 'merged' | 'closed'
  readonly merged_at: string | null
  readonly day: string
  readonly week: number
}

interface PullRequestChange {
  readonly before: { readonly position: number } | undefined
  readonly after: UsagePullRequest & { readonly position: number }
}

/**
 * Brings what pull requests used to where they were written, under the lock of the head. One whose findings alone were judged
 * has kept its position, and nothing is done about it; nor in a root that never told of usage.
 */
export async function rewriteUsage(
  scope: Scope,
  tx: Tx,
  head: WriteHead,
  rewritten: readonly PullRequestChange[],
): Promise<void> {
  const moved = rewritten.filter(({ before, after }) => before?.position !== after.position)
  if (head.largest_mcp === 0 || moved.length === 0) return
  const pullRequests = moved.map(({ after }) => after)
  const usage = await readUsage(scope, tx, pullRequests)
  const rows = usage.flatMap(({ place: ordinal, servers }) => {
    const pullRequest = pullRequests[ordinal - 1]
    return pullRequest === undefined ? [] : [toUsageRow(pullRequest, servers, pullRequest.position)]
  })
  await writeUsage(scope, tx, head, rows)
}

/** `servers` is the JSON that was added up. */
export function toUsageRow(pullRequest: UsagePullRequest, servers: string, position: number): UsageRow {
  if (pullRequest.status === 'closed') return toHiddenUsageRow(pullRequest, pullRequest, servers)
  const { author_id, day, week } = pullRequest
  const entry = renderEntry(pullRequest, servers)
  return { ...toHiddenUsageRow(pullRequest, pullRequest, servers), author_id, day, week, position, entry }
}

/** Usage of a pull request that is not shown: it is not known, or was not merged. */
export function toHiddenUsageRow(
  { provider, host, repository_id, number }: PullRequestKey,
  { organization_id, instance_id }: RowOwner,
  servers: string,
): UsageRow {
  return {
    provider,
    host,
    repository_id,
    number,
    organization_id,
    instance_id,
    author_id: null,
    day: null,
    week: null,
    position: null,
    servers,
    entry: null,
  }
}

function renderEntry(pullRequest: UsagePullRequest, servers: string): string {
  const fields = JSON.stringify({
    pr_url: pullRequest.url,
    organization_id: pullRequest.provider_organization_id,
    repository_id: pullRequest.repository_id,
    author_id: pullRequest.author_id,
    merged_at: pullRequest.merged_at,
  })
  return `${fields.slice(0, -1)},"servers":${servers},"completeness":"best_effort"}`
}

export async function writeUsage(
  scope: Scope,
  tx: Tx,
  head: WriteHead,
  rows: readonly UsageRow[],
): Promise<void> {
  if (rows.length === 0) return
  const shown = rows.flatMap(({ day, position }) =>
    day === null || position === null ? [] : [{ day, position }],
  )
  await Promise.all([
    upsertUsageRows(scope, tx, rows),
    writeDays(mcpUsageSource, scope, tx, shown),
    raiseLargest(scope, tx, head, { largest_mcp: rows.map(({ entry, servers }) => entry ?? servers) }),
  ])
}
