import { toChange } from '../../../access/change-context.ts'
import { getSoleOrganization } from '../../../access/scope.ts'
import { refuse } from '../../../errors.ts'
import { allButLegacyAndAgenticKeys, defineEndpoint, type RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import { recordTakenAccess } from '../deprovision.ts'
import { endAllSessions, lockKeysAndPerson } from '../deprovision-sql.ts'
import examples from './examples.json' with { type: 'json' }
import {
  findLimit,
  isDryRun,
  offboard,
  refuseAccountWithoutOrganization,
  refuseUnknownPerson,
} from './offboard.ts'
import { EndedSessions, OffboardingRequest, OffboardingResult, PersonPath } from './schema.ts'
import { findPerson } from './sql.ts'

/** A session belongs to the root and acts in every organization of the person, so an admin of one of them ends all of it. */
async function endSessionsOfPerson(
  context: RequestContext,
  { params }: { readonly params: { readonly cr_user_id: string } },
): Promise<Reply> {
  const { scope, tx } = context
  const limit = await findLimit(context)
  const person = (await findPerson(scope, tx, params, limit)) ?? refuseUnknownPerson()
  const locked = await lockKeysAndPerson(scope, tx, person)
  // Otherwise an admin of one organization could keep a workspace admin out of the dashboard.
  if (limit !== null && locked?.workspace_admin)
    refuse('PROTECTED_ROLE', 'The person is a workspace admin. Use a workspace token to end their sessions.')
  const change = toChange(context)
  const sessions = await endAllSessions(scope, tx, person, change.at)
  const organization = context.organization ?? getSoleOrganization(scope)
  await recordTakenAccess(change, { person, organization, personal: {} }, [{ sessions }])
  return ok({ ended: sessions.length })
}

const common = {
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  freshSignIn: true,
  organization: 'own',
  permission: 'user_management:write',
  admin: true,
  limit: 'seats',
  concurrency: 3,
} as const

export const offboarding = defineEndpoint({
  ...common,
  method: 'POST',
  path: '/v1/users/offboarding',
  operationId: 'offboardPerson',
  example: examples.offboarding,
  summary: 'Offboard a person',
  description:
    'Ends everything that a person can use, on their next request: sessions, keys, the seat, roles and memberships; and ' +
    'deactivates the person. Without `dry_run: false` it returns what would end. With a workspace token, or in a tenant ' +
    'of a single organization, that is everything in the tenant. With other keys, or with org_id, only the membership ' +
    'of the organization and the keys bound to it end. Keys are revoked permanently. The receipt names the rows of the ' +
    'audit log and the head of its chain.',
  readOnly: { isDryRun, limit: 'offboarding-dry-runs' },
  body: OffboardingRequest,
  checks: { input: refuseAccountWithoutOrganization },
  replies: { 200: { description: 'What ends, or has ended.', body: OffboardingResult } },
  refusals: ['NOT_FOUND', 'ORG_ID_REQUIRED', 'PROTECTED_ROLE', 'LAST_ADMIN', 'KEY_IN_USE'],
  run: offboard,
})

export const personSessions = defineEndpoint({
  ...common,
  method: 'DELETE',
  path: '/v1/users/{cr_user_id}/sessions',
  operationId: 'endSessionsOfPerson',
  example: examples.endedSessions,
  summary: 'End all sessions of a person',
  description:
    'Signs the person out of all browsers, on their next request. A workspace token names people of the whole workspace, ' +
    'other keys members of their organization. A session belongs to the tenant, so it ends for all organizations of the ' +
    'person; those of a workspace admin only with a workspace token. Keys stay, and the person can sign in again: to take ' +
    'that away, offboard the person.',
  params: PersonPath,
  replies: { 200: { description: 'How many sessions ended.', body: EndedSessions } },
  refusals: ['NOT_FOUND', 'PROTECTED_ROLE'],
  run: endSessionsOfPerson,
})
