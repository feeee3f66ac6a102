import type { AuditEntry } from '../../../access/audit.ts'
import type { ChangeContext } from '../../../access/change-context.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { enqueueApprovals } from '../../../learning-index/tasks.ts'
import { type EmbeddedTexts, embedTexts } from '../write/embed.ts'
import { type LearningChange, recordLearningChanges } from '../write/record-change.ts'
import { deleteOrigins, insertLearnings, type LearningRow, updateLearnings } from '../write-sql.ts'

/** Before a transaction. A text that is shared without having been embedded is indexed by the worker soon after. */
export function embedBeforeTransaction(
  { database, embedders, log }: WorkerContext,
  texts: readonly string[],
): Promise<EmbeddedTexts> {
  return embedTexts({ apiPool: database, embedders, log }, texts)
}

/** A Learning as it was and as it is from now on, and what is told of it. */
export interface LearningTransition {
  /** Null = it is new. */
  readonly was: LearningRow | null
  readonly is: LearningRow
  readonly what: Extract<LearningChange['what'], 'proposed' | 'promoted' | 'approved'>
  readonly metadata?: AuditEntry['metadata']
  /** Another wording of the same content, where that is what was embedded. */
  readonly wording?: string
}

/** Writes those of one organization, with everything that follows from their states; the audit log comes last. */
export async function writeTransitions(
  change: ChangeContext,
  transitions: readonly LearningTransition[],
  embedded: EmbeddedTexts,
): Promise<void> {
  const { scope, tx, at } = change
  const rows = transitions.map(({ is }) => is)
  const updated = transitions.filter(({ was }) => was !== null).map(({ is }) => is)
  const published = transitions.filter(({ was, is }) => was?.state === 'private' && is.state !== 'private')
  await Promise.all([
    insertLearnings(
      scope,
      tx,
      transitions.filter(({ was }) => was === null).map(({ is }) => is),
    ),
    updateLearnings(scope, tx, updated),
    ...published.map(({ is }) => deleteOrigins(scope, tx, is.organization_id, [is.id])),
    enqueueApprovals(scope, tx, rows.filter(hasApprovalDeadline)),
  ])
  const items = transitions
    .filter(({ is }) => is.state === 'shared')
    .map(({ is, wording = is.text }) => ({ learning: is, vectors: embedded.vectorsOf(wording) }))
  await indexLearnings(scope, tx, embedded.models, items, at, embedded.onIndexError)
  await recordLearningChanges(
    change,
    transitions.map(({ what, is, metadata = {} }) => ({ what, learning: is, metadata })),
  )
}

function hasApprovalDeadline(row: LearningRow): row is LearningRow & { readonly deadline: Date } {
  return row.state === 'pending' && row.deadline !== null
}
