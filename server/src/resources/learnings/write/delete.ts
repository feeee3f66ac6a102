import type { Static } from 'typebox'
import type { RequestContext } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { recordLearningChanges } from './record-change.ts'
import type { LearningPath } from './schema.ts'
import { findLearnings, removeLearnings, reserveLearningPositions, writeTombstone } from './sql.ts'
import { parseLearningId, toWriteContext } from './write-context.ts'

export async function deleteLearning(
  context: RequestContext,
  { params }: { readonly params: Static<typeof LearningPath> },
): Promise<Reply> {
  const id = parseLearningId(params.learning_id)
  if (id !== null) {
    const writeContext = toWriteContext(context)
    const { scope, tx, organization } = writeContext
    const [, [found]] = await Promise.all([
      reserveLearningPositions(scope, tx, 0, REDACTOR_VERSION),
      findLearnings(scope, tx, organization, { ids: [id] }),
    ])
    if (found !== undefined) {
      await removeLearnings(scope, tx, organization, [id])
      if (found.state === 'disapproved') await writeTombstone(scope, tx, found, writeContext.at)
      await recordLearningChanges(writeContext, [{ what: 'deleted', learning: found }])
    }
  }
  return { status: 204, body: null }
}
