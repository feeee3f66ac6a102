import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import {
  assignRoleToMembers,
  changeUserRoles,
  refuseAllForMembers,
  refuseAllOrganizations,
  refuseTooMany,
} from './change.ts'
import examples from './examples.json' with { type: 'json' }
import { RoleMembersPath, RoleMembersRequest, RoleRequest, RoleResult } from './schema.ts'

const common = {
  method: 'POST',
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  organization: 'required-or-all',
  permission: 'user_management:write',
  admin: true,
  limit: 'roles',
  freshSignIn: true,
  concurrency: 3,
  replies: {
    200: { description: 'Result for each user, in the order of the request.', body: RoleResult },
  },
} as const

export const userRoles = defineEndpoint({
  ...common,
  path: '/v1/users/roles',
  operationId: 'changeUserRoles',
  example: examples.userRoles,
  summary: 'Change roles of users',
  description:
    'Makes users of an organization admins or members. It takes effect on their next request. The role of billing admins ' +
    'cannot be changed, and an organization always has an admin. An instance key with `ALL` changes every active ' +
    'organization that it is authorized for, one after the other; a user succeeds if the change succeeds in all ' +
    'organizations they are a member of. The change continues if the connection is lost: repeat the request with the same ' +
    'Idempotency-Key to wait for its result, also after a 503. Check `status` and `failed`.',
  body: RoleRequest,
  checks: { body: refuseAllOrganizations, input: refuseTooMany },
  refusals: ['BATCH_SIZE_EXCEEDED', 'ORGANIZATION_OUT_OF_SCOPE'],
  run: changeUserRoles,
})

export const roleMembers = defineEndpoint({
  ...common,
  path: '/v1/roles/{role_id}/members',
  operationId: 'assignRole',
  example: examples.roleMembers,
  summary: 'Give users a role',
  description:
    'Gives users of an organization a custom role, `cr_admin` or `cr_member`, instead of the role they have. It takes effect on ' +
    'their next request. The role of billing admins cannot be changed, and an organization always has an admin. Check ' +
    '`status` and `failed`.',
  tag: 'Roles',
  params: RoleMembersPath,
  body: RoleMembersRequest,
  checks: { body: refuseAllForMembers, input: refuseTooMany },
  refusals: ['NOT_FOUND', 'BATCH_SIZE_EXCEEDED', 'ORGANIZATION_OUT_OF_SCOPE'],
  run: assignRoleToMembers,
})
