import { writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import type { ResolvedOrganization } from '../../bus/ingest/sql.ts'
import type { OrganizationId } from '../../ids.ts'
import type { Dismissal, DismissedEvent } from './payload.ts'
import { readLatestCompleteScans } from './scan-sql.ts'
import { advanceSecurityHead, lockSecurityHead, readFinding, updateFindings } from './sql.ts'
import { computeFindingStatus, type DismissalDecision, isLater } from './state.ts'

const UNKNOWN_FINDING = 'The finding is unknown.'

/** Returns why it cannot be applied yet, or null. The dismissal with the latest time wins, in any order of arrival. */
export async function applyDismissal(
  change: ChangeContext,
  organization: ResolvedOrganization,
  event: DismissedEvent,
): Promise<string | null> {
  const { scope, tx } = change
  const { finding_id, dismissed, reason, comment, by } = event.payload
  const { organization_id } = organization
  const [position, finding] = await Promise.all([
    lockSecurityHead(scope, tx),
    readFinding(scope, tx, organization_id, finding_id),
  ])
  if (finding === null) return UNKNOWN_FINDING
  const dismissal: DismissalDecision = {
    at: event.occurred_at,
    id: event.id,
    dismissed,
    reason,
    comment,
    by: by && (by.username ?? by.id),
  }
  if (finding.word !== null && !isLater(dismissal, finding.word)) return null
  const { repository_id: repository, tool, ...known } = finding
  const completed = await readLatestCompleteScans(scope, tx, { organization, repository, tool })
  const status = computeFindingStatus({ ...known, word: dismissal }, completed)
  const row = { ...known, ...status, word: dismissal, moves: true, facts: null, position: position + 1 }
  await updateFindings(scope, tx, { organization, repositoryName: null }, [row])
  await advanceSecurityHead(scope, tx, position + 1)
  const changesDismissal = dismissed || finding.state === 'dismissed'
  if (changesDismissal)
    await recordDismissal(change, { organization: organization_id, repository, dismissed: event.payload })
  return null
}

interface DismissalRecord {
  readonly organization: OrganizationId
  readonly repository: string
  readonly dismissed: Dismissal
}

/** Writes the audit row of a dismissal or reopening: actor and reason, never the comment. Call it last. */
async function recordDismissal(
  { tx, scope, actor, at }: ChangeContext,
  { organization, repository, dismissed: { finding_id, dismissed, reason, by } }: DismissalRecord,
): Promise<void> {
  const entry = {
    action: dismissed ? 'security_finding_dismissed' : 'security_finding_reopened',
    resourceType: 'security_finding',
    resourceId: finding_id,
    organization,
    actor,
    metadata: { repository_id: repository, ...(dismissed && { reason }) },
    ...(by !== null && { personal: { name: by.username ?? by.id } }),
  } as const
  await writeAuditEntry(tx, scope, entry, at)
}
