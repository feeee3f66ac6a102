import type { Change } from '../../access/change.ts'
import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { findOrganizations, UNRESOLVED } from '../../bus/ingest/organizations.ts'
import type { FoundOrganization } from '../../bus/ingest/organizations-sql.ts'
import type { Deferred, EventBatch } from '../../bus/ingest-event.ts'
import { inReach, readInReach } from '../../db/transaction.ts'
import { decide } from './decide.ts'
import { applyDismissal } from './dismiss.ts'
import type { ScanEvent, SecurityEvent } from './payload.ts'
import { noteScan, readCompleted, readUpload, type ScanRow } from './scan-sql.ts'
import {
  advanceHead,
  forgetFixed,
  insertFindings,
  lockHead,
  type Place,
  readKnown,
  readRepositoryName,
  updateFindings,
  type WrittenFinding,
} from './sql.ts'

const MOST_KNOWN = 50_000
const ROWS_AT_ONCE = 1000
const NO_FILE = 'The uploaded file is not there any more.'

type Worker = Pick<WorkerContext, 'database' | 'now'>

/** Each in a transaction of its own, oldest first; returns those that belong to nothing that is known. */
export async function applySecurityEvents(worker: Worker, batch: EventBatch): Promise<readonly Deferred[]> {
  const scope = rootScope(batch.root)
  const events = (batch.events as readonly SecurityEvent[]).toSorted(
    (one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at),
  )
  const names = events.map(({ payload }) => payload.organization)
  const find = await readInReach(worker.database, scope, (tx) => findOrganizations(worker, tx, batch, names))
  const deferred: Deferred[] = []
  for (const event of events) {
    const organization = find(event.payload.organization)
    const reason = organization === null ? UNRESOLVED : await apply(worker, batch, organization, event)
    if (reason !== null) deferred.push({ event, reason })
  }
  return deferred
}

function apply(
  { database, now }: Worker,
  { root }: EventBatch,
  organization: FoundOrganization,
  event: SecurityEvent,
): Promise<string | null> {
  const scope = rootScope(root)
  return inReach(database, scope, (tx) => {
    const change: Change = { scope, tx, actor: { kind: 'service', id: null }, at: now() }
    return event.type === 'security_scan.completed'
      ? applyScan(change, organization, event)
      : applyDismissal(change, organization, event)
  })
}

/** Why it cannot be applied yet, or null. */
async function applyScan(
  { scope, tx }: Change,
  organization: FoundOrganization,
  event: ScanEvent,
): Promise<string | null> {
  const { payload } = event
  const { repository, tool, branch, category, scan_id, upload } = payload
  const { organization_id } = organization
  const base = await lockHead(scope, tx)
  const findings = upload === undefined ? payload.findings : await readUpload(scope, tx, upload)
  if (findings === null) return NO_FILE
  const scan = rowOf(organization, event)
  if (!(await noteScan(scope, tx, scan, findings.length))) return null
  const [known, completed, name] = await Promise.all([
    readKnown(scope, tx, organization_id, repository.id, tool),
    readCompleted(scope, tx, scan),
    readRepositoryName(scope, tx, organization_id, repository.id),
  ])
  const moment = { at: scan.at, id: scan_id }
  const placed = {
    organization: organization_id,
    repository: repository.id,
    tool,
    branch,
    category,
    moment,
    findings,
  }
  const decision = decide(placed, known, completed)
  const place = {
    organization,
    repository: repository.id,
    repositoryName: name ?? repository.name ?? repository.id,
    tool,
  }
  const changed = await write(decision.changed, base, (rows) => updateFindings(scope, tx, place, rows))
  const position = await write(decision.created, changed, (rows) =>
    insertFindings(scope, tx, place, rows as readonly (WrittenFinding & { readonly position: number })[]),
  )
  if (position > base) await advanceHead(scope, tx, position)
  const tooMany = known.length + decision.created.length - MOST_KNOWN
  if (tooMany > 0) await forgetFixed(scope, tx, place satisfies Place, tooMany)
  return null
}

/** In slices; what moves gets the next position. Returns the last one that was given. */
async function write(
  rows: readonly WrittenFinding[],
  base: number,
  writeSlice: (rows: readonly (WrittenFinding & { readonly position: number | null })[]) => Promise<void>,
): Promise<number> {
  let position = base
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const slice = rows.slice(from, from + ROWS_AT_ONCE)
    await writeSlice(slice.map((row) => ({ ...row, position: row.moves ? ++position : null })))
  }
  return position
}

/** When it was made: what an event tells of lies behind it, whatever a sender's clock says. */
function rowOf(organization: FoundOrganization, { id, occurred_at, payload }: ScanEvent): ScanRow {
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
