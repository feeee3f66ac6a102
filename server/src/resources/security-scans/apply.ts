import type { ChangeContext } from '../../access/change-context.ts'
import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { type DeferredEvent, type EventBatch, getEventActor } from '../../bus/ingest-event.ts'
import { findOrganizations, UNRESOLVED_REASON } from '../../bus/queue/organizations.ts'
import type { ResolvedOrganization } from '../../bus/queue/sql.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import { DAY_MS } from '../../time.ts'
import { type MatchedPairs, toFoundColumns, toKnownColumns } from './columns.ts'
import { applyDismissal } from './dismiss.ts'
import type { Finding } from './finding.ts'
import { computeFindingChanges } from './finding-changes.ts'
import type { ScanEvent, SecurityEvent } from './payload.ts'
import { createStateCounter, recordScanChange } from './record-scan.ts'
import {
  deleteUnneededScans,
  readLatestCompleteScans,
  readUpload,
  recordScan,
  type ScanRow,
} from './scan-sql.ts'
import {
  advanceSecurityHead,
  deleteOldestFixed,
  type FindingsTarget,
  insertFindings,
  type KnownFinding,
  lockSecurityHead,
  readKnownFindings,
  readRepositoryName,
  updateFindings,
  type WrittenFinding,
} from './sql.ts'
import { type OrderedTimestamp, type ScanSeriesKey, toScanSeriesKey } from './state.ts'
import { runTask, TaskLimitError, type TaskLimits } from './thread/run.ts'

const MAX_FINDINGS_PER_TOOL = 50_000
const WRITE_BATCH_SIZE = 1000
const SCAN_RETENTION_MS = 90 * DAY_MS
const UPLOAD_MISSING = 'The uploaded file no longer exists.'
const TASK_LIMIT_EXCEEDED = 'Comparing the scan takes more time or memory than allowed.'

type ApplyContext = Pick<WorkerContext, 'database' | 'organizationCache' | 'now'>

/** Applies each event in its own transaction, oldest first; returns events whose references are unknown. */
export async function applySecurityEvents(
  worker: ApplyContext,
  batch: EventBatch,
  limits?: TaskLimits,
): Promise<readonly DeferredEvent[]> {
  const scope = rootScope(batch.root)
  const events = (batch.events as readonly SecurityEvent[]).toSorted(
    (a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at),
  )
  const names = events.map(({ payload }) => payload.organization)
  const find = await readScoped(worker.database, scope, (tx) => findOrganizations(worker, tx, batch, names))
  const deferred: DeferredEvent[] = []
  for (const event of events) {
    const organization = find(event.payload.organization)
    const reason =
      organization === null
        ? UNRESOLVED_REASON
        : await applyWithinLimits(worker, batch, organization, event, limits)
    if (reason !== null) deferred.push({ event, reason })
  }
  return deferred
}

/** An event that exceeds its limits is rolled back and deferred. */
async function applyWithinLimits(...parameters: Parameters<typeof applyEvent>): Promise<string | null> {
  try {
    return await applyEvent(...parameters)
  } catch (error) {
    if (error instanceof TaskLimitError) return TASK_LIMIT_EXCEEDED
    throw error
  }
}

function applyEvent(
  { database, now }: ApplyContext,
  batch: EventBatch,
  organization: ResolvedOrganization,
  event: SecurityEvent,
  limits: TaskLimits | undefined,
): Promise<string | null> {
  const scope = rootScope(batch.root)
  return inTransaction(database, scope, (tx) => {
    const change: ChangeContext = { scope, tx, actor: getEventActor(batch), at: now() }
    return event.type === 'security_scan.completed'
      ? applyScan(change, organization, event, limits)
      : applyDismissal(change, organization, event)
  })
}

/** Returns why it cannot be applied yet, or null. */
async function applyScan(
  change: ChangeContext,
  organization: ResolvedOrganization,
  event: ScanEvent,
  limits: TaskLimits | undefined,
): Promise<string | null> {
  const { scope, tx, at } = change
  const { payload } = event
  const { repository, tool, branch, category, scan_id, upload } = payload
  const { organization_id } = organization
  const base = await lockSecurityHead(scope, tx)
  const findings =
    upload === undefined ? payload.findings : await readUpload(scope, tx, organization_id, upload)
  if (findings === null) return UPLOAD_MISSING
  const scan = toScanRow(organization, event)
  if (!(await recordScan(scope, tx, scan, findings.length))) return null
  const [known, completed, name] = await Promise.all([
    readKnownFindings(scope, tx, organization_id, repository.id, tool),
    readLatestCompleteScans(scope, tx, scan),
    readRepositoryName(scope, tx, organization_id, repository.id),
  ])
  const timestamp = { at: scan.at, id: scan_id }
  const scanInRepository = {
    organization: organization_id,
    repository: repository.id,
    tool,
    branch,
    category,
    timestamp,
    findings,
  }
  const pairs = await compareFindings(known, findings, limits)
  const decision = computeFindingChanges(scanInRepository, known, completed, pairs)
  const target = {
    organization,
    repository: repository.id,
    repositoryName: name ?? repository.name ?? repository.id,
    tool,
  }
  const counter = createStateCounter(known)
  const changed = await writeFindings(counter.count(decision.changed), base, (rows) =>
    updateFindings(scope, tx, target, rows),
  )
  const position = await writeFindings(counter.count(decision.created), changed, (rows) =>
    insertFindings(scope, tx, target, rows as readonly (WrittenFinding & { readonly position: number })[]),
  )
  if (position > base) await advanceSecurityHead(scope, tx, position)
  const excess = known.length + findings.length - pairs.length / 2 - MAX_FINDINGS_PER_TOOL
  if (excess > 0) await deleteOldestFixed(scope, tx, target satisfies FindingsTarget, excess)
  const before = new Date(at.getTime() - SCAN_RETENTION_MS)
  await deleteUnneededScans(scope, tx, scan, {
    before,
    ...classifyScans(known, completed, toScanSeriesKey(scan)),
  })
  await recordScanChange(change, scan, findings.length, counter.counts)
  return null
}

/** Scans that findings refer to, and latest complete scans of series in which no finding was seen. */
function classifyScans(
  known: readonly KnownFinding[],
  completed: ReadonlyMap<ScanSeriesKey, OrderedTimestamp>,
  seriesKey: ScanSeriesKey,
): { referenced: readonly string[]; idle: readonly string[] } {
  const referenced = new Set<string>()
  const seen = new Set([seriesKey])
  for (const { scan_id, lanes } of known) {
    referenced.add(scan_id)
    for (const name of Object.keys(lanes)) seen.add(name)
  }
  const idle = [...completed].filter(([other]) => !seen.has(other)).map(([, { id }]) => id)
  return { referenced: [...referenced], idle }
}

async function compareFindings(
  known: readonly KnownFinding[],
  findings: readonly Finding[],
  limits: TaskLimits | undefined,
): Promise<MatchedPairs> {
  if (known.length === 0 || findings.length === 0) return new Int32Array()
  return runTask('compare', { known: toKnownColumns(known), found: toFoundColumns(findings) }, limits)
}

/** Writes in batches; rows that move get the next position. Returns the last assigned position. */
async function writeFindings(
  rows: Iterable<WrittenFinding>,
  base: number,
  writeBatch: (rows: readonly (WrittenFinding & { readonly position: number | null })[]) => Promise<void>,
): Promise<number> {
  let position = base
  for (const batch of toBatches(rows)) {
    await writeBatch(batch.map((row) => ({ ...row, position: row.moves ? ++position : null })))
  }
  return position
}

function* toBatches<Row>(rows: Iterable<Row>): Iterable<readonly Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < WRITE_BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** The scan time is never later than the event, even if a sender's clock is wrong. */
function toScanRow(organization: ResolvedOrganization, { id, occurred_at, payload }: ScanEvent): ScanRow {
  const { repository, tool, scan_id, complete, branch, category, commit, scanned_at } = payload
  const at = scanned_at !== null && scanned_at < occurred_at ? scanned_at : occurred_at
  return {
    organization,
    repository: repository.id,
    tool,
    scan_id,
    complete,
    branch,
    category,
    commit,
    at,
    event_id: id,
  }
}
