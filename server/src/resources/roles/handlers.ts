import { toChange } from '../../access/change-context.ts'
import {
  accessTypes,
  allPermissions,
  type Permission,
  resourceIds,
  systemRoleNames,
} from '../../access/permissions.ts'
import { refuse } from '../../errors.ts'
import { type RequestContext, requireOrganization } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { type ListedRole, listRoles } from './list.ts'
import { changeRole, createRole, deleteRole } from './manage.ts'
import type { NewRoleBody, RoleChangeBody, RolePermission, RolesQuery } from './schema.ts'

// HTTP handlers. The operator's commands call the same functions.

interface RoleParams {
  readonly params: { readonly role_id: string }
}

export async function handleListRoles(
  context: RequestContext,
  { query }: { readonly query: RolesQuery },
): Promise<Reply> {
  const { role_type = 'all', include_permissions = false, include_user_count = true } = query
  const { scope, tx } = context
  const organization = requireOrganization(context)
  const roles = await listRoles(scope, tx, organization, { counted: include_user_count })
  const requested = roles.filter(({ type }) => role_type === 'all' || type === role_type)
  return ok({ roles: requested.map((role) => renderRole(role, { permissions: include_permissions })) })
}

export async function handleGetRole(context: RequestContext, { params }: RoleParams): Promise<Reply> {
  return ok(renderRole(await findRoleById(context, params.role_id), { permissions: true }))
}

/** The same in every organization, so nothing is read. */
export function handleListPermissions(): Promise<Reply> {
  return Promise.resolve(ok({ resource_ids: resourceIds, access_types: accessTypes }))
}

export function refuseConflictingPermissions({ body }: { readonly body: NewRoleBody }): void {
  if (body.duplicate_from !== undefined && body.permissions !== undefined) {
    refuse('INVALID_REQUEST', 'Pass permissions or duplicate_from, not both.')
  }
}

export async function handleCreateRole(
  context: RequestContext,
  { body }: { readonly body: NewRoleBody },
): Promise<Reply> {
  const { name, description, is_default: isDefault } = body
  const permissions = await resolvePermissions(context, body)
  const role = { name, description, isDefault, permissions }
  const id = await createRole(toChange(context), requireOrganization(context), role)
  const created = renderRole(await findRoleById(context, id), { permissions: true })
  return { status: 201, body: { json: created } }
}

export function refuseSystemRole({ params }: RoleParams): void {
  if (systemRoleNames.some((name) => name === params.role_id)) {
    refuse('INVALID_REQUEST', `${params.role_id} is a system role and cannot be changed or deleted.`)
  }
}

export function refuseEmptyChange(input: RoleParams & { readonly body: RoleChangeBody }): void {
  refuseSystemRole(input)
  const { org_id: _, ...changes } = input.body
  if (Object.keys(changes).length === 0)
    refuse('INVALID_REQUEST', 'The body contains no change. Pass at least one field.')
}

export async function handleChangeRole(
  context: RequestContext,
  { params, body }: RoleParams & { readonly body: RoleChangeBody },
): Promise<Reply> {
  const { name, description, is_default: isDefault } = body
  const permissions = body.permissions && parsePermissions(body.permissions)
  const wanted = { name, description, isDefault, permissions }
  await changeRole(toChange(context), requireOrganization(context), params.role_id, wanted)
  return handleGetRole(context, { params })
}

export async function handleDeleteRole(context: RequestContext, { params }: RoleParams): Promise<Reply> {
  await deleteRole(toChange(context), requireOrganization(context), params.role_id)
  return { status: 204, body: null }
}

async function resolvePermissions(
  context: RequestContext,
  { permissions, duplicate_from }: NewRoleBody,
): Promise<readonly Permission[] | undefined> {
  if (permissions) return parsePermissions(permissions)
  return duplicate_from === undefined ? undefined : (await findRoleById(context, duplicate_from)).permissions
}

async function findRoleById(context: RequestContext, id: string): Promise<ListedRole> {
  const roles = await listRoles(context.scope, context.tx, requireOrganization(context))
  const role = roles.find((listed) => listed.id === id.toLowerCase())
  return role ?? refuse('NOT_FOUND', `The organization has no role with the id ${id}.`)
}

function renderRole(role: ListedRole, { permissions }: { readonly permissions: boolean }) {
  const { id, name, description, type, is_default, members } = role
  return {
    id,
    name,
    description,
    type,
    is_default,
    ...(members !== null && { user_count: members }),
    ...(permissions && { permissions: role.permissions.map(toRolePermission) }),
  }
}

/** Without duplicates, in the order of allPermissions. */
function parsePermissions(parts: readonly RolePermission[]): Permission[] {
  const requested = new Set<string>(
    parts.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`),
  )
  return allPermissions.filter((permission) => requested.has(permission))
}

function toRolePermission(permission: Permission) {
  const [resource_id, access_type] = permission.split(':')
  return { resource_id, access_type }
}
