import { type ChangedFields, hashText } from '../../access/audit.ts'
import { auditChange, type ChangeContext, type ChangeEntry } from '../../access/change-context.ts'
import { getSystemRolePermissions, type Permission, systemRoleNames } from '../../access/permissions.ts'
import { emit } from '../../bus/emit.ts'
import { refuse } from '../../errors.ts'
import { newId, type OrganizationId } from '../../ids.ts'
import { pluralize } from '../../plural.ts'
import { type CustomRole, deleteRoleRow, insertRole, lockRole, updateRole } from './sql.ts'

const events = {
  role_created: 'role.created',
  role_changed: 'role.changed',
  role_deleted: 'role.deleted',
} as const

async function recordRoleChange(
  change: ChangeContext,
  organization: OrganizationId,
  action: keyof typeof events,
  { before, after }: { readonly before?: CustomRole; readonly after?: CustomRole },
): Promise<void> {
  const role = after ?? before
  if (role === undefined) throw new Error('A change of a role needs the role.')
  const entry: ChangeEntry = {
    action,
    resourceId: role.id,
    organization,
    metadata: { permissions: role.permissions, is_default: role.is_default },
    ...(before && { before: selectAuditedFields(before, after) }),
    ...(after && { after: selectAuditedFields(after, before) }),
    personal: {
      name: role.name,
      ...(before &&
        after &&
        before.name !== after.name && { 'before.name': before.name, 'after.name': after.name }),
    },
  }
  const payload = { organization_id: organization, role_id: role.id }
  await Promise.all([
    emit(change.tx, change.scope, { type: events[action], payload }),
    auditChange(change, entry),
  ])
}

/** The fields of a role that differ from `other`; all of them without it. */
function selectAuditedFields(role: CustomRole, other: CustomRole | undefined): ChangedFields {
  const { description, permissions, is_default } = role
  return {
    ...(description !== other?.description && { description: hashText(description) }),
    ...(permissions.join() !== other?.permissions.join() && { permissions }),
    ...(is_default !== other?.is_default && { is_default }),
  }
}

/** Names of system roles begin with cr_, so custom roles must not. */
function refuseSystemName(name: string): void {
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

export interface RoleChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Default of a new role: the permissions of cr_member. */
  readonly permissions?: readonly Permission[] | undefined
  readonly isDefault?: boolean | undefined
}

export interface NewRole extends RoleChange {
  readonly id?: string
  readonly name: string
}

function refuseTakenName(name: string): never {
  return refuse(
    'ROLE_NAME_TAKEN',
    `The organization already has a role named "${name}". Choose another name.`,
  )
}

/** Returns the id of the role. A new default role replaces the previous one. */
export async function createRole(
  change: ChangeContext,
  organization: OrganizationId,
  role: NewRole,
): Promise<string> {
  refuseSystemName(role.name)
  const row = {
    id: role.id ?? newId<string>(),
    name: role.name,
    description: role.description ?? '',
    permissions: role.permissions ?? getSystemRolePermissions('cr_member'),
    is_default: role.isDefault ?? false,
  }
  if (!(await insertRole(change.scope, change.tx, organization, row))) refuseTakenName(role.name)
  await recordRoleChange(change, organization, 'role_created', { after: row })
  return row.id
}

async function requireRole({ scope, tx }: ChangeContext, organization: OrganizationId, role: string) {
  const found = await lockRole(scope, tx, organization, role)
  return found ?? refuse('NOT_FOUND', `The organization has no custom role with the id ${role}.`)
}

/** Takes effect on the next request of every member with the role. */
export async function changeRole(
  change: ChangeContext,
  organization: OrganizationId,
  role: string,
  wanted: RoleChange,
): Promise<void> {
  const { scope, tx } = change
  const before = await requireRole(change, organization, role)
  if (wanted.name !== undefined) refuseSystemName(wanted.name)
  const after = {
    id: before.id,
    name: wanted.name ?? before.name,
    description: wanted.description ?? before.description,
    permissions: wanted.permissions ?? before.permissions,
    is_default: wanted.isDefault ?? before.is_default,
  }
  const isSame = Object.keys(selectAuditedFields(after, before)).length === 0
  if (isSame && before.name === after.name) return
  if (!(await updateRole(scope, tx, organization, after))) refuseTakenName(after.name)
  await recordRoleChange(change, organization, 'role_changed', { before, after })
}

export async function deleteRole(
  change: ChangeContext,
  organization: OrganizationId,
  role: string,
): Promise<void> {
  const { scope, tx } = change
  const before = await requireRole(change, organization, role)
  if (before.members > 0) {
    return refuse(
      'ROLE_IN_USE',
      `The role "${before.name}" has ${pluralize(before.members, 'member')}. Give ${before.members === 1 ? 'the member' : 'them'} another role first.`,
    )
  }
  await deleteRoleRow(scope, tx, organization, role)
  await recordRoleChange(change, organization, 'role_deleted', { before })
}
