import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../../../ids.ts'
import { type MetricsSource, reviewCommentsSource } from '../../../metrics-store/source-sql.ts'
import type { Evidence } from '../write/finding-details.ts'
import type { FindingRow } from '../write/rows.ts'

/** The columns that a finding returns. */
export type ListedFinding = Pick<
  FindingRow,
  | 'finding_id'
  | 'reviewer'
  | 'severity'
  | 'category'
  | 'accepted'
  | 'source'
  | 'rule'
  | 'file'
  | 'start_line'
  | 'end_line'
  | 'posted_at'
  | 'url'
  | 'posted_as'
> & { readonly evidence: readonly Evidence[] | null }

/** A pull request with everything that its findings return, as JSON. */
export interface FindingsRow {
  readonly key: string
  readonly day: string
  readonly url: string
  readonly organization: string
  readonly repository: string
  readonly findings: readonly ListedFinding[]
}

const findingsSql = `(
    select json_agg(json_build_object('finding_id', f.finding_id, 'reviewer', f.reviewer, 'severity', f.severity,
      'category', f.category, 'accepted', f.accepted, 'source', f.source, 'rule', f.rule, 'evidence', f.evidence, 'file', f.file,
      'start_line', f.start_line, 'end_line', f.end_line, 'posted_at', ${renderUtc('f.posted_at')}, 'url', f.url,
      'posted_as', f.posted_as) order by f.ordinal)
    from finding f where f.root_id = pull_request.root_id and f.pull_request_key = pull_request.pull_request_key)`

/** The pull requests of review comments. They are read row by row, so their size is not limited. */
export const findingsSource: MetricsSource = {
  ...reviewCommentsSource,
  name: 'findings',
  entrySql: `json_build_object('key', pull_request_key, 'day', day::text, 'url', url, 'organization', provider_organization_id,
  'repository', repository_id, 'findings', ${findingsSql})::text`,
}

/** A pull request that the prefix of a finding's id may mean. */
export interface PullRequestCandidate extends FindingsRow {
  readonly provider: string
  readonly host: string
  readonly number: number
  readonly organizationId: OrganizationId
  readonly instanceId: InstanceId | null
}

const MAX_CANDIDATES = 100

// A finding's id begins with the key of its pull request. The prefix has 48 bits: two pull requests of a root may share one, and
// the rest of the id decides.
const selectByPrefix = statement(
  'findings.by-prefix',
  `select pull_request_key as key, day::text as day, url, provider_organization_id as organization, repository_id as repository,
     ${findingsSql} as findings, provider, host, number, organization_id as "organizationId", instance_id as "instanceId"
   from pull_request
   where root_id = $1 and pull_request_key between ($2 || '-0000-0000-000000000000')::uuid and ($2 || '-ffff-ffff-ffffffffffff')::uuid
     and ($3::uuid[] is null or organization_id = any ($3)) and organization_id <> all ($4::uuid[]) and counted
   limit ${MAX_CANDIDATES}`,
)

/** `prefix` is the first two parts of a finding's id. */
export function findByPrefix(
  { root, organizations }: Scope,
  tx: Tx,
  prefix: string,
  hidden: readonly string[],
): Promise<PullRequestCandidate[]> {
  return tx.query<PullRequestCandidate>(selectByPrefix, [root, prefix, organizations, hidden])
}
