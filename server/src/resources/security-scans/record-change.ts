import { writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import type { OrganizationId } from '../../ids.ts'
import type { Dismissal } from './payload.ts'

interface DismissalRecord {
  readonly organization: OrganizationId
  readonly repository: string
  readonly dismissed: Dismissal
}

/** Writes the audit row of a dismissal or reopening: actor and reason, never the comment. Call it last. */
export async function recordDismissal(
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
