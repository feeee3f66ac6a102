import type { ChangeContext } from '../../access/change-context.ts'
import type { ResolvedOrganization } from '../../bus/ingest/organizations-sql.ts'
import type { DismissedEvent } from './payload.ts'
import { recordDismissal } from './record-change.ts'
import { readCompleted } from './scan-sql.ts'
import { advanceSecurityHead, lockSecurityHead, readFinding, updateFindings } from './sql.ts'
import { computeFindingStatus, isLater, type Word } from './state.ts'

const UNKNOWN = 'A finding is not known.'

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
  if (finding === null) return UNKNOWN
  const word: Word = {
    at: event.occurred_at,
    id: event.id,
    dismissed,
    reason,
    comment,
    by: by && (by.username ?? by.id),
  }
  if (finding.word !== null && !isLater(word, finding.word)) return null
  const { repository_id: repository, tool, ...known } = finding
  const completed = await readCompleted(scope, tx, { organization, repository, tool })
  const status = computeFindingStatus({ ...known, word }, completed)
  const row = { ...known, ...status, word, moves: true, facts: null, position: position + 1 }
  await updateFindings(scope, tx, { organization, repositoryName: null }, [row])
  await advanceSecurityHead(scope, tx, position + 1)
  const isReportable = dismissed || finding.state === 'dismissed'
  if (isReportable)
    await recordDismissal(change, { organization: organization_id, repository, dismissed: event.payload })
  return null
}
