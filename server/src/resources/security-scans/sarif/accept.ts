import { randomUUID } from 'node:crypto'
import { getCloudHost } from '../../../access/provider-host.ts'
import { credentialScope } from '../../../access/scope.ts'
import type { OrganizationRef } from '../../../bus/queue/shapes.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { refuse } from '../../../errors.ts'
import type { UploadContext } from '../../../http/ingest/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import type { Scan, ScanEvent } from '../payload.ts'
import { readUploadUsage, storeUpload } from '../scan-sql.ts'
import type { UploadParams } from '../schema.ts'
import { runTask, TaskLimitError, type TaskLimits } from '../thread/run.ts'
import { parseTime } from './parse.ts'
import type { PackedScan } from './read.ts'

/** Reads a file, stores its findings and queues one event per scan. Responds after both are durable. */
export async function acceptSarif(
  context: UploadContext,
  query: unknown,
  text: string,
  limits?: TaskLimits,
): Promise<Reply> {
  const upload = query as UploadParams
  const { quota } = context
  const id = randomUUID()
  const now = context.now()
  const scope = credentialScope(context.credential)
  // A file that cannot be stored is not read.
  if ((await inTransaction(context.database, scope, (tx) => readUploadUsage(scope, tx))) >= quota)
    refuseFullQuota(quota)
  const scans = await readSarifFile(text, limits)
  const parts = scans.map((scan) => scan.parts)
  const stored = await inTransaction(context.database, scope, (tx) =>
    storeUpload(scope, tx, { id, organization: toOrganizationRef(upload), at: now, quota }, parts),
  )
  if (!stored) refuseFullQuota(quota)
  const events = scans.map((scan, run) => toScanEvent(upload, scan, { id, run }, now))
  await context.queue.store(
    context.credential,
    events.map((event) => JSON.stringify(event)),
  )
  const receipt = scans.map(({ tool, count }, index) => ({
    scan_id: events[index]?.payload.scan_id ?? id,
    tool,
    category: events[index]?.payload.category ?? '',
    findings: count,
  }))
  return { status: 202, body: { json: { scans: receipt } } }
}

async function readSarifFile(text: string, limits: TaskLimits | undefined): Promise<readonly PackedScan[]> {
  try {
    return await runTask('readFile', text, limits)
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error
    return refuse(
      'PAYLOAD_TOO_LARGE',
      'Reading the file takes too much time or memory. Split it into one file per tool or category.',
    )
  }
}

function refuseFullQuota(quota: number): never {
  return refuse(
    'RATE_LIMIT_EXCEEDED',
    `The uploaded files of this tenant exceed ${Math.floor(quota / 1024 ** 2)} MiB. Each is kept for 14 days: upload fewer or ` +
      'smaller files, or ask the operator to raise SARIF_QUOTA_BYTES.',
    { 'retry-after': '3600' },
  )
}

function toOrganizationRef({
  provider,
  host = getCloudHost(provider),
  org_id,
}: UploadParams): OrganizationRef {
  return { provider, host, id: org_id }
}

/** The event that a sender would send, but with a reference to the stored findings. */
function toScanEvent(
  params: UploadParams,
  scan: PackedScan,
  upload: { id: string; run: number },
  now: Date,
): ScanEvent {
  const { repo_id, complete = true } = params
  const payload: Scan = {
    organization: toOrganizationRef(params),
    repository: { id: repo_id, name: params.repository_name ?? null },
    scan_id: params.scan_id ?? upload.id,
    tool: scan.tool,
    category: params.category ?? scan.category,
    branch: params.branch ?? scan.branch ?? '',
    commit: params.commit ?? scan.commit,
    complete,
    scanned_at: parseTime(params.scanned_at) ?? scan.endedAt,
    findings: [],
    upload,
  }
  const id = `${upload.id} ${upload.run}`
  return { id, type: 'security_scan.completed', version: 1, occurred_at: now.toISOString(), payload }
}
