import type { ActionOf } from '../../access/audit/catalogue.ts'
import { auditChanges, type ChangeContext, type ChangeEntry } from '../../access/change-context.ts'
import { emitAll, type OutboxEvent } from '../../bus/emit.ts'
import type { OrganizationId } from '../../ids.ts'

/** Why a part of an event is not stored. The messages never quote the event. */
const skipReasonMessages = {
  root: 'The tenant root is unknown.',
  organization: 'An organization is unknown in the tenant root.',
  credential: 'The credential is not authorized for every organization of the event, or may not create one.',
  alone: 'The tenant root is a single organization and cannot have another one.',
  instance: 'An organization has another provider or host than the instance that is the tenant root.',
  account: 'The account of a member is unknown.',
  repository: 'A repository is unknown.',
  member: 'Access to a repository is granted to an account that is not a member of the organization.',
} as const

export type SkipReason = keyof typeof skipReasonMessages

/** Audit entries and outbox events of an event, and the reasons for parts that are not stored. */
export interface ChangeRecord {
  readonly entries: ChangeEntry[]
  readonly events: OutboxEvent[]
  readonly skipReasons: Set<SkipReason>
}

export function createChangeRecord(): ChangeRecord {
  return { entries: [], events: [], skipReasons: new Set() }
}

export function recordOrganizationChange(
  record: ChangeRecord,
  organization: OrganizationId,
  action: ActionOf<'organization'>,
  metadata: ChangeEntry['metadata'],
  changed: ChangedValues = {},
): void {
  record.entries.push({ action, resourceId: organization, organization, metadata, ...changed })
}

/** What a row adds to its metadata: the changed fields, and those that can be erased. */
type ChangedValues = Pick<ChangeEntry, 'before' | 'after' | 'personal'>

/** Call it last: it locks the root's audit chain until the commit. */
export function writeChangeRecord(
  change: ChangeContext,
  { events, entries }: ChangeRecord,
): Promise<unknown>[] {
  return [emitAll(change.tx, change.scope, events), auditChanges(change, entries)]
}

/** Null if everything was stored. */
export function describeSkipReasons(record: ChangeRecord): string | null {
  if (record.skipReasons.size === 0) return null
  const reasons = [...record.skipReasons].map((reason) => skipReasonMessages[reason])
  return `${reasons.join(' ')} The rest of the event is stored.`
}
