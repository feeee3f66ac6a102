import { type AuditEntry, type ChangedFields, hashText } from '../../../access/audit.ts'
import { auditChanges, type ChangeContext, type ChangeEntry } from '../../../access/change-context.ts'
import { type EventType, emitAll } from '../../../bus/emit.ts'
import type { LearningId, OrganizationId } from '../../../ids.ts'
import type { LearningState } from '../lifecycle.ts'

/** The kinds of change and the event type each publishes. */
const eventTypes = {
  created: 'learning.created',
  proposed: 'learning.created',
  promoted: 'learning.updated',
  approved: 'learning.approved',
  disapproved: 'learning.disapproved',
  updated: 'learning.updated',
  deleted: 'learning.deleted',
  expired: 'learning.deleted',
  merged: 'learning.deleted',
} as const satisfies Record<string, EventType>

/** An audit row has the hash of the text, never the text. */
interface AuditedLearning {
  /** The state after the change; of a deleted Learning, the last state. */
  readonly state: LearningState
  readonly text: string
}

export interface LearningChange {
  readonly what: keyof typeof eventTypes
  readonly learning: AuditedLearning & {
    readonly id: LearningId
    readonly organization_id: OrganizationId
    readonly repository_id: string
  }
  /** The Learning before the change; absent if it is new or deleted. */
  readonly was?: AuditedLearning
  /** For the audit log only: ids, codes and times. */
  readonly metadata?: AuditEntry['metadata']
  /** For the audit log only: names that can be erased, and whose they are. */
  readonly personal?: AuditEntry['personal']
  readonly person?: AuditEntry['person']
}

/** Writes the outbox events and audit rows of changes: ids and states, never a text. Call it last in the transaction. */
export async function recordLearningChanges(
  change: ChangeContext,
  changes: readonly LearningChange[],
): Promise<void> {
  await emitAll(
    change.tx,
    change.scope,
    changes.map(({ what, learning: { id, organization_id, repository_id, state } }) => ({
      type: eventTypes[what],
      payload: { learning_id: id, organization_id, repository_id, state },
    })),
  )
  const entries = changes.map(
    ({ what, learning, was, metadata, personal = {}, person = null }): ChangeEntry => ({
      action: `learning_${what}`,
      resourceId: learning.id,
      organization: learning.organization_id,
      metadata: { repository_id: learning.repository_id, state: learning.state, ...metadata },
      ...toChangedFields(what, learning, was),
      personal,
      person,
    }),
  )
  await auditChanges(change, entries)
}

function toChangedFields(
  what: LearningChange['what'],
  learning: AuditedLearning,
  was: AuditedLearning | undefined,
): Pick<AuditEntry, 'before' | 'after'> {
  if (what === 'deleted' || what === 'expired' || what === 'merged')
    return { before: selectChangedFields(learning) }
  if (was === undefined) return { after: selectChangedFields(learning) }
  return { before: selectChangedFields(was, learning), after: selectChangedFields(learning, was) }
}

/** The fields that differ from `other`; all of them without it. */
function selectChangedFields(learning: AuditedLearning, other?: AuditedLearning): ChangedFields {
  const { state, text } = learning
  return {
    ...(state !== other?.state && { state }),
    ...(text !== other?.text && { learning: hashText(text) }),
  }
}
