import { type Actor, audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId } from '../../ids.ts'
import type { CustomRole } from './sql.ts'

/** One change: the transaction it is made in, how far it reaches, who makes it, and its moment. */
export interface Change {
  readonly tx: Tx
  readonly scope: Scope
  readonly actor: Actor
  readonly at: Date
}

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
