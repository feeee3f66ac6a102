import { hash } from 'node:crypto'
import type {
  PullRequestDetails,
  StoredFinding,
  StoredFindingDetails,
  StoredReason,
} from '../write/pull-request.ts'
import type { FindingRecord } from './schema.ts'
import type { FindingsRow } from './sql.ts'

const PREFIX_LENGTH = 13

/**
 * A UUID (version 8) over the key of the pull request and the id of the finding in it. It begins as the key does, so that the
 * pull request can be found by it.
 */
function toFindingId(pullRequestKey: string, findingId: string): string {
  const digest = hash('sha256', `${pullRequestKey}\n${findingId}`)
  const [version, variant, rest] = [digest.slice(0, 3), digest.slice(3, 6), digest.slice(6, 18)]
  return `${pullRequestKey.slice(0, PREFIX_LENGTH)}-8${version}-8${variant}-${rest}`
}

/** The part of an id that its pull request shares. */
export function getKeyPrefix(id: string): string {
  return id.slice(0, PREFIX_LENGTH)
}

export function toFindingRecords(row: FindingsRow): FindingRecord[] {
  return joinDetails(row.findings, row.details).map(([finding, details]) => {
    const { finding_id, url, severity, category, accepted, reviewer } = finding
    return {
      id: toFindingId(row.key, finding_id),
      finding_id,
      pull_request_key: row.key,
      counted_on: row.day,
      pr_url: row.url,
      organization_id: row.organization,
      repository_id: row.repository,
      reviewer,
      severity,
      category,
      accepted,
      ...toReason(accepted, details?.outcome),
      file: details?.file ?? null,
      start_line: details?.start_line ?? null,
      end_line: details?.end_line ?? null,
      posted_at: details?.posted_at ?? null,
      comment_url: url,
      posted_as: details?.posted_as ?? null,
    }
  })
}

function toReason(
  accepted: boolean | null,
  stored: StoredReason | undefined,
): Pick<FindingRecord, 'source' | 'rule' | 'evidence'> {
  if (stored?.accepted !== accepted) return { source: null, rule: null, evidence: [] }
  const { source, rule = null, evidence = [] } = stored
  return { source, rule, evidence: evidence.map(({ kind, at }) => ({ kind, at })) }
}

/** Each finding with its details, if it has any. */
export function joinDetails(
  findings: readonly StoredFinding[],
  details: PullRequestDetails | null,
): (readonly [StoredFinding, StoredFindingDetails | undefined])[] {
  const byId = new Map(details?.findings?.map((finding) => [finding.finding_id, finding]))
  return findings.map((finding) => [finding, byId.get(finding.finding_id)])
}
