import type { Scope } from '../../access/scope.ts'
import type { ResolvedOrganization } from '../../bus/ingest/sql.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
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
   values ($1, $2, $3, $4, $5, $6, case when $7 then '' else $12 end, $7, $8, $9, $10, $11, $12, $13)
   on conflict do nothing returning 1 as noted`,
)

const selectLatestComplete = statement(
  'security-scans.completed',
  `select distinct on (branch, category) branch, category,
     to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, scan_id as id
   from security_scan
   where root_id = $1 and organization_id = $2 and repository_id = $3 and tool = $4 and complete
   order by branch, category, security_scan.at desc, scan_id collate "C" desc`,
)

// What says nothing any more: no finding names it, and a later complete scan of its lane has come or no finding was seen there.
const deleteScans = statement(
  'security-scans.forget-scans',
  `delete from security_scan old
   where root_id = $1 and organization_id = $2 and repository_id = $3 and tool = $4 and noted_at < $5
     and scan_id <> all ($6::text[]) and (scan_id = any ($7::text[]) or exists (
       select from security_scan later
       where later.root_id = $1 and later.organization_id = $2 and later.repository_id = $3 and later.tool = $4
         and later.branch = old.branch and later.category = old.category and later.at > old.at and later.complete))`,
)

const selectUploadPart = statement(
  'security-scans.upload-part',
  'select findings from sarif_upload_part where root_id = $1 and upload_id = $2 and run = $3 and part = $4',
)

const selectOldUploads = statement(
  'security-scans.old-uploads',
  `select root_id as root, id from sarif_upload where created_at < $1 order by created_at limit $2`,
)

const deleteUpload = statement(
  'security-scans.remove-upload',
  'delete from sarif_upload where root_id = $1 and id = $2',
)

/** False when it was applied before. */
export async function recordScan(scope: Scope, tx: Tx, scan: ScanRow, findings: number): Promise<boolean> {
  const { organization, repository, tool, scan_id, complete, branch, category, commit, at, event_id } = scan
  const { organization_id, instance_id } = organization
  const place = [scope.root, organization_id, instance_id, repository, tool, scan_id]
  const rows = await tx.query(insertScan, [
    ...place,
    complete,
    branch,
    category,
    commit,
    at,
    event_id,
    findings,
  ])
  return rows.length > 0
}

/** The latest complete scan of each lane. */
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
  /** Ids of scans that findings name. */
  readonly named: readonly string[]
  /** Ids of the last complete scans of lanes in which no finding was seen. */
  readonly idle: readonly string[]
}

/** Forgets scans that came before a time and that nothing depends on. */
export async function deleteUnneededScans(
  scope: Scope,
  tx: Tx,
  { organization, repository, tool }: Pick<ScanRow, 'organization' | 'repository' | 'tool'>,
  { before, named, idle }: DeletableScans,
): Promise<void> {
  const place = [scope.root, organization.organization_id, repository, tool]
  await tx.query(deleteScans, [...place, before, named, idle])
}

/** Part by part; null when the file is not there. */
export async function readUpload(
  scope: Scope,
  tx: Tx,
  { id, run }: { readonly id: string; readonly run: number },
): Promise<readonly Finding[] | null> {
  const findings: Finding[] = []
  for (let place = 0; ; place++) {
    const [found] = await tx.query<{ findings: readonly Finding[] }>(selectUploadPart, [
      scope.root,
      id,
      run,
      place,
    ])
    if (found === undefined) return place === 0 ? null : findings
    findings.push(...found.findings)
  }
}

export const selectOldUploadsUnscoped = selectOldUploads

export async function removeUpload(scope: Scope, tx: Tx, id: string): Promise<void> {
  await tx.query(deleteUpload, [scope.root, id])
}
