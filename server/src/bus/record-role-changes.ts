import { auditChanges, type ChangeContext, type ChangeEntry } from '../access/change-context.ts'
import type { OrganizationId, PersonId } from '../ids.ts'
import { emitAll } from './emit.ts'

/** Members of one organization who got a role. */
export interface RoleChange {
  readonly organization: OrganizationId
  /** The name of a system role, or the id of a custom one. */
  readonly role: string
  /** With their previous role. */
  readonly people: readonly { readonly id: PersonId; readonly role: string; readonly name: string }[]
}

/** Writes one event and one audit row for each change. Must run last in the transaction. */
export async function recordRoleChanges(
  change: ChangeContext,
  changes: readonly RoleChange[],
  metadata: { readonly automatic?: true } = {},
): Promise<void> {
  const events = changes.map(({ organization, role, people }) => {
    const payload = { organization_id: organization, role, users: people.length }
    return { type: 'user.roles_changed', payload } as const
  })
  const entries = changes.map(({ organization, role, people }): ChangeEntry => {
    const ids = people.map(({ id }) => id)
    const only = people.length === 1 ? people[0] : undefined
    return {
      action: 'person_role_changed',
      resourceId: only?.id ?? null,
      organization,
      metadata: { role, users: people.length, person_ids: ids, ...metadata },
      before: { roles: Object.fromEntries(people.map((person) => [person.id, person.role])) },
      after: { roles: Object.fromEntries(ids.map((id) => [id, role])) },
      ...(only && { personal: { name: only.name }, person: only.id }),
    }
  })
  await Promise.all([emitAll(change.tx, change.scope, events), auditChanges(change, entries)])
}
