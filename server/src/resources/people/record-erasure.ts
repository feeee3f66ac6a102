import { type AuditEntry, writeAuditEntries } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { emitAll } from '../../bus/emit.ts'
import type { PersonId } from '../../ids.ts'
import type { RevokedAccess } from './erase-sql.ts'

/** Writes no name, because these rows are never erased. */
export async function recordRevokedAccess(
  { tx, scope, actor, at }: ChangeContext,
  person: PersonId,
  { organizations, seats, keys }: RevokedAccess,
  more: readonly AuditEntry[],
): Promise<void> {
  const toCommonFields = (id: string, organization: AuditEntry['organization']) => ({
    resourceId: id,
    organization,
    actor,
    person,
  })
  const left = organizations.map(
    ({ organization_id, role, without_admin }): AuditEntry => ({
      action: 'person_left',
      resourceType: 'person',
      ...toCommonFields(person, organization_id),
      metadata: { role, ...(role === 'cr_admin' ? { without_admin } : {}) },
    }),
  )
  const freed: AuditEntry[] = [
    {
      action: 'seat_unassigned',
      resourceType: 'seat',
      ...toCommonFields(person, null),
      metadata: { automatic: true },
    },
  ]
  const revoked = keys.map(
    ({ id, kind, organization_id }): AuditEntry => ({
      action: 'api_key_revoked',
      resourceType: 'api_key',
      ...toCommonFields(id, organization_id),
      metadata: { kind, owner_id: person, revoked_at: at.toISOString() },
    }),
  )
  await emitAll(tx, scope, [
    ...(seats > 0
      ? [{ type: 'seat.unassigned', payload: { person_id: person, organization_id: null } } as const]
      : []),
    ...keys.map(({ id, kind, organization_id }) => {
      const payload = { key_id: id, kind, organization_id, revoked_at: at.toISOString() }
      return { type: 'key.revoked', payload } as const
    }),
  ])
  await writeAuditEntries(tx, scope, [...left, ...(seats > 0 ? freed : []), ...revoked, ...more], at)
}
