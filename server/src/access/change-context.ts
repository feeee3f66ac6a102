import type { Tx } from '../db/transaction.ts'
import type { PersonId } from '../ids.ts'
import type { ActionOf } from './audit/catalogue.ts'
import {
  type Actor,
  type AuditEntry,
  getRequestActor,
  toPersonalValues,
  type WrittenEntry,
  writeAuditEntries,
  writeAuditEntry,
} from './audit.ts'
import type { Caller } from './principal.ts'
import type { Scope } from './scope.ts'

/** The transaction, scope, actor and time of a change. */
export interface ChangeContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly actor: Actor
  readonly at: Date
}

interface RequestFacts extends Pick<ChangeContext, 'tx' | 'scope'> {
  readonly principal: Caller
  readonly address: string
  readonly now: () => Date
}

/** The change that a request makes. */
export function toChange(request: RequestFacts): ChangeContext {
  const { tx, scope } = request
  return { tx, scope, actor: getRequestActor(request), at: request.now() }
}

/** An audit row of a change. Its actor is that of the change, unless it has one. */
export type ChangeEntry = Omit<AuditEntry, 'actor'> & Partial<Pick<AuditEntry, 'actor'>>

/** Must be last in the transaction of the change, because it locks the chain's head until the commit. */
export function auditChange({ tx, scope, actor, at }: ChangeContext, entry: ChangeEntry): Promise<void> {
  return writeAuditEntry(tx, scope, { actor, ...entry }, at)
}

/** As `auditChange`, for any number of rows. Returns the rows in this order. */
export function auditChanges(
  { tx, scope, actor, at }: ChangeContext,
  entries: readonly ChangeEntry[],
): Promise<WrittenEntry[]> {
  const rows = entries.map((entry) => ({ actor, ...entry }))
  return writeAuditEntries(tx, scope, rows, at)
}

/** An audit row about a person. Name and e-mail are erasable values of it. */
export function toPersonEntry(
  action: ActionOf<'person'>,
  person: { readonly id: PersonId; readonly name: string; readonly email: string | null },
  metadata: ChangeEntry['metadata'],
  { organization = null, personal, ...more }: Partial<ChangeEntry> = {},
): ChangeEntry {
  return {
    action,
    resourceId: person.id,
    organization,
    metadata,
    ...more,
    personal: { ...toPersonalValues(person), ...personal },
    person: person.id,
  }
}
