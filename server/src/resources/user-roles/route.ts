import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import { changeUserRoles, refuseAllOrganizations, refuseTooMany } from './change.ts'
import { userRolesExample } from './examples.ts'
import { RoleRequest, RoleResult } from './schema.ts'

export const userRoles = defineEndpoint({
  method: 'POST',
  path: '/v1/users/roles',
  operationId: 'changeUserRoles',
  example: userRolesExample,
  summary: 'Change roles of users',
  description:
    'Makes users of an organization admins or members. It takes effect on their next request. The role of billing admins ' +
    'cannot be changed, and an organization always has an admin. An instance key with `ALL` changes every active ' +
    'organization that it is authorized for, one after the other; a user succeeds if the change succeeds in all ' +
    'organizations they are a member of. The change continues if the connection is lost: repeat the request with the same ' +
    'Idempotency-Key to wait for its result, also after a 503. Check `status` and `failed`.',
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  organization: 'required-or-all',
  plan: 'enterprise',
  permission: 'user_management:write',
  admin: true,
  limit: 'roles',
  maxConcurrent: 3,
  errorBody: 'error',
  params: NoPath,
  query: NoQuery,
  body: RoleRequest,
  precheckBody: refuseAllOrganizations,
  refine: refuseTooMany,
  paging: null,
  replies: {
    200: { description: 'Result for each user, in the order of the request.', body: RoleResult },
  },
  refusals: ['BATCH_SIZE_EXCEEDED', 'ORGANIZATION_OUT_OF_SCOPE'],
  run: changeUserRoles,
})
