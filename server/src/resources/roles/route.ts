import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import {
  newRoleExample,
  roleChangeExample,
  roleExample,
  rolePermissionsExample,
  roleRemovalExample,
  rolesExample,
} from './examples.ts'
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
  plan: 'enterprise',
  admin: true,
  limit: 'custom-roles',
  errorBody: 'error',
  paging: null,
} as const

export const roles = defineEndpoint({
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  path: '/v1/roles',
  operationId: 'listRoles',
  example: rolesExample,
  summary: 'List roles',
  description: 'Returns the system roles and the custom roles of an organization.',
  permission: 'role_management:read',
  params: NoPath,
  query: RolesQuery,
  body: null,
  replies: { 200: { description: 'The roles of the organization.', body: RoleList } },
  refusals: [],
  run: handleListRoles,
})

export const rolePermissions = defineEndpoint({
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  path: '/v1/roles/permissions',
  operationId: 'listRolePermissions',
  example: rolePermissionsExample,
  summary: 'List permissions of roles',
  description: 'Returns the resources and access types that permissions combine.',
  permission: 'role_management:read',
  params: NoPath,
  query: RoleQuery,
  body: null,
  replies: { 200: { description: 'Resources and access types.', body: PermissionNames } },
  refusals: [],
  run: handleListPermissions,
})

export const role = defineEndpoint({
  ...common,
  method: 'GET',
  readsWithAdmission: true,
  path: '/v1/roles/{role_id}',
  operationId: 'getRole',
  example: roleExample,
  summary: 'Get a role',
  description: 'Returns one role with its permissions.',
  permission: 'role_management:read',
  params: RolePath,
  query: RoleQuery,
  body: null,
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
  example: newRoleExample,
  summary: 'Create a custom role',
  description:
    'Creates a role with the given permissions or with those of another role. Without either it is a copy of ' +
    '`cr_member`.',
  permission: 'role_management:write',
  params: NoPath,
  query: NoQuery,
  body: NewRoleBody,
  refine: refuseConflictingPermissions,
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
  example: roleChangeExample,
  summary: 'Change a custom role',
  description:
    'Takes effect on the next request of every user with the role. System roles cannot be changed.',
  permission: 'role_management:write',
  params: RolePath,
  query: NoQuery,
  body: RoleChangeBody,
  refine: refuseEmptyChange,
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
  example: roleRemovalExample,
  summary: 'Delete a custom role',
  description: 'A role that is assigned to users cannot be deleted. Give them another role first.',
  permission: 'role_management:delete',
  params: RolePath,
  query: RoleQuery,
  body: null,
  refine: refuseSystemRole,
  replies: { 204: { description: 'The role is deleted.', body: null } },
  refusals: ['NOT_FOUND', 'ROLE_IN_USE'],
  run: handleDeleteRole,
})
