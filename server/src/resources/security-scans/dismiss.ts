import { toClaim } from '../../access/audit.ts'
import { auditChange, type ChangeContext } from '../../access/change-context.ts'
import { findAccountOwner, type ResolvedOrganization } from '../../bus/queue/sql.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
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
  const [position, finding, person] = await Promise.all([
    lockSecurityHead(scope, tx),
    readFinding(scope, tx, organization_id, finding_id),
    findAccountOwner(scope, tx, organization_id, by),
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
  if (finding.decision !== null && !isLater(dismissal, finding.decision)) return null
  const { repository_id: repository, tool, ...known } = finding
  const completed = await readLatestCompleteScans(scope, tx, { organization, repository, tool })
  const status = computeFindingStatus({ ...known, decision: dismissal }, completed)
  const row = { ...known, ...status, decision: dismissal, moves: true, facts: null, position: position + 1 }
  await updateFindings(scope, tx, { organization, repositoryName: null }, [row])
  await advanceSecurityHead(scope, tx, position + 1)
  const changesDismissal = dismissed || finding.state === 'dismissed'
  if (changesDismissal)
    await recordDismissal(change, {
      organization: organization_id,
      repository,
      dismissed: event.payload,
      states: { before: finding.state, after: status.state },
      person,
    })
  return null
}

interface DismissalRecord {
  readonly organization: OrganizationId
  readonly repository: string
  readonly dismissed: Dismissal
  readonly states: { readonly before: string; readonly after: string }
  /** The owner of the account that the sender names. */
  readonly person: PersonId | null
}

/**
 * Writes the audit row of a dismissal or reopening: reason, never the comment. The actor is the credential; who decided is
 * what the sender claims. Call it last.
 */
async function recordDismissal(
  change: ChangeContext,
  {
    organization,
    repository,
    dismissed: { finding_id, dismissed, reason, by },
    states,
    person,
  }: DismissalRecord,
): Promise<void> {
  const claim = by && toClaim(dismissed ? 'dismissed_by' : 'reopened_by', by)
  await auditChange(change, {
    action: dismissed ? 'security_finding_dismissed' : 'security_finding_reopened',
    resourceId: finding_id,
    organization,
    metadata: { repository_id: repository, ...(dismissed && { reason }), ...claim?.metadata },
    before: { state: states.before },
    after: { state: states.after },
    personal: claim?.personal ?? {},
    person,
  })
}
