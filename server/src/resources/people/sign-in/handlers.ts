import { getRequestActor, writeAuditEntry } from '../../../access/audit.ts'
import type { Principal } from '../../../access/principal.ts'
import { refuse } from '../../../errors.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import type { PersonId, SessionId } from '../../../ids.ts'
import { toSessionEntry } from './session.ts'
import { readOrganizationsOfPerson, readSessionFacts, readSessionsOfPerson, updateOwnEnded } from './sql.ts'

const MAX_ORGANIZATIONS = 1000

export async function getSession({ scope, tx, principal }: RequestContext): Promise<Reply> {
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

export async function listSessions({ scope, tx, principal }: RequestContext): Promise<Reply> {
  const { session, person } = requireSession(principal)
  return ok({ data: await readSessionsOfPerson(scope, tx, person, session) })
}

/** Ends one of the person's own sessions, this one too. */
export async function handleEndSession(
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
