import { auditChange, toChange } from '../../../access/change-context.ts'
import type { Principal } from '../../../access/principal.ts'
import { refuse } from '../../../errors.ts'
import { allowKeys, defineEndpoint, type RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import type { PersonId, SessionId } from '../../../ids.ts'
import examples from './examples.json' with { type: 'json' }
import { CurrentSession, SessionList, SessionPath } from './schema.ts'
import { toSessionEntry } from './session.ts'
import { readOrganizationsOfPerson, readSessionFacts, readSessionsOfPerson, updateOwnEnded } from './sql.ts'

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
  const change = toChange(context)
  const { person } = requireSession(context.principal)
  const id = params.session_id.toLowerCase() as SessionId
  if (!(await updateOwnEnded(change.scope, change.tx, id, person, change.at)))
    return refuse('NOT_FOUND', 'You have no open session with this id. GET /v1/sessions lists yours.')
  await auditChange(change, toSessionEntry('session_ended', { id, person }, {}))
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
  keys: allowKeys('person'),
  organization: 'whole',
  plan: 'any',
  permission: null,
  admin: false,
  limit: 'session-reads',
} as const

export const session = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/v1/session',
  operationId: 'getSession',
  example: examples.session,
  summary: 'Get your session',
  description:
    'Returns who is signed in, the organizations to choose from, and until when. For the session cookie of a browser only; ' +
    'API keys use GET /v1/keys/self.',
  replies: { 200: { description: 'The session of the request.', body: CurrentSession } },
  run: getSession,
})

export const sessions = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/v1/sessions',
  operationId: 'listSessions',
  example: examples.sessions,
  summary: 'List your sessions',
  description: 'Returns your own open sessions, of all browsers.',
  replies: { 200: { description: 'Your open sessions.', body: SessionList } },
  run: listSessions,
})

export const sessionRemoval = defineEndpoint({
  ...common,
  method: 'DELETE',
  path: '/v1/sessions/{session_id}',
  operationId: 'endSession',
  example: examples.sessionRemoval,
  summary: 'End one of your sessions',
  description: 'Signs a browser out. It takes effect on the next request, on every node.',
  params: SessionPath,
  replies: { 204: { description: 'The session has ended.', body: null } },
  refusals: ['NOT_FOUND'],
  run: handleEndSession,
})
