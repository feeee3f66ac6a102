import { getRequestActor, writeAuditEntry } from '../../../access/audit.ts'
import type { Principal } from '../../../access/principal.ts'
import { refuse } from '../../../errors.ts'
import { defineEndpoint, noKeys, type RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import type { SignInEndpoint } from '../../../http/sign-in.ts'
import type { PersonId, SessionId } from '../../../ids.ts'
import { NoPath, NoQuery } from '../../../shape.ts'
import { sessionExample, sessionRemovalExample, sessionsExample } from './examples.ts'
import { createProviderRoutes } from './provider-routes.ts'
import { CurrentSession, SessionList, SessionPath } from './schema.ts'
import { toSessionEntry } from './session.ts'
import { readOrganizationsOfPerson, readSessionFacts, readSessionsOfPerson, updateOwnEnded } from './sql.ts'
import { styleSheet } from './style.ts'

const MAX_ORGANIZATIONS = 1000

async function getSession({ scope, tx, principal }: RequestContext): Promise<Reply> {
  const { session, person } = requireSession(principal)
  const { cr_user_id, name, email, ...facts } = await readSessionFacts(scope, tx, session)
  const organizations = await readOrganizationsOfPerson(
    scope,
    tx,
    person,
    facts.workspace_admin,
    MAX_ORGANIZATIONS,
  )
  return ok({ person: { cr_user_id, name, email }, organizations, ...facts })
}

async function listSessions({ scope, tx, principal }: RequestContext): Promise<Reply> {
  const { session, person } = requireSession(principal)
  return ok({ data: await readSessionsOfPerson(scope, tx, person, session) })
}

/** Ends one of the person's own sessions, this one too. */
async function handleEndSession(
  context: RequestContext,
  { params }: { readonly params: { readonly session_id: string } },
): Promise<Reply> {
  const { scope, tx, principal, address, now } = context
  const { person } = requireSession(principal)
  const id = params.session_id.toLowerCase() as SessionId
  const at = now()
  if (!(await updateOwnEnded(scope, tx, id, person, at)))
    return refuse('NOT_FOUND', 'You have no open session with this id. GET /v1/sessions lists yours.')
  const entry = {
    ...toSessionEntry('session_ended', { id, person }, address, {}),
    actor: getRequestActor(context),
  }
  await writeAuditEntry(tx, scope, entry, at)
  return { status: 204, body: null }
}

function requireSession(principal: Principal): { readonly session: SessionId; readonly person: PersonId } {
  const { credential } = principal
  if (credential.kind !== 'session' || !('owner' in principal))
    throw new Error('The caller is not a session.')
  return { session: credential.id, person: principal.owner }
}

const common = {
  tag: 'Sessions',
  session: 'person',
  keys: noKeys,
  organization: 'whole',
  plan: 'any',
  permission: null,
  admin: false,
  limit: 'session-reads',
  errorBody: 'error',
  query: NoQuery,
  body: null,
  paging: null,
} as const

export const session = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/v1/session',
  operationId: 'getSession',
  example: sessionExample,
  summary: 'Get your session',
  description:
    'Returns who is signed in, the organizations to choose from, and until when. For the session cookie of a browser only; ' +
    'API keys use GET /v1/keys/self.',
  params: NoPath,
  replies: { 200: { description: 'The session of the request.', body: CurrentSession } },
  refusals: [],
  run: getSession,
})

export const sessions = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/v1/sessions',
  operationId: 'listSessions',
  example: sessionsExample,
  summary: 'List your sessions',
  description: 'Returns your own open sessions, of all browsers.',
  params: NoPath,
  replies: { 200: { description: 'Your open sessions.', body: SessionList } },
  refusals: [],
  run: listSessions,
})

export const sessionRemoval = defineEndpoint({
  ...common,
  method: 'DELETE',
  path: '/v1/sessions/{session_id}',
  operationId: 'endSession',
  example: sessionRemovalExample,
  summary: 'End one of your sessions',
  description: 'Signs a browser out. It takes effect on the next request, on every node.',
  params: SessionPath,
  replies: { 204: { description: 'The session has ended.', body: null } },
  refusals: ['NOT_FOUND'],
  run: handleEndSession,
})

/** The routes under /auth. Created with the server, because they remember the metadata of identity providers. */
export function createSignInRoutes(): readonly SignInEndpoint[] {
  return [...createProviderRoutes(), styleSheet]
}
