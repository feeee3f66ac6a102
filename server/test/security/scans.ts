import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { EventBatch, IngestEvent } from '../../src/bus/ingest-event.ts'
import { connect, type Pool } from '../../src/db/connect.ts'
import type { KeyId, OrganizationId } from '../../src/ids.ts'
import { applySecurityEvents } from '../../src/resources/security-scans/apply.ts'
import { securityScans } from '../../src/resources/security-scans/event.ts'
import type { TaskLimits } from '../../src/resources/security-scans/thread/run.ts'
import { compileShape } from '../../src/shape.ts'
import type { TestDatabase } from '../database.ts'
import type { TestOrganization } from '../tenant.ts'

const kinds = new Map(
  securityScans.kinds.map((kind) => [kind.type, { kind, validate: compileShape(kind.payload) }]),
)

/** A worker that receives events as from the queue. */
export interface ScanWorker {
  readonly credential: KeyId
  /** Returns the reasons of deferred events. */
  apply(
    organization: TestOrganization,
    events: readonly IngestEvent[],
    organizations?: readonly OrganizationId[],
  ): Promise<string[]>
  close(): Promise<void>
}

/** `limits` replaces the default limits on comparing a scan. */
export function createScanWorker(database: TestDatabase, limits?: TaskLimits): ScanWorker {
  const pool: Pool = connect({ url: database.urls.worker, name: 'test', connections: 2 })
  const credential = randomUUID() as KeyId
  const context = { database: pool, organizationCache: new Map(), now: () => new Date() }
  return {
    credential,
    async apply({ root }, events, organizations) {
      const batch: EventBatch = { root, credential, organizations: organizations ?? null, events }
      return (await applySecurityEvents(context, batch, limits)).map(({ reason }) => reason)
    },
    close: () => pool.end(),
  }
}

/** An event as it is queued. */
function securityEvent(type: string, payload: object, { at = 0, id = randomUUID() } = {}): IngestEvent {
  const { kind, validate } = kinds.get(type) ?? {}
  if (!kind || !validate?.(payload))
    throw new Error(`The payload is invalid: ${JSON.stringify(validate?.errors)}`)
  const fault = kind.findFault?.(payload) ?? null
  if (fault !== null) throw new Error(fault)
  const normalized = {
    id,
    type,
    version: kind.version,
    occurred_at: timestampAtMinute(at),
    payload: kind.normalize(payload),
  }
  return JSON.parse(JSON.stringify(normalized)) as IngestEvent
}

/** A number of minutes after the start time of the tests. */
export function timestampAtMinute(count: number): string {
  return new Date(Date.UTC(2026, 2, 1) + count * 60_000).toISOString()
}

export function createScannedFinding(fields: object = {}) {
  return {
    rule_id: 'sql-injection',
    severity: 'high',
    cwe: 'CWE-89',
    title: 'SQL built from a request parameter',
    description: 'The text of a query is put together from what a caller sent.',
    file_path: 'src/orders.ts',
    start_line: 12,
    end_line: 12,
    snippet: "  const rows = await pool.query('select * from orders where id = ' + id)",
    ...fields,
  }
}

function scanPayload({ orgId, repositories }: TestOrganization, fields: object = {}) {
  return {
    organization: { provider: 'github', id: orgId },
    repository: { id: repositories[0]?.repositoryId ?? '1' },
    scan_id: 'scan-1',
    tool: 'Warden',
    complete: true,
    findings: [createScannedFinding()],
    ...fields,
  }
}

export function createScanEvent(
  organization: TestOrganization,
  at: number,
  findings: readonly object[],
  fields: object = {},
) {
  const payload = scanPayload(organization, { scan_id: `scan-${at}`, findings, ...fields })
  return securityEvent('security_scan.completed', payload, { at })
}

export function createDismissalEvent(
  { orgId }: TestOrganization,
  at: number,
  finding: string,
  fields: object = {},
) {
  const payload = {
    organization: { provider: 'github', id: orgId },
    finding_id: finding,
    reason: 'false_positive',
    ...fields,
  }
  return securityEvent('security_finding.dismissed', payload, { at })
}

export interface StoredFinding {
  readonly id: string
  readonly state: string
  readonly severity: string
  readonly title: string
  readonly description: string
  readonly file_path: string
  readonly start_line: number | null
  readonly scan_id: string
  readonly position: number
  readonly fingerprint: string
  readonly dismissal_reason: string | null
  readonly first_seen_at: Date
  readonly last_seen_at: Date
}

/** Sorted by location. */
export async function storedFindings(superuser: pg.Pool, { id }: TestOrganization): Promise<StoredFinding[]> {
  const { rows } = await superuser.query<StoredFinding>(
    `select *, position::int as position from security_finding
     where organization_id = $1 order by file_path, start_line, id`,
    [id],
  )
  return rows
}
