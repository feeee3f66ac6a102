import { defineEndpoint, noKeys } from '../../../http/endpoint.ts'
import type { SignInEndpoint } from '../../../http/sign-in.ts'
import { NoPath, NoQuery } from '../../../shape.ts'
import { sessionExample, sessionRemovalExample, sessionsExample } from './examples.ts'
import { getSession, handleEndSession, listSessions } from './handlers.ts'
import { createProviderRoutes } from './provider-routes.ts'
import { CurrentSession, SessionList, SessionPath } from './schema.ts'
import { styleSheet } from './style.ts'

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
