import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import { NoPath } from '../../shape.ts'
import { usersExample } from './examples.ts'
import { listUsers } from './list.ts'
import { UserPage, UsersQuery } from './schema.ts'

export const users = defineEndpoint({
  method: 'GET',
  path: '/v1/users',
  operationId: 'listUsers',
  example: usersExample,
  summary: 'List users',
  description:
    'Returns users of the organization with their seats, roles and last activity, ordered by account ID. An instance key uses its home ' +
    'organization. A workspace token without org_id lists the people of the whole workspace instead, each with all accounts, ' +
    'by cr_user_id.',
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  organization: 'own',
  plan: 'enterprise',
  permission: 'user_management:read',
  admin: true,
  limit: 'users',
  readsWithAdmission: true,
  errorBody: 'error',
  params: NoPath,
  query: UsersQuery,
  body: null,
  paging: { defaultLimit: 100, limitInCursor: false },
  maxReplyBytes: MAX_RESPONSE_BYTES,
  replies: { 200: { description: 'A page of users, and the seats of the tenant.', body: UserPage } },
  refusals: ['INVALID_CURSOR'],
  prepare: async ({ stores }) => stores,
  run: listUsers,
})
