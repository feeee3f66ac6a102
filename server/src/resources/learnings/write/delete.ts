import type { Static } from 'typebox'
import type { Scope } from '../../../access/scope.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import type { LearningId, OrganizationId } from '../../../ids.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { recordLearningChanges } from './record-change.ts'
import type { LearningPath } from './schema.ts'
import {
  findLearnings,
  type LearningRow,
  removeLearnings,
  reserveLearningPositions,
  writeTombstone,
} from './sql.ts'
import { parseLearningId, toWriteContext } from './write-context.ts'

export async function deleteLearning(
  context: RequestContext,
  { params }: { readonly params: Static<typeof LearningPath> },
): Promise<Reply> {
  const id = parseLearningId(params.learning_id)
  if (id !== null) {
    const writeContext = toWriteContext(context)
    const { scope, tx, organization } = writeContext
    const learning = await removeLearning(scope, tx, organization, id, writeContext.at)
    if (learning !== null) await recordLearningChanges(writeContext, [{ what: 'deleted', learning }])
  }
  return { status: 204, body: null }
}

/** A disapproved text stays disapproved. Returns what is deleted; null = there is no such Learning. */
export async function removeLearning(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: LearningId,
  at: Date,
): Promise<LearningRow | null> {
  const [, [found]] = await Promise.all([
    reserveLearningPositions(scope, tx, 0, REDACTOR_VERSION),
    findLearnings(scope, tx, organization, { ids: [id] }),
  ])
  if (found === undefined) return null
  await removeLearnings(scope, tx, organization, [id])
  if (found.state === 'disapproved') await writeTombstone(scope, tx, found, at)
  return found
}
