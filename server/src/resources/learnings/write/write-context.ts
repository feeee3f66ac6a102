import { type ChangeContext, toChange } from '../../../access/change-context.ts'
import { refuse } from '../../../errors.ts'
import { type RequestContext, requireOrganization } from '../../../http/endpoint.ts'
import { isUuid, type LearningId, type OrganizationId, type PersonId } from '../../../ids.ts'

/** Context of a change to Learnings of one organization. */
export interface WriteContext extends ChangeContext {
  readonly organization: OrganizationId
  readonly owner: PersonId | null
}

export function toWriteContext(context: RequestContext): WriteContext {
  const { principal } = context
  const owner = 'owner' in principal ? principal.owner : null
  return { ...toChange(context), organization: requireOrganization(context), owner }
}

/** Null for malformed ids, which callers treat like unknown ids. */
export function parseLearningId(text: string): LearningId | null {
  return isUuid(text) ? (text.toLowerCase() as LearningId) : null
}

export function refuseUnknownLearning(): never {
  return refuse(
    'NOT_FOUND',
    'The organization has no Learning with this id. List them with GET /v1/learnings.',
  )
}
