import { type AuditEntry, writeAuditEntries } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { emit } from '../../bus/emit.ts'
import type { ChangedOrganization } from './sql.ts'

/**
 * Writes one event and one audit row for each organization. Must run last in the transaction. `role` is the name of a
 * system role or the id of a custom one.
 */
export async function recordUserRoleChanges(
  { tx, scope, actor, at }: ChangeContext,
  role: string,
  changes: readonly ChangedOrganization[],
): Promise<void> {
  const emitted = changes.map(({ organization, people }) => {
    const payload = { organization_id: organization, role, users: people.length }
    return emit(tx, scope, { type: 'user.roles_changed', payload })
  })
  const entries = changes.map(({ organization, people }): AuditEntry => {
    const ids = people.map(({ id }) => id)
    const only = people.length === 1 ? people[0] : undefined
    return {
      action: 'person_role_changed',
      resourceType: 'person',
      resourceId: only?.id ?? null,
      organization,
      actor,
      metadata: { role, users: people.length, person_ids: ids },
      before: { roles: Object.fromEntries(people.map((person) => [person.id, person.role])) },
      after: { roles: Object.fromEntries(ids.map((id) => [id, role])) },
      ...(only && { personal: { name: only.name }, person: only.id }),
    }
  })
  await Promise.all([...emitted, writeAuditEntries(tx, scope, entries, at)])
}
