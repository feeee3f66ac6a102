import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { MAX_RESPONSE_BYTES } from '../../response-size.ts'
import examples from './examples.json' with { type: 'json' }
import { listUsers } from './list.ts'
import { UserPage, UsersQuery } from './schema.ts'

export const users = defineEndpoint({
  method: 'GET',
  path: '/v1/users',
  operationId: 'listUsers',
  example: examples.users,
  summary: 'List users',
  description:
    'Returns users of the organization with their seats, roles and last activity, ordered by account ID. An instance key uses its home ' +
    'organization. A workspace token without org_id lists the people of the whole workspace instead, each with all accounts, ' +
    'by cr_user_id.',
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  organization: 'own',
  permission: 'user_management:read',
  admin: true,
  limit: 'users',
  readsWithAdmission: true,
  query: UsersQuery,
  paging: { defaultLimit: 100, limitInCursor: false, boundBy: ['seat_filter', 'role_filter'] },
  maxReplyBytes: MAX_RESPONSE_BYTES,
  replies: { 200: { description: 'A page of users, and the seats of the tenant.', body: UserPage } },
  prepare: async ({ stores }) => stores,
  run: listUsers,
})
