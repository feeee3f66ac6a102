import type { ActionOf } from '../../access/audit/catalogue.ts'
import type { Actor, AuditEntry } from '../../access/audit.ts'
import type { Person } from './sql.ts'

/** An audit row about a person. Name and e-mail are erasable values of it. */
export function toPersonEntry(
  action: ActionOf<'person'>,
  { id, name, email }: Pick<Person, 'id' | 'name' | 'email'>,
  actor: Actor,
  metadata: AuditEntry['metadata'],
): AuditEntry {
  return {
    action,
    resourceType: 'person',
    resourceId: id,
    organization: null,
    actor,
    metadata,
    personal: { name, ...(email !== null && { email }) },
    person: id,
  }
}
