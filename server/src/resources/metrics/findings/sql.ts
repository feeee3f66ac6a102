import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../../../ids.ts'
import { type MetricsSource, reviewCommentsSource } from '../../../metrics-store/source-sql.ts'
import type { PullRequestDetails, StoredFinding } from '../write/pull-request.ts'

/** A pull request with everything that its findings return, as JSON. */
export interface FindingsRow {
  readonly key: string
  readonly day: string
  readonly url: string
  readonly organization: string
  readonly repository: string
  readonly findings: readonly StoredFinding[]
  readonly details: PullRequestDetails | null
}

const entrySql = `json_build_object('key', pull_request_key(root_id, provider, host, repository_id, number),
  'day', day::text, 'url', url, 'organization', provider_organization_id, 'repository', repository_id,
  'findings', findings, 'details', details)::text`

/** The pull requests of review comments. They are read row by row, so their size is not limited. */
export const findingsSource: MetricsSource = { ...reviewCommentsSource, name: 'findings', entrySql }

/** A pull request that the prefix of a finding's id may mean. */
export interface PullRequestCandidate extends FindingsRow {
  readonly provider: string
  readonly host: string
  readonly number: number
  readonly organizationId: OrganizationId
  readonly instanceId: InstanceId | null
}

// The function finds keys of the root by an index; the join reads their rows under the policies of the request.
const selectByPrefix = statement(
  'findings.by-prefix',
  `select pull_request_key(p.root_id, p.provider, p.host, p.repository_id, p.number) as key, p.day::text as day, p.url,
     p.provider_organization_id as organization, p.repository_id as repository, p.findings, p.details, p.provider, p.host,
     p.number, p.organization_id as "organizationId", p.instance_id as "instanceId"
   from find_pull_requests_by_prefix($2) f
   join pull_request p on p.root_id = $1 and p.provider = f.provider and p.host = f.host
     and p.repository_id = f.repository_id and p.number = f.number
   where ($3::uuid[] is null or p.organization_id = any ($3)) and p.organization_id <> all ($4::uuid[])
     and p.entry is not null`,
)

export function findByPrefix(
  { root, organizations }: Scope,
  tx: Tx,
  prefix: string,
  hidden: readonly string[],
): Promise<PullRequestCandidate[]> {
  return tx.query<PullRequestCandidate>(selectByPrefix, [root, prefix, organizations, hidden])
}
