import type { ChangeContext } from '../../access/change-context.ts'
import type { ResolvedOrganization } from '../../bus/ingest/sql.ts'
import type { DismissedEvent } from './payload.ts'
import { recordDismissal } from './record-change.ts'
import { readLatestCompleteScans } from './scan-sql.ts'
import { advanceSecurityHead, lockSecurityHead, readFinding, updateFindings } from './sql.ts'
import { computeFindingStatus, type DismissalDecision, isLater } from './state.ts'

const UNKNOWN_FINDING = 'A finding is not known.'

/** Why it cannot be applied yet, or null. Of two words about a finding the later one counts, whichever comes first. */
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
  const isReportable = dismissed || finding.state === 'dismissed'
  if (isReportable)
    await recordDismissal(change, { organization: organization_id, repository, dismissed: event.payload })
  return null
}
