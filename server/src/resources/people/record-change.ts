import type { ActionOf } from '../../access/audit/catalogue.ts'
import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import { type Person, readPerson } from './sql.ts'

type IdentifiedPerson = Person & { readonly email: string }

export async function requirePerson(
  { scope, tx }: ChangeContext,
  person: PersonId,
): Promise<IdentifiedPerson> {
  const found =
    (await readPerson(scope, tx, person)) ??
    refuse('NOT_FOUND', `The tenant root has no person with the id ${person}.`)
  const { email } = found
  if (email === null)
    return refuse('INVALID_REQUEST', `Person ${person} is erased. Add a new person instead.`)
  return { ...found, email }
}

/** Writes name and e-mail as erasable values of the audit row. */
export function recordPersonChange(
  { tx, scope, actor, at }: ChangeContext,
  person: IdentifiedPerson,
  action: ActionOf<'person'>,
  metadata: AuditEntry['metadata'],
  organization: OrganizationId | null = null,
): Promise<void> {
  const entry: AuditEntry = {
    action,
    resourceType: 'person',
    resourceId: person.id,
    organization,
    actor,
    metadata,
    personal: { name: person.name, email: person.email },
    person: person.id,
  }
  return writeAuditEntry(tx, scope, entry, at)
}
