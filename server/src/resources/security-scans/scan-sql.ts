import { getSoleOrganization, type Scope } from '../../access/scope.ts'
import type { OrganizationRef } from '../../bus/queue/shapes.ts'
import type { ResolvedOrganization } from '../../bus/queue/sql.ts'
import { statement } from '../../db/connect.ts'
import { renderUtc } from '../../db/sql-text.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import type { Finding } from './finding.ts'
import { type OrderedTimestamp, type ScanSeriesKey, toScanSeriesKey } from './state.ts'

export interface ScanRow {
  readonly organization: ResolvedOrganization
  readonly repository: string
  readonly tool: string
  readonly scan_id: string
  readonly complete: boolean
  readonly branch: string
  readonly category: string
  readonly commit: string | null
  readonly at: string
  readonly event_id: string
}

const insertScan = statement(
  'security-scans.note-scan',
  `insert into security_scan (root_id, organization_id, instance_id, repository_id, tool, scan_id, part, complete, branch,
     category, commit, at, event_id, findings)
   select $1, $2, $3, repository, tool, scan_id, case when complete then '' else event_id end, complete, branch, category,
     commit, at, event_id, findings
   from json_to_record($4) as scan (repository text, tool text, scan_id text, complete boolean, branch text, category text,
     commit text, at timestamptz, event_id text, findings integer)
   on conflict do nothing returning 1 as noted`,
)

const selectLatestComplete = statement(
  'security-scans.completed',
  `select distinct on (branch, category) branch, category,
     ${renderUtc('at')} as at, scan_id as id
   from security_scan
   where root_id = $1 and organization_id = $2 and repository_id = $3 and tool = $4 and complete
   order by branch, category, security_scan.at desc, scan_id collate "C" desc`,
)

// Deletes scans without effect: no finding names them, and a later complete scan of the series exists or it has no findings.
const deleteScans = statement(
  'security-scans.delete-old-scans',
  `delete from security_scan old
   where root_id = $1 and organization_id = $2 and repository_id = $3 and tool = $4 and received_at < $5
     and scan_id <> all ($6::text[]) and (scan_id = any ($7::text[]) or exists (
       select from security_scan later
       where later.root_id = $1 and later.organization_id = $2 and later.repository_id = $3 and later.tool = $4
         and later.branch = old.branch and later.category = old.category and later.at > old.at and later.complete))`,
)

// The organization that the file is for; null if it is unknown as yet and the credential speaks for several.
const selectUploadOrganization = statement(
  'security-scans.upload-organization',
  `select id from organization
   where root_id = $1 and provider = $2 and host = $3 and provider_organization_id = $4
     and ($5::uuid[] is null or id = any ($5))`,
)

const insertUpload = statement(
  'security-scans.insert-upload',
  'insert into sarif_upload (root_id, id, organization_id, created_at, bytes) values ($1, $2, $3, $4, $5)',
)

// The row lock makes the quota exact: uploads of one root are stored one after the other.
const takeQuota = statement(
  'security-scans.take-quota',
  `insert into sarif_upload_usage as u (root_id, bytes) values ($1, $2)
   on conflict (root_id) do update set bytes = u.bytes + excluded.bytes where u.bytes + excluded.bytes <= $3
   returning bytes`,
)

const selectUsage = statement(
  'security-scans.upload-usage',
  'select bytes::float8 as bytes from sarif_upload_usage where root_id = $1',
)

export const selectUsedRootsUnscoped = statement(
  'security-scans.used-roots',
  'select root_id as root from sarif_upload_usage where bytes > 0',
)

const lockUsage = statement(
  'security-scans.lock-usage',
  'select from sarif_upload_usage where root_id = $1 for update',
)

const recountUsage = statement(
  'security-scans.recount-usage',
  `update sarif_upload_usage
   set bytes = (select coalesce(sum(bytes), 0) from sarif_upload where root_id = $1)
   where root_id = $1`,
)

const insertPart = statement(
  'security-scans.insert-upload-part',
  `insert into sarif_upload_part (root_id, upload_id, organization_id, run, part, findings)
   values ($1, $2, $3, $4, $5, $6)`,
)

const selectUploadPart = statement(
  'security-scans.upload-part',
  `select findings from sarif_upload_part
   where root_id = $1 and (organization_id = $2 or organization_id is null)
     and upload_id = $3 and run = $4 and part = $5`,
)

export const selectOldUploadsUnscoped = statement(
  'security-scans.old-uploads',
  `select root_id as root, id from sarif_upload where created_at < $1 order by created_at limit $2`,
)

const deleteUpload = statement(
  'security-scans.remove-upload',
  'delete from sarif_upload where root_id = $1 and id = $2',
)

/** False if the scan was applied before. */
export async function recordScan(scope: Scope, tx: Tx, scan: ScanRow, findings: number): Promise<boolean> {
  const { organization_id, instance_id } = scan.organization
  const values = [scope.root, organization_id, instance_id, JSON.stringify({ ...scan, findings })]
  return (await tx.query(insertScan, values)).length > 0
}

/** The latest complete scan of each series. */
export async function readLatestCompleteScans(
  scope: Scope,
  tx: Tx,
  { organization, repository, tool }: Pick<ScanRow, 'organization' | 'repository' | 'tool'>,
): Promise<ReadonlyMap<ScanSeriesKey, OrderedTimestamp>> {
  const rows = await tx.query<OrderedTimestamp & { branch: string; category: string }>(selectLatestComplete, [
    scope.root,
    organization.organization_id,
    repository,
    tool,
  ])
  return new Map(
    rows.map(({ branch, category, at, id }) => [toScanSeriesKey({ branch, category }), { at, id }]),
  )
}

interface DeletableScans {
  readonly before: Date
  /** Ids of scans that findings refer to. */
  readonly referenced: readonly string[]
  /** Ids of the latest complete scans of series in which no finding was seen. */
  readonly idle: readonly string[]
}

/** Deletes scans that arrived before a time and that no finding depends on. */
export async function deleteUnneededScans(
  scope: Scope,
  tx: Tx,
  { organization, repository, tool }: Pick<ScanRow, 'organization' | 'repository' | 'tool'>,
  { before, referenced, idle }: DeletableScans,
): Promise<void> {
  const key = [scope.root, organization.organization_id, repository, tool]
  await tx.query(deleteScans, [...key, before, referenced, idle])
}

/** The bytes of the stored uploads of the root. */
export async function readUploadUsage(scope: Scope, tx: Tx): Promise<number> {
  const usage = await tx.first<{ bytes: number }>(selectUsage, [scope.root])
  return usage?.bytes ?? 0
}

interface NewUpload {
  readonly id: string
  readonly organization: OrganizationRef
  readonly at: Date
  readonly quota: number
}

/** Stores the packed parts of each run; false if they exceed the quota of the root. */
export async function storeUpload(
  scope: Scope,
  tx: Tx,
  { id, organization: { provider, host, id: orgId }, at, quota }: NewUpload,
  runs: readonly (readonly string[])[],
): Promise<boolean> {
  const bytes = runs.flat().reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const taken = bytes <= quota && (await tx.query(takeQuota, [scope.root, bytes, quota])).length > 0
  if (!taken) return false
  const names = [provider, host, orgId, scope.organizations]
  const found = await tx.first<{ id: OrganizationId }>(selectUploadOrganization, [scope.root, ...names])
  const organization = found?.id ?? getSoleOrganization(scope)
  await tx.query(insertUpload, [scope.root, id, organization, at, bytes])
  for (const [run, parts] of runs.entries()) {
    for (const [part, findings] of parts.entries()) {
      await tx.query(insertPart, [scope.root, id, organization, run, part, findings])
    }
  }
  return true
}

/** Reads the findings part by part; null if the organization has no such file. */
export async function readUpload(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { id, run }: { readonly id: string; readonly run: number },
): Promise<readonly Finding[] | null> {
  const findings: Finding[] = []
  for (let part = 0; ; part++) {
    const found = await tx.first<{ findings: readonly Finding[] }>(selectUploadPart, [
      scope.root,
      organization,
      id,
      run,
      part,
    ])
    if (found === null) return part === 0 ? null : findings
    findings.push(...found.findings)
  }
}

export async function removeUpload(scope: Scope, tx: Tx, id: string): Promise<void> {
  await tx.query(deleteUpload, [scope.root, id])
}

/** Counts the bytes of the stored uploads again, without those that were deleted. */
export async function recountUploads(scope: Scope, tx: Tx): Promise<void> {
  // Locked by a statement of its own, so that the sum sees every upload that was stored before.
  await tx.query(lockUsage, [scope.root])
  await tx.query(recountUsage, [scope.root])
}
