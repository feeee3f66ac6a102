import type { Scope } from '../../access/scope.ts'
import type { ResolvedOrganization } from '../../bus/queue/sql.ts'
import { statement } from '../../db/connect.ts'
import { renderUtc } from '../../db/sql-text.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import { REDACTOR_VERSION } from '../../text/redact.ts'
import type { Finding, Suppression } from './finding.ts'
import type { DismissalDecision, FindingState, FindingStatus, LastSeenBySeries } from './state.ts'

/** The columns that identify a finding and determine its state. */
export interface KnownFinding {
  readonly id: string
  readonly rule_id: string
  readonly fingerprint: string
  readonly given_fingerprint: string | null
  readonly file_path: string
  readonly start_line: number | null
  readonly end_line: number | null
  readonly code: string
  readonly facts_hash: string
  readonly state: FindingState
  readonly scan_id: string
  readonly first_seen_at: string
  readonly last_seen_at: string
  readonly lanes: LastSeenBySeries
  readonly decision: DismissalDecision | null
  readonly suppression: Suppression | null
}

/** A finding to write. */
export interface WrittenFinding
  extends FindingStatus,
    Pick<
      KnownFinding,
      | 'id'
      | 'fingerprint'
      | 'scan_id'
      | 'first_seen_at'
      | 'last_seen_at'
      | 'lanes'
      | 'decision'
      | 'suppression'
      | 'facts_hash'
    > {
  /** Whether the finding moves to the end of the write order. */
  readonly moves: boolean
  /** The reported values; null leaves the stored ones unchanged. */
  readonly facts: Finding | null
}

/** Where findings are written, with current names. */
export interface FindingsTarget {
  readonly organization: ResolvedOrganization
  readonly repository: string
  readonly repositoryName: string
  readonly tool: string
}

// Locked before any read, so that what is read stays valid until the commit.
const lockHeadRow = statement(
  'security-scans.lock-head',
  `insert into security_head as h (root_id, position) values ($1, 0)
   on conflict (root_id) do update set position = h.position returning position`,
)

const updateHead = statement(
  'security-scans.advance-head',
  'update security_head set position = $2 where root_id = $1',
)

// Times are selected as strings that compare like times.
const selectUtc = (column: string) => `${renderUtc(column)} as ${column}`

const knownColumns = `id, rule_id, fingerprint, given_fingerprint, file_path, start_line, end_line, code, facts_hash, state,
  scan_id, ${selectUtc('first_seen_at')}, ${selectUtc('last_seen_at')}, lanes, decision, suppression`

const selectKnown = statement(
  'security-scans.known',
  `select ${knownColumns} from security_finding
   where root_id = $1 and organization_id = $2 and repository_id = $3 and tool = $4 order by id`,
)

const selectFinding = statement(
  'security-scans.named',
  `select ${knownColumns}, repository_id, tool from security_finding
   where root_id = $1 and organization_id = $2 and id = $3`,
)

const selectRepositoryName = statement(
  'security-scans.repository-name',
  'select name from repository where root_id = $1 and organization_id = $2 and provider_repository_id = $3',
)

const given = `json_to_recordset($2) as given (id uuid, fingerprint text, given_fingerprint text, scan_id text,
  severity text, state text, dismissal_reason text, dismissal_comment text, dismissed_by text, dismissed_at timestamptz,
  cwe text, title text, description text, file_path text, start_line integer, end_line integer, rule_id text,
  first_seen_at timestamptz, last_seen_at timestamptz, code text, facts_hash text, lanes jsonb, decision jsonb,
  suppression jsonb, position bigint, has_facts boolean)`

const insert = statement(
  'security-scans.insert',
  `insert into security_finding (root_id, organization_id, instance_id, provider, host, provider_organization_id,
     organization_name, repository_id, repository_name, tool, redactor_version, id, fingerprint, given_fingerprint,
     scan_id, severity, state, dismissal_reason, dismissal_comment, dismissed_by, dismissed_at, cwe, title, description,
     file_path, start_line, end_line, rule_id, first_seen_at, last_seen_at, code, facts_hash, lanes, decision, suppression,
     position)
   select $1, target.organization_id, instance_id, provider, host, provider_organization_id, organization_name,
     target.repository_id, repository_name, tool, $4, id, fingerprint, given_fingerprint, scan_id, severity, state,
     dismissal_reason, dismissal_comment, dismissed_by, dismissed_at, cwe, title, description, file_path, start_line,
     end_line, rule_id, first_seen_at, last_seen_at, code, facts_hash, lanes, decision, suppression, position
   from ${given}, json_to_record($3) as target (organization_id uuid, instance_id uuid, provider text, host text,
     provider_organization_id text, organization_name text, repository_id text, repository_name text, tool text)`,
)

const update = statement(
  'security-scans.update',
  `update security_finding f set organization_name = $4, repository_name = coalesce($5, f.repository_name),
     scan_id = given.scan_id, state = given.state, dismissal_reason = given.dismissal_reason,
     dismissal_comment = given.dismissal_comment, dismissed_by = given.dismissed_by, dismissed_at = given.dismissed_at,
     first_seen_at = given.first_seen_at, last_seen_at = given.last_seen_at, facts_hash = given.facts_hash,
     lanes = given.lanes, decision = given.decision, suppression = given.suppression,
     position = coalesce(given.position, f.position),
     severity = case when has_facts then given.severity else f.severity end,
     cwe = case when has_facts then given.cwe else f.cwe end,
     title = case when has_facts then given.title else f.title end,
     description = case when has_facts then given.description else f.description end,
     file_path = case when has_facts then given.file_path else f.file_path end,
     start_line = case when has_facts then given.start_line else f.start_line end,
     end_line = case when has_facts then given.end_line else f.end_line end,
     given_fingerprint = case when has_facts then given.given_fingerprint else f.given_fingerprint end,
     code = case when has_facts then given.code else f.code end,
     redactor_version = case when has_facts then $6 else f.redactor_version end
   from ${given}
   where f.root_id = $1 and f.organization_id = $3 and f.id = given.id`,
)

// Deletes the fixed findings that were last seen longest ago. Open and dismissed findings are never deleted.
const deleteFixed = statement(
  'security-scans.delete-findings',
  `delete from security_finding where root_id = $1 and organization_id = $2 and id in (
     select id from security_finding
     where root_id = $1 and organization_id = $2 and repository_id = $3 and tool = $4 and state = 'fixed'
     order by last_seen_at, id limit $5)`,
)

/** Locks the head and returns the last assigned position. Call it before any read. */
export async function lockSecurityHead(scope: Scope, tx: Tx): Promise<number> {
  const head = await tx.one<{ position: number | string }>(lockHeadRow, [scope.root])
  return Number(head.position)
}

export async function advanceSecurityHead(scope: Scope, tx: Tx, position: number): Promise<void> {
  await tx.query(updateHead, [scope.root, position])
}

/** All stored findings of the tool in the repository. */
export function readKnownFindings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repository: string,
  tool: string,
): Promise<KnownFinding[]> {
  return tx.query(selectKnown, [scope.root, organization, repository, tool])
}

export function readFinding(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: string,
): Promise<(KnownFinding & { readonly repository_id: string; readonly tool: string }) | null> {
  return tx.first<KnownFinding & { repository_id: string; tool: string }>(selectFinding, [
    scope.root,
    organization,
    id,
  ])
}

export async function readRepositoryName(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repository: string,
): Promise<string | null> {
  const found = await tx.first<{ name: string }>(selectRepositoryName, [scope.root, organization, repository])
  return found?.name ?? null
}

export async function insertFindings(
  scope: Scope,
  tx: Tx,
  { organization, repository, repositoryName, tool }: FindingsTarget,
  rows: readonly (WrittenFinding & { readonly position: number })[],
): Promise<void> {
  const { id, name, ...ids } = organization
  const target = {
    ...ids,
    provider_organization_id: id,
    organization_name: name,
    repository_id: repository,
    repository_name: repositoryName,
    tool,
  }
  await tx.query(insert, [scope.root, asJson(rows), JSON.stringify(target), REDACTOR_VERSION])
}

/** Rows without a position, and a target without a repository name, leave the stored values unchanged. */
export async function updateFindings(
  scope: Scope,
  tx: Tx,
  target: { readonly organization: ResolvedOrganization; readonly repositoryName: string | null },
  rows: readonly (WrittenFinding & { readonly position: number | null })[],
): Promise<void> {
  const { organization_id, name } = target.organization
  const values = [scope.root, asJson(rows), organization_id, name, target.repositoryName, REDACTOR_VERSION]
  await tx.query(update, values)
}

export async function deleteOldestFixed(
  scope: Scope,
  tx: Tx,
  { organization, repository, tool }: FindingsTarget,
  count: number,
): Promise<void> {
  await tx.query(deleteFixed, [scope.root, organization.organization_id, repository, tool, count])
}

function asJson(rows: readonly (WrittenFinding & { readonly position: number | null })[]): string {
  return JSON.stringify(
    rows.map(({ facts, ...row }) => ({
      ...row,
      has_facts: facts !== null,
      rule_id: facts?.rule,
      severity: facts?.severity,
      cwe: facts?.cwe,
      title: facts?.title,
      description: facts?.description,
      file_path: facts?.path,
      start_line: facts?.start,
      end_line: facts?.end,
      given_fingerprint: facts?.fingerprint,
      code: facts?.code,
    })),
  )
}
