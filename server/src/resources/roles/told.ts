import { audit } from '../../access/audit.ts'
import type { Change } from '../../access/change.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import type { CustomRole } from './sql.ts'

export function tellOfRole(
  { tx, scope, actor, at }: Change,
  organization: OrganizationId,
  action: string,
  role: CustomRole,
): Promise<void> {
  const entry = {
    action,
    resourceType: 'role',
    resourceId: role.id,
    organization,
    actor,
    metadata: { permissions: role.permissions, is_default: role.is_default },
    personal: { name: role.name },
  }
  return audit(tx, scope, entry, at)
}

/** System roles are named cr_…; a custom role must not pass for one. */
export function refuseSystemName(name: string): void {
  if (/^cr_/i.test(name)) {
    refuse(
      'INVALID_REQUEST',
      `"${name}" looks like a system role: names that begin with cr_ belong to the service.`,
    )
  }
}
