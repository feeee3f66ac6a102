import { getRequestActor } from '../../../access/audit.ts'
import type { ChangeContext } from '../../../access/change-context.ts'
import { refuse } from '../../../errors.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { LearningId, OrganizationId, PersonId } from '../../../ids.ts'

/** Context of a change to Learnings of one organization. */
export interface WriteContext extends ChangeContext {
  readonly organization: OrganizationId
  readonly owner: PersonId | null
}

export function toWriteContext(context: RequestContext): WriteContext {
  const { tx, scope, principal, organization, now } = context
  if (organization === null)
    throw new Error('The pipeline must select an organization before a Learning is written.')
  const owner = 'owner' in principal ? principal.owner : null
  return { tx, scope, actor: getRequestActor(context), at: now(), organization, owner }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Null for malformed ids, which callers treat like unknown ids. */
export function parseLearningId(text: string): LearningId | null {
  const id = text.toLowerCase()
  return uuid.test(id) ? (id as LearningId) : null
}

export function refuseUnknownLearning(): never {
  return refuse(
    'NOT_FOUND',
    'The organization has no Learning with this id. List them with GET /v1/learnings.',
  )
}
