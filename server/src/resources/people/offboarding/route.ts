import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../../shape.ts'
import { offboardingExample } from './examples.ts'
import { isDryRun, offboard, refuseAccountWithoutOrganization } from './offboard.ts'
import { OffboardingRequest, OffboardingResult } from './schema.ts'

export const offboarding = defineEndpoint({
  method: 'POST',
  path: '/v1/users/offboarding',
  operationId: 'offboardPerson',
  example: offboardingExample,
  summary: 'Offboard a person',
  description:
    'Ends everything that a person can use, on their next request: sessions, keys, the seat, roles and memberships; and ' +
    'deactivates the person. Without `dry_run: false` it returns what would end. With a workspace token, or in a tenant ' +
    'of a single organization, that is everything in the tenant. With other keys, or with org_id, only the membership ' +
    'of the organization and the keys bound to it end. Keys are revoked for good. The receipt names the rows of the ' +
    'audit log and the head of its chain.',
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  freshSignIn: true,
  organization: 'own',
  plan: 'enterprise',
  permission: 'user_management:write',
  admin: true,
  limit: 'seats',
  dryRun: { isDryRun, limit: 'offboarding-dry-runs' },
  maxConcurrent: 3,
  errorBody: 'error',
  params: NoPath,
  query: NoQuery,
  body: OffboardingRequest,
  refine: refuseAccountWithoutOrganization,
  paging: null,
  replies: { 200: { description: 'What ends, or has ended.', body: OffboardingResult } },
  refusals: ['NOT_FOUND', 'ORG_ID_REQUIRED', 'PROTECTED_ROLE', 'LAST_ADMIN', 'KEY_IN_USE'],
  run: offboard,
})
