import { hash } from 'node:crypto'
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

export function toFindingRecords({
  key,
  day,
  url,
  organization,
  repository,
  findings,
}: FindingsRow): FindingRecord[] {
  return findings.map((finding) => ({
    id: toFindingId(key, finding.finding_id),
    finding_id: finding.finding_id,
    pull_request_key: key,
    counted_on: day,
    pr_url: url,
    organization_id: organization,
    repository_id: repository,
    reviewer: finding.reviewer,
    severity: finding.severity,
    category: finding.category,
    accepted: finding.accepted,
    source: finding.source,
    rule: finding.rule,
    evidence: (finding.evidence ?? []).map(({ kind, at }) => ({ kind, at })),
    file: finding.file,
    start_line: finding.start_line,
    end_line: finding.end_line,
    posted_at: finding.posted_at,
    comment_url: finding.url,
    posted_as: finding.posted_as,
  }))
}
