import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import { changeUserRoles, refuseAllOrganizations, refuseTooMany } from './change.ts'
import { RoleRequest, RoleResult } from './schema.ts'

export const userRoles = defineEndpoint({
  method: 'POST',
  path: '/v1/users/roles',
  operationId: 'changeUserRoles',
  summary: 'Change roles of users',
  description:
    'Makes users of an organization admins or members; it acts on their next request. Billing admins keep their role, ' +
    'and an organization keeps an admin. An instance key with `ALL` changes every active organization that it is ' +
    'authorized for, one after the other: a user succeeds when all of those where they are a member did. That work goes ' +
    'on when the connection is lost; the same request with the same Idempotency-Key waits for its result again, also ' +
    'after a 503. Check `status` and `failed`.',
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
    200: { description: 'What became of each user, in the order of the request.', body: RoleResult },
  },
  refusals: ['BATCH_SIZE_EXCEEDED', 'ORGANIZATION_OUT_OF_SCOPE'],
  run: changeUserRoles,
})
