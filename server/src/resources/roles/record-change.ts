import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { systemRoleNames } from '../../access/permissions.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import type { CustomRole } from './sql.ts'

const events = {
  role_created: 'role.created',
  role_changed: 'role.changed',
  role_deleted: 'role.deleted',
} as const

export async function recordRoleChange(
  { tx, scope, actor, at }: ChangeContext,
  organization: OrganizationId,
  action: keyof typeof events,
  role: CustomRole,
): Promise<void> {
  const entry: AuditEntry = {
    action,
    resourceType: 'role',
    resourceId: role.id,
    organization,
    actor,
    metadata: { permissions: role.permissions, is_default: role.is_default },
    personal: { name: role.name },
  }
  const payload = { organization_id: organization, role_id: role.id }
  await Promise.all([
    emit(tx, scope, { type: events[action], payload }),
    writeAuditEntry(tx, scope, entry, at),
  ])
}

/** Names of system roles begin with cr_, so custom roles must not. */
export function refuseSystemName(name: string): void {
  if (systemRoleNames.some((system) => system === name.toLowerCase())) {
    refuse('ROLE_NAME_TAKEN', `"${name}" is the name of a system role. Choose another name.`)
  }
  if (/^cr_/i.test(name)) {
    refuse(
      'INVALID_REQUEST',
      `The name "${name}" is reserved for system roles. Choose a name that does not begin with cr_.`,
    )
  }
}
