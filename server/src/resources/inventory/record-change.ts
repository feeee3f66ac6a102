import type { ActionOf } from '../../access/audit/catalogue.ts'
import { type AuditEntry, writeAuditEntries } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { emit, type OutboxEvent } from '../../bus/emit.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'

/** Why a part of an event is not stored. Nothing of the event is quoted. */
const skipReasonMessages = {
  root: 'The tenant root is not known.',
  organization: 'An organization is not known in the tenant root.',
  credential: 'The credential does not name every organization of the event, or would have to create one.',
  alone: 'The tenant root is a single organization, and cannot hold another one.',
  instance: 'An organization is not at the provider and host of the instance that is the tenant root.',
  account: 'A member’s account is not known.',
  repository: 'A repository is not known.',
  member: 'Access to a repository was granted to an account that is no member of its organization.',
} as const

export type SkipReason = keyof typeof skipReasonMessages

/** What is to be told of an event: to the audit log, to the world, and to whoever looks into what was not stored. */
export interface ChangeRecord {
  readonly entries: Omit<AuditEntry, 'actor'>[]
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
  metadata: AuditEntry['metadata'],
  personal: Record<string, string> = {},
): void {
  const resourceType = 'organization'
  record.entries.push({ action, resourceType, resourceId: organization, organization, metadata, personal })
}

interface PersonIdentity {
  readonly id: PersonId
  readonly name: string
  readonly email: string
}

/** Name and e-mail stay erasable. */
export function recordPersonChange(
  record: ChangeRecord,
  person: PersonIdentity,
  action: ActionOf<'person'>,
  metadata: AuditEntry['metadata'],
  organization: OrganizationId | null = null,
): void {
  const { id, name, email } = person
  const personal = { name, email }
  record.entries.push({
    action,
    resourceType: 'person',
    resourceId: id,
    organization,
    metadata,
    personal,
    person: id,
  })
}

/** Last in the transaction: the chain of the audit log is locked from here to the commit. */
export function writeChangeRecord(
  { tx, scope, actor, at }: ChangeContext,
  { events, entries }: ChangeRecord,
): Promise<void>[] {
  return [
    ...events.map((event) => emit(tx, scope, event)),
    writeAuditEntries(
      tx,
      scope,
      entries.map((entry) => ({ ...entry, actor })),
      at,
    ),
  ]
}

/** Null when everything was stored. */
export function describeSkipReasons(record: ChangeRecord): string | null {
  if (record.skipReasons.size === 0) return null
  const reasons = [...record.skipReasons].map((reason) => skipReasonMessages[reason])
  return `${reasons.join(' ')} The rest of the event is stored.`
}
