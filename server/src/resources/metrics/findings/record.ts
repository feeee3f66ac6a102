import type {
  PullRequestDetails,
  StoredFinding,
  StoredFindingDetails,
  StoredReason,
} from '../write/pull-request.ts'
import { toFindingId } from './finding-id.ts'
import type { FindingRecord } from './schema.ts'
import type { FindingsRow } from './sql.ts'

export function toFindingRecords(row: FindingsRow): FindingRecord[] {
  return joinDetails(row.findings, row.details).map(([finding, details]) => {
    const { finding_id, url, severity, category, accepted, reviewer } = finding
    const { file, start_line, end_line, posted_at, posted_as } = toLocation(details)
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
      file,
      start_line,
      end_line,
      posted_at,
      comment_url: url,
      posted_as,
    }
  })
}

function toLocation(
  details: StoredFindingDetails | undefined,
): Pick<FindingRecord, 'file' | 'start_line' | 'end_line' | 'posted_at' | 'posted_as'> {
  const {
    file = null,
    start_line = null,
    end_line = null,
    posted_at = null,
    posted_as = null,
  } = details ?? {}
  return { file, start_line, end_line, posted_at, posted_as }
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
