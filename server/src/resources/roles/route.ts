import { accessTypes, resourceIds } from '../../access/permissions.ts'
import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import examples from './examples.json' with { type: 'json' }
import {
  handleChangeRole,
  handleCreateRole,
  handleDeleteRole,
  handleGetRole,
  handleListPermissions,
  handleListRoles,
  refuseConflictingPermissions,
  refuseEmptyChange,
  refuseSystemRole,
} from './handlers.ts'
import {
  NewRoleBody,
  PermissionNames,
  Role,
  RoleChangeBody,
  RoleList,
  RolePath,
  RoleQuery,
  RolesQuery,
} from './schema.ts'

const common = {
  tag: 'Roles',
  keys: allButLegacyAndAgenticKeys,
  organization: 'required',
  admin: true,
  limit: 'custom-roles',
} as const

const read = {
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  permission: 'role_management:read',
} as const

export const roles = defineEndpoint({
  ...read,
  path: '/v1/roles',
  operationId: 'listRoles',
  example: examples.roles,
  summary: 'List roles',
  description: 'Returns the system roles and the custom roles of an organization.',
  query: RolesQuery,
  replies: { 200: { description: 'The roles of the organization.', body: RoleList } },
  run: handleListRoles,
})

export const rolePermissions = defineEndpoint({
  ...read,
  path: '/v1/roles/permissions',
  operationId: 'listRolePermissions',
  example: { response: { resource_ids: resourceIds, access_types: accessTypes } },
  summary: 'List permissions of roles',
  description: 'Returns the resources and access types that permissions combine.',
  query: RoleQuery,
  replies: { 200: { description: 'Resources and access types.', body: PermissionNames } },
  run: handleListPermissions,
})

export const role = defineEndpoint({
  ...read,
  path: '/v1/roles/{role_id}',
  operationId: 'getRole',
  example: examples.role,
  summary: 'Get a role',
  description: 'Returns one role with its permissions.',
  params: RolePath,
  query: RoleQuery,
  replies: { 200: { description: 'The role.', body: Role } },
  refusals: ['NOT_FOUND'],
  run: handleGetRole,
})

export const newRole = defineEndpoint({
  ...common,
  method: 'POST',
  path: '/v1/roles',
  operationId: 'createRole',
  freshSignIn: true,
  example: examples.newRole,
  summary: 'Create a custom role',
  description:
    'Creates a role with the given permissions or with those of another role. Without either it is a copy of ' +
    '`cr_member`.',
  permission: 'role_management:write',
  body: NewRoleBody,
  checks: { input: refuseConflictingPermissions },
  replies: { 201: { description: 'The new role.', body: Role } },
  refusals: ['NOT_FOUND', 'ROLE_NAME_TAKEN'],
  run: handleCreateRole,
})

export const roleChange = defineEndpoint({
  ...common,
  method: 'PATCH',
  path: '/v1/roles/{role_id}',
  operationId: 'updateRole',
  freshSignIn: true,
  example: examples.roleChange,
  summary: 'Change a custom role',
  description:
    'Takes effect on the next request of every user with the role. System roles cannot be changed.',
  permission: 'role_management:write',
  params: RolePath,
  body: RoleChangeBody,
  checks: { input: refuseEmptyChange },
  replies: { 200: { description: 'The changed role.', body: Role } },
  refusals: ['NOT_FOUND', 'ROLE_NAME_TAKEN'],
  run: handleChangeRole,
})

export const roleRemoval = defineEndpoint({
  ...common,
  method: 'DELETE',
  path: '/v1/roles/{role_id}',
  operationId: 'deleteRole',
  freshSignIn: true,
  example: examples.roleRemoval,
  summary: 'Delete a custom role',
  description: 'A role that is assigned to users cannot be deleted. Give them another role first.',
  permission: 'role_management:delete',
  params: RolePath,
  query: RoleQuery,
  checks: { input: refuseSystemRole },
  replies: { 204: { description: 'The role is deleted.', body: null } },
  refusals: ['NOT_FOUND', 'ROLE_IN_USE'],
  run: handleDeleteRole,
})
