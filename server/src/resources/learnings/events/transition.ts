import type { AuditEntry } from '../../../access/audit.ts'
import type { ChangeContext } from '../../../access/change-context.ts'
import type { Scope } from '../../../access/scope.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { enqueueApprovals } from '../../../learning-index/tasks-sql.ts'
import { type EmbeddedTexts, embedTexts } from '../write/embed.ts'
import { type LearningChange, recordLearningChanges } from '../write/record-change.ts'
import { deleteOrigins, insertLearnings, type LearningRow, updateLearnings } from '../write/sql.ts'

/** Call it before the transaction. The worker later indexes Learnings that are shared without vectors. */
export function embedBeforeTransaction(
  scope: Scope,
  { database, embedders, log }: WorkerContext,
  texts: readonly string[],
): Promise<EmbeddedTexts> {
  return embedTexts(scope, { apiPool: database, embedders, log }, texts)
}

/** A state change of a Learning, with its audit action and metadata. */
export interface LearningTransition {
  /** Null for a new Learning. */
  readonly was: LearningRow | null
  readonly is: LearningRow
  readonly what: Extract<LearningChange['what'], 'proposed' | 'promoted' | 'approved'>
  readonly metadata?: AuditEntry['metadata']
  readonly personal?: AuditEntry['personal']
  readonly person?: AuditEntry['person']
  /** The text that was embedded, if it differs from the stored text. */
  readonly wording?: string
}

/** Writes transitions of one organization with origins, tasks and index rows; events and audit rows come last. */
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
    transitions.map(({ what, was, is, metadata = {}, personal = {}, person = null }) => ({
      what,
      learning: is,
      ...(was && { was }),
      metadata,
      personal,
      person,
    })),
  )
}

function hasApprovalDeadline(row: LearningRow): row is LearningRow & { readonly deadline: Date } {
  return row.state === 'pending' && row.deadline !== null
}
